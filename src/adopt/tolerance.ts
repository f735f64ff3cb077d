import type { Dtype } from '../model/problem/tensor.ts';

/**
 * What later versions of a kernel may differ by, by its coarsest output. About a hundred steps of the type
 * (2^-23 for f32, 2^-10 for f16, 2^-7 for bf16): sums in another order stay below it, a wrong formula does not.
 */
const TOLERANCES: Partial<Record<Dtype, { readonly atol: string; readonly rtol: string }>> = {
  f4e2m1: { atol: '3e-1', rtol: '2e-1' },
  f8e5m2: { atol: '1e-1', rtol: '3e-1' },
  f8e4m3: { atol: '1e-1', rtol: '2e-1' },
  bf16: { atol: '1e-2', rtol: '2e-2' },
  f16: { atol: '1e-3', rtol: '1e-2' },
  f32: { atol: '1e-5', rtol: '1e-4' },
  c64: { atol: '1e-5', rtol: '1e-4' },
  f64: { atol: '1e-12', rtol: '1e-10' },
  c128: { atol: '1e-12', rtol: '1e-10' },
};

export function toleranceOf(outputs: readonly Dtype[]): string {
  const coarsest = (Object.keys(TOLERANCES) as Dtype[]).find((dtype) => outputs.includes(dtype));
  const { atol, rtol } = (coarsest && TOLERANCES[coarsest]) ?? { atol: '0', rtol: '0' };
  return `{ atol: ${atol}, rtol: ${rtol} }`;
}
