/**
 * One case over 120 commits: a driver upgrade without an effect, one that makes it faster, a tuned default, a new
 * compiler, a waived slowdown, and a last commit that is 21 % slower.
 */
import type { History } from '../../src/history/history.ts';
import { commitOf, storedRunOf, type RunOf } from './stored-run-of.ts';

export const SERIES = {
  commits: 120,
  /** Takes 4 % less with the new driver. */
  driver: 30,
  /** Takes 20 % less. */
  tuned: 60,
  /** No effect. */
  compiler: 80,
  waived: 100,
  regression: 119,
} as const;

const LEVEL_MS = 0.05;

function levelAt(at: number): number {
  const { driver, tuned, waived, regression } = SERIES;
  const factors = [
    at >= driver ? 0.96 : 1,
    at >= tuned ? 0.8 : 1,
    at >= waived ? 1.06 : 1,
    at >= regression ? 1.21 : 1,
  ];
  return factors.reduce((product, factor) => product * factor, LEVEL_MS);
}

function runOfSeries(at: number): RunOf {
  const { driver, tuned, compiler, waived } = SERIES;
  return {
    at,
    level_ms: levelAt(at),
    driver: at >= driver ? '590.10' : '580.65',
    variant: { BLOCK_M: at >= tuned ? 128 : 64, STAGES: 3 },
    compiler: at >= compiler ? 'nvcc 13.1' : 'nvcc 13.0',
    ...(at === waived ? { verdict: 'regressed' as const, waived: true } : {}),
  };
}

export async function fillSeries(history: History): Promise<void> {
  for (let at = 0; at < SERIES.commits; at++) {
    await history.put(storedRunOf(runOfSeries(at)), { commits: [commitOf(at)] });
  }
}
