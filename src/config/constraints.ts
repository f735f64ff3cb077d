import type { DeviceLimits } from '../model/device/device-limits.ts';
import type { Variant } from '../model/problem/variant.ts';
import type { Constraint, Kernel } from './kernel-schema.ts';
import type { CasePlan } from './plan-case.ts';

/** The variant that a kernel has when nothing else is said. */
export function defaultVariant(kernel: Pick<Kernel, 'tunables'>): Variant {
  return Object.fromEntries(
    Object.entries(kernel.tunables).map(([name, tunable]) => [name, tunable.default]),
  );
}

/** What a constraint may name besides tunables. */
export interface Surroundings {
  readonly cases: readonly Pick<CasePlan, 'name' | 'dims'>[];
  /** Absent where the device is not known yet: what names a limit is then not asked. */
  readonly limits?: DeviceLimits;
}

export interface BrokenConstraint {
  readonly constraint: Constraint;
  /** The case in which it does not hold, where it names a dimension. */
  readonly caseName?: string;
}

/**
 * The first constraint that a variant breaks: one that names dimensions has to hold in each of the cases.
 *
 * @throws {ExpressionError} when one cannot be computed
 */
export function brokenConstraint(
  kernel: Pick<Kernel, 'constraints'>,
  variant: Variant,
  { cases, limits = {} }: Surroundings,
): BrokenConstraint | undefined {
  const dims = new Set(cases.flatMap((one) => one.dims.map(({ name }) => name)));
  for (const constraint of kernel.constraints) {
    const { expression } = constraint;
    const names = expression.names.map(({ name }) => name).filter((name) => !Object.hasOwn(variant, name));
    if (names.some((name) => !dims.has(name) && !Object.hasOwn(limits, name))) continue;
    if (!names.some((name) => dims.has(name))) {
      if (!expression.holds({ ...limits, ...variant })) return { constraint };
      continue;
    }
    for (const one of cases) {
      if (expression.holds({ ...limits, ...dimValues(one), ...variant })) continue;
      return { constraint, caseName: one.name };
    }
  }
  return undefined;
}

/** The tunables that do not apply and are not at their default anyway. @throws {ExpressionError} */
export function idleTunables(kernel: Pick<Kernel, 'tunables'>, variant: Variant): string[] {
  return Object.entries(kernel.tunables).flatMap(([name, tunable]) => {
    const applies = tunable.when === undefined || tunable.when.holds(variant);
    return applies || variant[name] === tunable.default ? [] : [name];
  });
}

export function dimValues({ dims }: Pick<CasePlan, 'dims'>): Record<string, number> {
  return Object.fromEntries(dims.map(({ name, value }) => [name, value]));
}

/** `` `BLOCK_M <= 64` (fits L1)``, `` `S % BLOCK_M == 0` in case ragged_200``. */
export function constraintText({ constraint, caseName }: BrokenConstraint): string {
  const { expression, why } = constraint;
  const where = caseName === undefined ? '' : ` in case ${caseName}`;
  return `\`${expression.source}\`${why === undefined ? '' : ` (${why})`}${where}`;
}
