/**
 * `pawl/stats`: the statistics behind Pawl's numbers, pure functions that know nothing of kernels. Functions of two
 * samples take the baseline first and the candidate second, and what they call a difference, shift or δ is positive
 * when the candidate's values are smaller: of times, when it is faster.
 */
export { benjaminiHochberg, holm } from './adjust-p.ts';
export { autocorrelation, effectiveSampleSize } from './autocorrelation.ts';
export type { BcaInterval } from './bca-bootstrap.ts';
export { bcaBootstrap } from './bca-bootstrap.ts';
export { binomialCdf, binomialUpperTail } from './binomial.ts';
export type { BootstrapMedianOptions, BootstrapOptions, MedianInterval } from './bootstrap-median.ts';
export { BOOTSTRAP_DEFAULTS, bootstrapMedian } from './bootstrap-median.ts';
export type { ChangePoint, ChangePointOptions } from './change-points.ts';
export { changePoints } from './change-points.ts';
export { cliffsDelta, cliffsDeltaBand } from './cliffs-delta.ts';
export type { DipTest } from './dip-test.ts';
export { dipTest } from './dip-test.ts';
export type { Equivalence, EquivalenceBounds } from './equivalence.ts';
export { equivalence } from './equivalence.ts';
export { halfSampleMode } from './half-sample-mode.ts';
export { hierarchicalBootstrapMedian } from './hierarchical-bootstrap.ts';
export type { Histogram } from './histogram.ts';
export { histogram } from './histogram.ts';
export type { ShiftInterval } from './hodges-lehmann.ts';
export { hodgesLehmann } from './hodges-lehmann.ts';
export { incompleteBeta } from './incomplete-beta.ts';
export type { LevelModes, LevelShift, LevelShiftOptions, LevelShifts } from './level-shifts.ts';
export { levelShifts } from './level-shifts.ts';
export { medianAbsoluteDeviation } from './median-absolute-deviation.ts';
export type { Alternative, MannWhitneyOptions, MannWhitneyResult } from './mann-whitney-u.ts';
export { mannWhitneyU } from './mann-whitney-u.ts';
export { normalCdf, normalQuantile, normalUpperTail } from './normal.ts';
export type { PermutationOptions, PermutationResult } from './permutation-test.ts';
export { permutationTest } from './permutation-test.ts';
export type { PowerOptions, ProcessesOptions } from './power.ts';
export { processesNeeded, tTestPower } from './power.ts';
export { qnScale } from './qn-scale.ts';
export { median, quantile, quantileOfSorted } from './quantile.ts';
export type { Random } from './random.ts';
export { nextBelow, Xoshiro128 } from './random.ts';
export { studentTCdf, studentTQuantile, studentTUpperTail } from './student-t.ts';
export type { Summary } from './summary.ts';
export { coefficientOfVariation, mean, standardDeviation, summary } from './summary.ts';
export type { Trend } from './trend.ts';
export { trend } from './trend.ts';
export { trimmedMean } from './trimmed-mean.ts';
export type { WelchOptions, WelchResult } from './welch-t.ts';
export { welchT } from './welch-t.ts';
export type { Shift } from './yuen.ts';
export { shiftHalfWidth, shiftPValue, shiftStandardError, yuenShift } from './yuen.ts';
