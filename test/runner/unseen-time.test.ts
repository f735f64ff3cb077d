import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compile } from './native-build.ts';

/** What a clock claims of an interval, and what the judge saw, in ms. */
type Interval = readonly [claimed: number, seen: number];

const times = (count: number, interval: Interval): Interval[] =>
  Array.from({ length: count }, () => interval);

describe('intervals that the judge’s clock did not confirm', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-unseen-time-'));
    program = join(folder, 'check');
    await compile(['test/runner/check-unseen-time.cpp', 'runner/src/unseen_time.cpp'], program);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function look(
    intervals: readonly (Interval | 'clear')[],
    waking_ms = 0,
  ): Promise<{ count: number; verdict: string; seen: number }> {
    const { stdout } = await promisify(execFile)(program, [
      String(waking_ms),
      ...intervals.flat().map(String),
    ]);
    const [count, verdict = '', seen] = stdout.split(' ');
    return { count: Number(count), verdict, seen: Number(seen) };
  }

  it('show a clock that claims less than half in all of them', async () => {
    expect(await look(times(20, [0.4, 1]))).toEqual({ count: 20, verdict: 'gross', seen: 1 });
  });

  it('show one that claims less than three quarters only where that is much', async () => {
    expect((await look(times(20, [0.7, 1]))).verdict).toBe('gross');
    expect((await look(times(20, [0.07, 0.1]))).verdict).toBe('waits');
  });

  it('show a machine where the better quarter is nearly confirmed, however late the others are', async () => {
    const busy: Interval[] = [...times(14, [0.2, 3]), ...times(6, [0.2, 0.23])];
    expect((await look(busy)).verdict).toBe('waits');
  });

  it('leave out what CPUs that slept add to each', async () => {
    expect((await look(times(20, [0.1, 0.25]))).verdict).toBe('gross');
    expect((await look(times(20, [0.1, 0.25]), 0.12)).verdict).toBe('waits');
  });

  it('do not count in the next attempt: a machine that was busy before may be quiet now', async () => {
    const before = times(200, [0.2, 3]);
    const now = times(15, [0.2, 0.25]);
    expect((await look([...before, ...now])).verdict).toBe('gross');
    expect(await look([...before, 'clear', ...now])).toEqual({ count: 15, verdict: 'waits', seen: 0.25 });
  });
});
