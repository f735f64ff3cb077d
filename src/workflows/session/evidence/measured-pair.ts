import type { Comparison } from '../../../model/judge/comparison.ts';
import type { DeviceInfo } from '../../../model/device/device.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import type { Samples } from '../../../model/measure/samples.ts';

/** One side of a case. */
export interface MeasuredSide {
  readonly median_ms?: number;
  /** What is wrong with it, or why it was not measured. */
  readonly problem?: string;
  readonly isRight: boolean;
}

export interface MeasuredCase {
  readonly case: string;
  readonly kernel: MeasuredSide;
  readonly reference: MeasuredSide;
  /** Time of the reference over that of the kernel; absent where either has none. */
  readonly speedup?: number;
}

export interface MeasuredPair {
  readonly cases: readonly MeasuredCase[];
  /** Of the kernel, and of the reference under the kernel's name: two sides of a comparison. */
  readonly samples: { readonly base: Samples; readonly head: Samples };
  readonly processes: number;
  readonly device: DeviceInfo | undefined;
  readonly device_s: number;
  readonly sources: Evidence['sources'];
  /** Judged while it was measured, where the reference is a commit. */
  readonly comparison?: Comparison;
}
