import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { loadConfig } from '../../../src/config/load-config.ts';
import type { BaselineEntry } from '../../../src/model/judge/baseline.ts';
import {
  COMPARISON_SCHEMA,
  type CaseComparison,
  type Comparison,
} from '../../../src/model/judge/comparison.ts';
import { profileReportSchema } from '../../../src/model/profile/profile-report.ts';
import { NcuProfiler } from '../../../src/profile/capture/ncu-profiler.ts';
import type { CaptureRequest, Skipped, Taken } from '../../../src/profile/capture/profiler.ts';
import { renderProfile } from '../../../src/report/terminal/profile-terminal.ts';
import { autoProfile } from '../../../src/workflows/check/auto-profile.ts';
import { profileKernel, type ProfileOptions } from '../../../src/workflows/runs/profile.ts';
import { FakeNcu, type Behaviour } from '../../profile/capture/fake-ncu.ts';
import { busyKernel, CompareProject } from '../compare-project.ts';

/** CPU kernels under the stand-in for ncu: all but the profiler is real. */
const profilers = { cpu: new NcuProfiler(), cuda: new NcuProfiler() };

// Another test may hold the device.
vi.setConfig({ testTimeout: 600_000 });

let project: CompareProject;

beforeAll(async () => {
  project = await CompareProject.create();
  await project.write('src/busy.cpp', busyKernel(200_000));
});

async function profile(behaviour: Behaviour, options: Partial<ProfileOptions> = {}) {
  const ncu = await FakeNcu.make(behaviour);
  const report = await profileKernel({
    config: project.folder,
    kernel: 'busy',
    profilers,
    env: ncu.env,
    wait_s: 600,
    ...options,
  });
  expect(profileReportSchema.safeParse(report).error).toBeUndefined();
  return report;
}

/** Profiles in passing whenever it reads what it took: that waits for no device, so the device must be free. */
class ReadingElsewhere extends NcuProfiler {
  readonly meanwhile: unknown[] = [];

  override async take(request: CaptureRequest): Promise<Taken | Skipped> {
    const taken = await super.take(request);
    if (taken.status === 'skipped') return taken;
    const read = async () => {
      this.meanwhile.push((await profile('good', { wait_s: 0 })).skipped);
      return taken.read();
    };
    return { status: 'taken', read };
  }
}

describe('a profile of one revision', () => {
  it('holds the device only until it is taken, and is read without it', async () => {
    const cpu = new ReadingElsewhere();
    const report = await profile('good', { profilers: { cpu, cuda: cpu } });
    expect(cpu.meanwhile).toEqual([undefined]);
    expect(report.head?.diagnosis?.kernels).toHaveLength(1);
  });

  it('writes the profile with its diagnosis below .pawl/profiles', async () => {
    const report = await profile('good');
    expect(report.head?.diagnosis?.kernels[0]?.findings[0]?.rule).toBe('uncoalesced-access');
    expect(report.head).toMatchObject({ launches: 1, dirty: true, device: { kind: 'cpu' } });
    expect(report.folder).toMatch(/\.pawl\/profiles\/.*-busy-small$/);
    const files = await readdir(report.folder ?? '');
    expect(files).toEqual(expect.arrayContaining(['head.ncu-rep', 'head.raw.csv', 'profile.json']));
    const written: unknown = JSON.parse(await readFile(join(report.folder ?? '', 'profile.json'), 'utf8'));
    expect(profileReportSchema.parse(written).head?.profiler.command.join(' ')).toContain('--set full');
    const text = renderProfile(report, { columns: 100 });
    expect(text).toContain('uncoalesced-access');
    expect(text).toContain('clocks as they are');
  });

  it('without permission says why and what to do, and throws nothing', async () => {
    const report = await profile('permission');
    expect(report.head).toBeUndefined();
    expect(report.skipped).toMatchObject({ reason: 'no-permission' });
    expect(renderProfile(report)).toMatch(/not profiled: .*\n.*→/s);
  });

  it('of a kernel that pawl.yaml does not have is a mistake', async () => {
    await expect(profile('good', { kernel: 'bussy' })).rejects.toThrow(/bussy/);
  });
});

