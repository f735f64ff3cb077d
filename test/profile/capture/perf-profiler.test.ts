import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { PerfProfiler } from '../../../src/profile/capture/perf-profiler.ts';
import type { CaptureRequest } from '../../../src/profile/capture/profiler.ts';
import { captured, captureRequest } from './captured-target.ts';

/** What perf counts in software, so that it counts in a virtual machine too. */
const SOFTWARE = ['task-clock:u', 'page-faults:u'];

const hasPerf = (await new PerfProfiler(SOFTWARE).find(process.env)).status === 'found';

let request: CaptureRequest;

beforeAll(async () => {
  request = await captureRequest();
});

describe.skipIf(!hasPerf)('a capture with the perf of this machine', () => {
  it('counts the calls of the kernel alone, and says how many there were', async () => {
    const folder = await mkdtemp(`${request.folder}-`);
    const outcome = await captured(new PerfProfiler(SOFTWARE), { ...request, folder });
    if (outcome.status === 'skipped') throw new Error(`${outcome.reason}: ${outcome.message}`);
    expect(outcome.launches).toBeGreaterThan(1);
    expect(outcome.counters?.map(({ name }) => name)).toEqual(['task-clock', 'page-faults']);
    expect(await readFile(join(folder, 'head.perf.csv'), 'utf8')).toContain('task-clock');
    expect(outcome.profiler.command).toContain('--control');
  });

  it('counts or says in one sentence why it cannot', async () => {
    const outcome = await captured(new PerfProfiler(), {
      ...request,
      folder: await mkdtemp(`${request.folder}-`),
    });
    if (outcome.status === 'captured') expect(outcome.counters?.length).toBeGreaterThan(0);
    else {
      expect(['no-counters', 'no-permission']).toContain(outcome.reason);
      expect(outcome.remedy).not.toBe('');
    }
  });

  it('a kernel that fails is the kernel’s fault', async () => {
    const failing = await captureRequest('returned-error');
    const outcome = await captured(new PerfProfiler(SOFTWARE), failing);
    expect(outcome).toMatchObject({ status: 'skipped', reason: 'kernel-failed' });
  });
});

describe('a machine without perf', () => {
  it('is told to install it', async () => {
    const outcome = await captured(new PerfProfiler(), { ...request, env: { PATH: '/nowhere' } });
    expect(outcome).toMatchObject({ status: 'skipped', reason: 'no-profiler' });
  });
});
