import type { Kernel } from '../../config/kernel-schema.ts';
import { defaultVariant } from '../../config/constraints.ts';
import type { CasePlan } from '../../config/plan-kernel.ts';
import type { Gpu } from '../../device/gpus.ts';
import type { Target } from '../../runner/target.ts';
import { createSpace } from '../../tune/space/create-space.ts';
import type { Space } from '../../tune/space/space.ts';

/** What may be tried: the tunables of the kernel under its constraints, for this case on this device. */
export function spaceOfStudy(
  kernel: Kernel,
  plan: CasePlan,
  _device: { readonly target: Target; readonly gpu: Gpu | undefined },
): Promise<Space> {
  const parameters = Object.entries(kernel.tunables).map(([name, { values }]) => ({
    name,
    kind: values.every((value) => typeof value === 'number')
      ? ('ordered' as const)
      : values.every((value) => typeof value === 'boolean')
        ? ('boolean' as const)
        : ('categorical' as const),
    values: values.every((value) => typeof value === 'number')
      ? values.toSorted((one, other) => Number(one) - Number(other))
      : values,
  }));
  return Promise.resolve(
    createSpace({
      parameters,
      constraints: kernel.constraints.map(({ expression }) => expression),
      constants: Object.fromEntries(plan.dims.map(({ name, value }) => [name, value])),
      defaults: defaultVariant(kernel),
    }),
  );
}