describe('a profile of two revisions', () => {
  it('captures both and says in one sentence what changed', async () => {
    const report = await profile('good', { base: 'base' });
    expect(report.base?.commit).toBe(project.git('rev-parse', 'base').trim());
    expect(report.base?.files['raw']).toBe('base.raw.csv');
    expect(report.comparisons).toHaveLength(1);
    expect(report.summary).toBe(report.comparisons?.[0]?.summary);
    expect(report.summary).toMatch(/slower/);
    expect(renderProfile(report)).toContain(report.summary?.slice(0, 20));
  });
});

describe('profiles of what a check found', () => {
  const estimated = (
    kernel: string,
    change_pct: number,
    verdict: CaseComparison['verdict'],
  ): CaseComparison =>
    ({
      state: 'estimated',
      kernel,
      case: 'small',
      mode: 'hot',
      verdict,
      reason: 'as measured.',
      baseline_ms: 1,
      candidate_ms: 1 - change_pct / 100,
      change_pct,
      ci_pct: [change_pct - 1, change_pct + 1],
      level: 0.95,
      processes: [10, 10],
      p: 0.001,
      p_adjusted: 0.001,
      delta: 1,
    }) as unknown as CaseComparison;

  const comparison = (cases: CaseComparison[]): Comparison => ({
    schema: COMPARISON_SCHEMA,
    verdict: 'regressed',
    thresholds: { regression_pct: 3, improvement_pct: 5 },
    correction: 'holm',
    error_rates: { false_alarm: 0.05, miss: 0.05 },
    cases,
    missing: [],
  });

  async function explained(behaviour: Behaviour, cases: CaseComparison[], when: 'auto' | 'never' = 'auto') {
    const ncu = await FakeNcu.make(behaviour);
    const entry = { provenance: { commit: project.git('rev-parse', 'base').trim() } } as BaselineEntry;
    const checked = { kernel: 'busy', case: 'small', mode: 'hot', entry } as const;
    const before = process.env['PAWL_NCU'];
    process.env['PAWL_NCU'] = ncu.env['PAWL_NCU'];
    try {
      return await autoProfile(comparison(cases), [checked], await loadConfig(project.folder), {
        profilers,
        profile: when,
      });
    } finally {
      if (before === undefined) delete process.env['PAWL_NCU'];
      else process.env['PAWL_NCU'] = before;
    }
  }

  it('explain a regression with base and head, and leave what was maintained alone', async () => {
    const { profiles, notProfiled, times } = await explained('good', [
      estimated('tuned', 0.1, 'maintained'),
      estimated('busy', -40, 'regressed'),
    ]);
    expect(notProfiled).toEqual([]);
    expect(profiles).toHaveLength(1);
    expect(profiles[0]).toMatchObject({
      key: { kernel: 'busy', case: 'small', mode: 'hot' },
      head: { finding: { rule: 'uncoalesced-access' } },
      base: { limiter: 'dram' },
    });
    expect(profiles[0]?.summary).toMatch(/slower/);
    expect(times[0]?.device_s).toBeGreaterThan(0);
  });

  it('without a profiler are one note, however many cases changed', async () => {
    const { profiles, notProfiled } = await explained('unsupported', [
      estimated('busy', -40, 'regressed'),
      estimated('tuned', -30, 'regressed'),
    ]);
    expect(profiles).toEqual([]);
    expect(notProfiled).toHaveLength(1);
  });

  it('are not taken where nobody wants them', async () => {
    expect(await explained('good', [estimated('busy', -40, 'regressed')], 'never')).toMatchObject({
      profiles: [],
      notProfiled: [],
    });
  });
});
