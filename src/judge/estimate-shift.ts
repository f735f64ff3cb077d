import type { Shift } from '../stats/yuen.ts';
import { mean } from '../stats/summary.ts';
import { yuenShift } from '../stats/yuen.ts';

/** Below this many processes on a side their spread is not estimated but assumed. */
export const PROCESSES_TO_MEASURE_NOISE = 3;

/**
 * From this many processes on, a fifth is cut off at each end: one process in a bad mood then costs nothing. With
 * fewer, trimming leaves so little that the interval is wider than with the outlier in it, and for processes that
 * fall into two groups it is wrong: with five a side, 3.4 % false alarms where 0.5 % are meant.
 */
const PROCESSES_TO_TRIM = 7;
const TRIMMED_SHARE = 0.2;

/**
 * For one or two processes per side: a standard deviation of 10 %, which is that of the process medians of the
 * noisiest of four attention shapes on an H200 (bench/data/h200-attention.json, S=128), with the heavy tails of
 * Student's t with 3 degrees of freedom, because that file's rare slow processes are off by up to 56 %.
 */
export const ASSUMED_SD = 0.1;
export const ASSUMED_DEGREES = 3;

export function noiseIsMeasured(baseline: number, candidate: number): boolean {
  return Math.min(baseline, candidate) >= PROCESSES_TO_MEASURE_NOISE;
}

/** The same share on both sides: a mean and a trimmed mean of one skewed distribution are not the same thing. */
export function trimmedShare(baseline: number, candidate: number): number {
  return Math.min(baseline, candidate) < PROCESSES_TO_TRIM ? 0 : TRIMMED_SHARE;
}

/** How much larger the candidate's levels are than the baseline's, one value a process. */
export function estimateShift(baseline: ArrayLike<number>, candidate: ArrayLike<number>): Shift {
  if (noiseIsMeasured(baseline.length, candidate.length)) {
    return yuenShift(baseline, candidate, trimmedShare(baseline.length, candidate.length));
  }
  const first = mean(baseline);
  const second = mean(candidate);
  const value = ASSUMED_SD * Math.sqrt(1 / baseline.length + 1 / candidate.length);
  return {
    difference: second - first,
    first,
    second,
    errors: [{ value, degreesOfFreedom: ASSUMED_DEGREES }],
  };
}
