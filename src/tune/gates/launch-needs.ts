import type { Expression } from '../../config/expression/expression.ts';
import type { Scope } from '../../config/expression/evaluate-expression.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import { defined } from '../../model/defined.ts';
import type { DeviceLimits } from '../../model/device/device-limits.ts';
import type { Variant } from '../../model/problem/variant.ts';

/** What a variant will ask of the device in one case, as its kernel's formulas tell; absent where none does. */
export interface LaunchNeeds {
  readonly threads?: number;
  /** Blocks that a multiprocessor must hold at once. */
  readonly blocks_per_sm?: number;
  readonly registers?: number;
  /** Dynamic shared memory of a block. */
  readonly dynamic_smem_bytes?: number;
  readonly scratch_bytes?: number;
  readonly prefetch?: boolean;
}

export type LaunchFormulas = Pick<
  Kernel,
  'block_threads' | 'blocks_per_sm' | 'registers' | 'shared_memory' | 'scratch' | 'prefetch'
>;

/**
 * A formula that names a limit which the device does not tell is left out.
 *
 * @throws {ExpressionError} where a formula has no value for the variant
 */
export function launchNeeds(
  kernel: LaunchFormulas,
  variant: Variant,
  dims: Readonly<Record<string, number>>,
  limits: DeviceLimits,
): LaunchNeeds {
  const scope: Scope = { ...limits, ...dims, ...variant };
  const isKnown = (formula: Expression | undefined): formula is Expression =>
    formula !== undefined && formula.names.every(({ name }) => Object.hasOwn(scope, name));
  const number = (formula: Expression | undefined) =>
    isKnown(formula) ? formula.evaluateNumber(scope) : undefined;
  return defined({
    threads: number(kernel.block_threads),
    blocks_per_sm: number(kernel.blocks_per_sm),
    registers: number(kernel.registers),
    dynamic_smem_bytes: number(kernel.shared_memory),
    scratch_bytes: number(kernel.scratch),
    prefetch: isKnown(kernel.prefetch) ? kernel.prefetch.holds(scope) : undefined,
  });
}
