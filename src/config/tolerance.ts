import type { Dtype } from '../model/tensor.ts';
import { INTEGER_RANGES } from './problem-schema.ts';
import type { Problem } from './problem-schema.ts';

export interface Tolerance {
  readonly atol: number;
  readonly rtol: number;
  /** The calibrated rule, where the oracle has a reference to calibrate with. */
  readonly factor?: number;
}

/** Bits of the significand after the leading one (IEEE 754; bf16 is the upper half of f32). */
const FRACTION_BITS: Partial<Record<Dtype, number>> = { f64: 52, f32: 23, f16: 10, bf16: 7 };

/**
 * The problem's tolerance is meant for the problem's own types. A kernel in a coarser one rounds in larger steps, so
 * its tolerance grows with the step; in a finer one it stays as it was declared.
 */
export function toleranceOf(problem: Problem, dtype: Dtype | undefined): Tolerance {
  const { atol, rtol, factor } = problem.tolerance;
  const coarsening = coarseningOf(problem, dtype);
  return { atol: atol * coarsening, rtol: rtol * coarsening, ...(factor !== undefined && { factor }) };
}

/** How many times the problem's own tolerance a kernel in this type has. */
export function coarseningOf(problem: Problem, dtype: Dtype | undefined): number {
  return dtype === undefined ? 1 : 2 ** Math.max(0, bitsLost(problem, dtype));
}

/** Against the coarsest floating tensor that is written: its step is what the tolerance was made for. */
function bitsLost(problem: Problem, dtype: Dtype): number {
  const own = Object.values(problem.tensors)
    .filter((tensor) => tensor.role !== 'input' && INTEGER_RANGES[tensor.dtype] === undefined)
    .map((tensor) => FRACTION_BITS[tensor.dtype] ?? 0);
  return own.length === 0 ? 0 : Math.min(...own) - (FRACTION_BITS[dtype] ?? 0);
}
