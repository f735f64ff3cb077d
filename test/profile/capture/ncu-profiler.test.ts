import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { NcuProfiler } from '../../../src/profile/capture/ncu-profiler.ts';
import type { Captured, CaptureRequest, Skipped } from '../../../src/profile/capture/profiler.ts';
import { unpacked } from '../lines/planted-lines.ts';
import { captured, captureRequest } from './captured-target.ts';
import { FakeNcu, type Behaviour } from './fake-ncu.ts';

let request: CaptureRequest;

beforeAll(async () => {
  request = await captureRequest();
});

async function capture(
  behaviour: Behaviour,
  changes: Partial<CaptureRequest> = {},
): Promise<{ outcome: Captured | Skipped; calls: string[] }> {
  const ncu = await FakeNcu.make(behaviour);
  // A folder of its own: a report of another capture must not be found.
  const folder = await mkdtemp(`${request.folder}-`);
  const outcome = await captured(new NcuProfiler(), { ...request, folder, env: ncu.env, ...changes });
  return { outcome, calls: await ncu.calls() };
}

describe('a capture with ncu', () => {
  it('keeps the report and both pages, and reads them', async () => {
    const { outcome } = await capture('good');
    if (outcome.status === 'skipped') throw new Error(outcome.message);
    expect(outcome.profile?.launches).toHaveLength(1);
    expect(outcome.profile?.launches[0]?.metrics.size).toBeGreaterThan(100);
    expect(outcome.profile?.launches[0]?.ncuRules.length).toBeGreaterThan(0);
    expect(Object.values(outcome.files).toSorted()).toEqual([
      'head.details.csv',
      'head.log',
      'head.ncu-rep',
      'head.raw.csv',
    ]);
    expect(outcome.profiler).toMatchObject({
      name: 'ncu',
      version: '2025.3.1.0',
      set: 'full',
      clock_control: 'none',
      cache_control: 'all',
    });
    expect(outcome.device).toMatchObject({ kind: 'cpu' });
  });

  it('reads samples by line from the source page and the code that the report has', async () => {
    const ncu = await FakeNcu.make('good');
    await writeFile(join(ncu.folder, 'source.csv'), unpacked('faulty', 'header-row-sum.source.csv'));
    const code = unpacked('faulty', 'header-row-sum.cubin');
    await writeFile(join(ncu.folder, 'head'), Buffer.concat([Buffer.from('uncoalesced_load\n'), code]));
    const folder = await mkdtemp(`${request.folder}-`);
    const outcome = await captured(new NcuProfiler(), { ...request, folder, env: ncu.env });
    if (outcome.status === 'skipped') throw new Error(outcome.message);
    expect(outcome.files['source']).toBe('head.source.csv');
    expect(outcome.lines).toHaveLength(1);
    expect(outcome.lines?.[0]?.table.kernel).toBe('_Z7plantedPKfPfi');
    expect(outcome.lines?.[0]?.lines?.length).toBeGreaterThan(10);
  });

  it('leaves clocks alone, flushes caches for cold and not for hot, and profiles only what the runner marks', async () => {
    const cold = await capture('good');
    expect(cold.calls[1]).toMatch(
      /--set full .*--clock-control none --cache-control all --profile-from-start off/,
    );
    const hot = await capture('good', { cold: false, set: 'fast' });
    expect(hot.calls[1]).toMatch(
      /--section SourceCounters --metrics \S*gpu__time_duration.sum\S* .*--cache-control none/,
    );
  });

  it('waits for a report that is written after the runner has ended', async () => {
    const { outcome } = await capture('late');
    expect(outcome.status).toBe('captured');
  });

  it.each([
    ['permission', 'no-permission', /NVreg_RestrictProfilingToAdminUsers/],
    ['unsupported', 'unsupported-device', /--list-chips/],
    ['busy', 'busy', /dcgmi/],
    ['broken', 'profiler-failed', /doctor/],
    ['crash', 'profiler-failed', /doctor/],
    ['nothing', 'nothing-profiled', /launch/],
    ['unreadable', 'nothing-profiled', /newer/],
  ] as const)('an ncu with "%s" is skipped as %s, with a remedy', async (behaviour, reason, remedy) => {
    const { outcome } = await capture(behaviour);
    expect(outcome).toMatchObject({ status: 'skipped', reason });
    if (outcome.status === 'skipped') expect(`${outcome.message} ${outcome.remedy}`).toMatch(remedy);
  });

  it('a metric that this ncu lacks costs that metric, and not the profile', async () => {
    const { outcome, calls } = await capture('lacking', { set: 'fast' });
    if (outcome.status === 'skipped') throw new Error(outcome.message);
    expect(outcome.notes.join()).toMatch(
      /lacks derived__memory_l1_wavefronts_shared_excessive, derived__memory_l2_theoretical_sectors_global_excessive/,
    );
    const [, ...asked] = calls.filter((call) => call.includes('--metrics'));
    expect(asked.at(-1)).toContain('gpu__time_duration.sum');
    expect(asked.at(-1)).not.toContain('shared_excessive');
  });

  it('a profiler that hangs is given up after the time-out', async () => {
    const { outcome } = await capture('hang', { timeout_ms: 1500 });
    expect(outcome).toMatchObject({ status: 'skipped', reason: 'timed-out' });
  });

  it('Ctrl-C ends it', async () => {
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(), 500);
    const { outcome } = await capture('hang', { signal: aborter.signal });
    expect(outcome).toMatchObject({ status: 'skipped', reason: 'interrupted' });
  });

  it('an ncu that is not there is a reason, not an error', async () => {
    const outcome = await captured(new NcuProfiler(), { ...request, env: { PAWL_NCU: '/nowhere/ncu' } });
    expect(outcome).toMatchObject({ status: 'skipped', reason: 'no-profiler' });
    expect(await readdir(request.folder)).toEqual([]);
  });
});
