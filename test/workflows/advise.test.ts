import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { adviceSchema } from '../../src/model/learn/advice.ts';
import type { ProfileReport } from '../../src/model/profile/profile-report.ts';
import { NcuProfiler } from '../../src/profile/capture/ncu-profiler.ts';
import { advise, type AdviseOptions } from '../../src/workflows/advise.ts';
import { diagnoseFile } from '../../src/workflows/diagnose.ts';
import { attempt, session } from '../learn/advice/records.ts';
import { FakeNcu } from '../profile/capture/fake-ncu.ts';
import { busyKernel, CompareProject } from './compare-project.ts';

// Another test may hold the device.
vi.setConfig({ testTimeout: 600_000 });

const NCU = resolve(import.meta.dirname, '../fixtures/ncu');
const SPILLED = resolve(import.meta.dirname, '../fixtures/ncu-attention/attention_spilled.raw.csv');

let project: CompareProject;

beforeAll(async () => {
  project = await CompareProject.create();
  await project.write('src/busy.cpp', busyKernel(100_000));
});

async function ask(options: AdviseOptions) {
  return adviceSchema.parse(await advise({ config: project.folder, ...options }));
}

describe('advice from a file', () => {
  it("has the rules' own order where no session was recorded", async () => {
    const { kernels } = await diagnoseFile({ file: SPILLED });
    const advice = await ask({ kernel: 'busy', profile: SPILLED });
    expect(advice).toMatchObject({ kernel: 'busy', kind: 'doubled', device: 'NVIDIA H200', basis: 'rules' });
    expect(advice.fixes.map(({ rule }) => rule)).toEqual(kernels[0]!.findings.map(({ rule }) => rule));
    expect(advice.fixes.length).toBeGreaterThan(1);
  });

  it('ranks anew when sessions say that the first fix brings nothing', async () => {
    const before = await ask({ kernel: 'busy', profile: SPILLED });
    const [first] = before.fixes;
    const sessions = Array.from({ length: 8 }, (_, at) =>
      session(`s${at}`, {
        kernel: 'busy',
        kind: 'doubled',
        tries: [attempt(first!.rule, -2, { rule_gain_pct: first!.rule_gain_pct })],
      }),
    );
    const after = await ask({ kernel: 'busy', profile: SPILLED, sessions: () => Promise.resolve(sessions) });
    expect(after.basis).toBe('recorded');
    expect(after.fixes[0]!.rule).not.toBe(first!.rule);
    expect(after.fixes.find(({ rule }) => rule === first!.rule)).toMatchObject({ outcomes: 8 });
  });

  it('of a healthy kernel has nothing to gain', async () => {
    const { fixes } = await ask({ kernel: 'busy', profile: join(NCU, 'copy_ok.raw.csv') });
    expect(fixes.map(({ expected_gain_pct }) => expected_gain_pct)).toEqual([0]);
  });

  it('has the prediction of the open session, and the error of those that ended', async () => {
    const sessions = [
      session('done', { outcome: { reached: true, minutes: 120, speedup: 1.3, summary: '' } }),
      session('open', { kernel: 'busy', state: 'open' }),
    ];
    const advice = await ask({ kernel: 'busy', profile: SPILLED, sessions: () => Promise.resolve(sessions) });
    expect(advice.prediction).toMatchObject({ minutes: 240 });
    expect(advice.prediction_error).toMatchObject({ sessions: 1, minutes_factor: 2 });
  });

  it('asks which kernel where several could be meant, and knows those that are not there', async () => {
    await expect(ask({ profile: SPILLED })).rejects.toMatchObject({ kind: 'usage', hint: /busy, tuned/ });
    await expect(ask({ kernel: '../x', profile: SPILLED })).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('advice from profiles of pawl', () => {
  it('takes one when told to, and finds the latest afterwards', async () => {
    const ncu = await FakeNcu.make('good');
    const profilers = { cpu: new NcuProfiler(), cuda: new NcuProfiler() };
    const now = await ask({ kernel: 'busy', measure: true, profilers, env: ncu.env, wait_s: 600 });
    expect(now.fixes[0]!.rule).toBe('uncoalesced-access');
    expect(now.profile).toMatchObject({ case: 'small' });
    const later = await ask({});
    expect(later.kernel).toBe('busy');
    expect(later.profile).toEqual(now.profile);
    expect(later.fixes).toEqual(now.fixes);
    await expect(ask({ kernel: 'tuned' })).rejects.toMatchObject({ kind: 'unavailable', hint: /--measure/ });
  });

  it('leaves out folders that hold something else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-advise-test-'));
    for (const [name, text] of [
      ['2026-01-01', '{"schema":"pawl.profile/1"}'],
      ['2026-01-02', 'not json'],
    ] as const) {
      await mkdir(join(folder, '.pawl', 'profiles', name), { recursive: true });
      await writeFile(join(folder, '.pawl', 'profiles', name, 'profile.json'), text satisfies string);
    }
    const { latestProfile } = await import('../../src/profile/latest-profile.ts');
    const none: ProfileReport | undefined = await latestProfile(folder, {});
    expect(none).toBeUndefined();
  });
});
