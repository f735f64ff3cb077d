import { readFile } from 'node:fs/promises';

import { outcomesOf } from '../../learn/advice/outcomes-of.ts';
import { predictionError } from '../../learn/advice/prediction-error.ts';
import { rankFixes } from '../../learn/advice/rank-fixes.ts';
import { ADVICE_SCHEMA } from '../../model/advice.ts';
import type { Finding } from '../../model/diagnosis.ts';
import type { Evidence } from '../../model/gate.ts';
import { profileReportSchema } from '../../model/profile-report.ts';
import { earlierSessions } from './earlier-sessions.ts';
import type { SessionDesk } from './session-desk.ts';
import type { Working } from './session-options.ts';

/** Ranks the fixes of a profile that was just taken. A profile without findings (a CPU's counters) ranks nothing. */
export async function adviseSession(
  desk: SessionDesk,
  evidence: Evidence,
  { onProgress }: Working,
): Promise<void> {
  const findings = await findingsOf(evidence);
  if (findings.length === 0) return;
  const { kernel, kind, device = '' } = desk.session;
  const sessions = await earlierSessions(desk.loaded, onProgress);
  const outcomes = outcomesOf(sessions);
  const fixes = rankFixes({ findings, outcomes, kind, device });
  await desk.add({
    type: 'advised',
    advice: {
      schema: ADVICE_SCHEMA,
      kernel,
      kind,
      device,
      fixes,
      basis: fixes.some(({ weight }) => weight > 0) ? 'recorded' : 'rules',
      prediction_error: predictionError(sessions),
    },
  });
}

/** Of the launch that takes longest: what mends it gains most. */
async function findingsOf({ sources }: Evidence): Promise<readonly Finding[]> {
  const file = sources.find(({ file }) => file !== undefined)?.file;
  if (file === undefined) return [];
  const report = profileReportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const launches = report.head?.diagnosis?.kernels ?? [];
  const [longest] = launches.toSorted((one, other) => (other.duration_us ?? 0) - (one.duration_us ?? 0));
  return longest?.findings ?? [];
}
