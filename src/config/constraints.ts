import type { Variant } from '../model/variant.ts';
import type { Constraint, Kernel } from './kernel-schema.ts';

/** The variant that a kernel has when nothing else is said. */
export function defaultVariant(kernel: Pick<Kernel, 'tunables'>): Variant {
  return Object.fromEntries(
    Object.entries(kernel.tunables).map(([name, tunable]) => [name, tunable.default]),
  );
}

/** The first constraint that a variant breaks. @throws {ExpressionError} when one cannot be computed */
export function brokenConstraint(
  kernel: Pick<Kernel, 'constraints'>,
  variant: Variant,
): Constraint | undefined {
  return kernel.constraints.find(({ expression }) => !expression.holds(variant));
}

/** `` `BLOCK_M <= 64` (fits L1)``. */
export function constraintText(constraint: Constraint): string {
  const { expression, why } = constraint;
  return `\`${expression.source}\`${why === undefined ? '' : ` (${why})`}`;
}
