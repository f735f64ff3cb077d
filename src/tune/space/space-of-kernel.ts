import { constraintText, defaultVariant, dimValues } from '../../config/constraints.ts';
import type { Kernel, Tunable } from '../../config/kernel-schema.ts';
import type { CasePlan } from '../../config/plan-case.ts';
import { DEVICE_LIMITS, type DeviceLimit, type DeviceLimits } from '../../model/device/device-limits.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { staticConstraints, type GatedKernel } from '../gates/static-constraints.ts';
import { createSpace } from './create-space.ts';
import type { FeasibleSpace } from './feasible-space.ts';
import type { NamedConstraint, SpaceParameter } from './rule.ts';

export interface KernelSpaceOptions {
  /** A variant is tried in all of them, so it has to satisfy what names their dimensions in each. */
  readonly cases: readonly Pick<CasePlan, 'name' | 'dims'>[];
  readonly limits: DeviceLimits;
  /** Leave out what the static gates would reject; true unless given. */
  readonly gated?: boolean;
}

export type TunedKernel = Pick<Kernel, 'tunables' | 'constraints'> & GatedKernel;

/**
 * What a search of a kernel chooses from, on a device.
 *
 * @throws {PawlError} of kind `configuration` for a constraint that names a limit which the device does not tell
 */
export function spaceOfKernel(kernel: TunedKernel, options: KernelSpaceOptions): FeasibleSpace {
  const { cases, limits, gated = true } = options;
  const dims = new Set(cases.flatMap((one) => one.dims.map(({ name }) => name)));
  const isKnown = (name: string) =>
    Object.hasOwn(kernel.tunables, name) || dims.has(name) || Object.hasOwn(limits, name);
  const written = kernel.constraints.map((constraint): NamedConstraint => {
    const { expression } = constraint;
    const missing = expression.names.find(({ name }) => !isKnown(name));
    if (missing !== undefined) throw unknownLimit(missing.name, constraintText({ constraint }));
    return { expression, text: constraintText({ constraint }) };
  });
  const gates = gated ? staticConstraints(kernel, limits) : [];
  return createSpace({
    parameters: Object.entries(kernel.tunables).map(([name, tunable]) => parameterOf(name, tunable)),
    constraints: [
      ...written,
      ...gates.filter(({ expression }) => expression.names.every(({ name }) => isKnown(name))),
    ],
    constants: limits,
    cases: cases.map((one) => ({ name: one.name, dims: dimValues(one) })),
    defaults: defaultVariant(kernel),
  });
}

function parameterOf(name: string, { kind, values, when }: Tunable): SpaceParameter {
  const sorted = kind === 'ordered' ? [...values].sort((a, b) => Number(a) - Number(b)) : values;
  return { name, kind, values: sorted, ...(when !== undefined && { when }) };
}

function unknownLimit(name: string, constraint: string): PawlError {
  const meaning = Object.hasOwn(DEVICE_LIMITS, name) ? ` (${DEVICE_LIMITS[name as DeviceLimit]})` : '';
  return new PawlError(
    'configuration',
    `The constraint ${constraint} names ${name}${meaning}, which is unknown for this device.`,
    'Give the limits of the device by name or in a file, or remove the constraint.',
  );
}
