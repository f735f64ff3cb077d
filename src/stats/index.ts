/** `pawl/stats`: the statistics behind Pawl's numbers, pure functions that know nothing of kernels. */
export type { BootstrapOptions, MedianInterval } from './bootstrap-median.ts';
export { BOOTSTRAP_DEFAULTS, bootstrapMedian } from './bootstrap-median.ts';
export { hierarchicalBootstrapMedian } from './hierarchical-bootstrap.ts';
export type { Histogram } from './histogram.ts';
export { histogram } from './histogram.ts';
export { qnScale } from './qn-scale.ts';
export { median, quantile, quantileOfSorted } from './quantile.ts';
export type { Random } from './random.ts';
export { nextBelow, Xoshiro128 } from './random.ts';
export type { Summary } from './summary.ts';
export { coefficientOfVariation, mean, standardDeviation, summary } from './summary.ts';
