import { describe, expect, it } from 'vitest';

import { ClockWatch, waitedForCpu_ms } from '../../src/runner/clock-watch.ts';

const TAMPERED = expect.objectContaining({ reason: 'timer-tampered' });

function watch(...requests: readonly { elapsed: number; wall: number; timed?: number; waited?: number }[]) {
  return () => {
    const clocks = new ClockWatch();
    for (const { elapsed, wall, timed = 0, waited = 0 } of requests) {
      clocks.add({ elapsed_ms: elapsed, wall_ms: wall, timed_ms: timed, waited_ms: waited });
    }
  };
}

describe('ClockWatch', () => {
  it('says so when the runner counts half of what passed, request after request', () => {
    expect(watch({ elapsed: 600, wall: 300 }, { elapsed: 600, wall: 300 })).toThrow(TAMPERED);
  });

  it('says so at once when timed intervals are longer than the request they were in', () => {
    expect(watch({ elapsed: 200, wall: 200, timed: 900 })).toThrow(TAMPERED);
  });

  it('forgives one late answer among many', () => {
    const good = { elapsed: 500, wall: 490 };
    expect(watch({ elapsed: 900, wall: 400 }, good, good, { elapsed: 900, wall: 400 })).not.toThrow();
  });

  it('forgives what this process or the runner spent waiting for a CPU', () => {
    const late = { elapsed: 600, wall: 300, waited: 290 };
    expect(watch(late, late, late)).not.toThrow();
  });

  it('does not look at requests too short to tell', () => {
    const short = { elapsed: 60, wall: 5 };
    expect(watch(short, short, short)).not.toThrow();
  });

  it('asks the system how long a process waited, and takes nothing for an answer where it is gone', () => {
    expect(waitedForCpu_ms('self')).toBeGreaterThanOrEqual(0);
    expect(waitedForCpu_ms(2 ** 30)).toBe(0);
  });
});
