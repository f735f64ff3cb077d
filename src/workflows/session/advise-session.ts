import { readFile } from 'node:fs/promises';

import type { Evidence } from '../../model/learn/gate.ts';
import { profileReportSchema } from '../../model/profile/profile-report.ts';
import { adviceFor, profiledBy } from '../../learn/advice/advice-for.ts';
import { earlierSessions } from '../../learn/session/earlier-sessions.ts';
import type { OpenSession } from '../../learn/session/open-session.ts';
import type { Working } from '../../learn/session/session-options.ts';

/** Ranks the fixes of a profile that was just taken. One without findings ranks nothing. */
export async function adviseSession(
  opened: OpenSession,
  { sources }: Evidence,
  { onProgress }: Working,
): Promise<void> {
  const file = sources.find(({ file }) => file !== undefined)?.file;
  if (file === undefined) return;
  const profiled = profiledBy(
    profileReportSchema.parse(JSON.parse(await readFile(file, 'utf8'))),
    opened.session.device,
  );
  if (profiled === undefined || profiled.findings.length === 0) return;
  const sessions = await earlierSessions(opened.loaded, onProgress);
  await opened.add({ type: 'advised', advice: adviceFor(profiled, sessions, opened.loaded) });
}
