import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Evidence } from '../../../src/model/learn/gate.ts';
import type { ProfileReport } from '../../../src/model/profile/profile-report.ts';
import { diagnoseFile } from '../../../src/workflows/diagnose.ts';
import { startSession, tryChange } from '../../../src/workflows/session.ts';
import { adviseSession } from '../../../src/workflows/session/advise-session.ts';
import { OpenSession } from '../../../src/learn/session/open-session.ts';
import { SessionProject } from './session-project.ts';

const RECORDED = resolve(import.meta.dirname, '../../fixtures/ncu-attention/attention_spilled.raw.csv');

/** As the gate of a profile leaves it. */
async function evidenceOf(project: SessionProject): Promise<Evidence> {
  const at = new Date(0).toISOString();
  const report: ProfileReport = {
    schema: 'pawl.profile/1',
    kernel: 'slow',
    case: 'small',
    variant: {},
    mode: 'hot',
    head: {
      profiler: { name: 'ncu', command: [] },
      started_at: at,
      seconds: 1,
      launches: 1,
      files: {},
      diagnosis: await diagnoseFile({ file: RECORDED }),
      notes: [],
    },
    seconds: 1,
    device_s: 1,
  };
  const file = join(project.folder, 'profile.json');
  await writeFile(file, JSON.stringify(report));
  return { kind: 'profile', taken_at: at, facts: {}, sources: [{ file }], lines: [] };
}

describe('a session with a profile', () => {
  it('has its fixes ranked, and takes the gain of the one that a try follows for its prediction', async () => {
    const project = await SessionProject.create();
    const { config } = project;
    await startSession({ config, goal: '1.5x on small' });
    const opened = await OpenSession.open({ config });
    await adviseSession(opened, await evidenceOf(project), {});
    const { advice } = opened.session;
    expect(advice?.basis).toBe('rules');
    expect(advice?.fixes[0]).toMatchObject({ rank: 1, rule: 'register-spill' });

    await project.kernel({ turns: 5_000 });
    const { try: one } = await tryChange({
      config,
      hypothesis: 'fewer registers',
      rule: 'register-spill',
      measure: false,
    });
    expect(one).toMatchObject({
      idea: 'register-spill',
      predicted_change_pct: advice?.fixes[0]?.expected_gain_pct,
      rule_gain_pct: advice?.fixes[0]?.rule_gain_pct,
    });
    expect(one.flags).not.toContain('guess');
  });
});
