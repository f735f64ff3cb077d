import { defined } from '../../model/defined.ts';
import type { ComputeCapability } from '../../device/compute-capability.ts';
import type { KernelResources } from '../../model/reports/build-report.ts';
import type { Resources } from '../../model/tune/study.ts';
import type { TunableValue, Variant } from '../../model/problem/variant.ts';
import type { LaunchNeeds } from './launch-needs.ts';
import { occupancy } from '../../device/occupancy.ts';

/**
 * What a built variant uses. A library may hold several GPU functions (one for each depth, say): `entry` names the ones
 * that matter by a part of their name; without it, or where none has it, the hungriest counts.
 *
 * @param capability of the device; without it there is no occupancy
 */
export function variantResources(
  functions: readonly KernelResources[],
  needs: LaunchNeeds,
  capability: ComputeCapability | undefined,
  entry?: string,
): Resources {
  const named = functions.filter((one) => entry !== undefined && one.function.includes(entry));
  const relevant = named.length > 0 ? named : functions;
  const { threads, dynamic_smem_bytes } = needs;
  const launch = defined({ threads });
  if (relevant.length === 0) {
    return { ...launch, ...(dynamic_smem_bytes !== undefined && { smem_bytes: dynamic_smem_bytes }) };
  }
  const most = (read: (one: KernelResources) => number) => Math.max(...relevant.map(read));
  const registers = most((one) => one.registers);
  const smem_bytes = most((one) => one.smem_bytes) + (dynamic_smem_bytes ?? 0);
  const barriers = most((one) => one.barriers ?? 0);
  return {
    ...launch,
    registers,
    spill_bytes: most((one) => one.spill_store_bytes + one.spill_load_bytes),
    stack_bytes: most((one) => one.stack_bytes),
    smem_bytes,
    ...(capability !== undefined &&
      threads !== undefined && {
        occupancy: occupancy(capability, { threads, registers, smem_bytes, barriers }).occupancy,
      }),
  };
}

/** A kernel's `entry` with `{NAME}` replaced by the value of a tunable or dimension. */
export function entryName(
  entry: string | undefined,
  variant: Variant,
  dims: Readonly<Record<string, number>>,
): string | undefined {
  const values: Readonly<Record<string, TunableValue>> = { ...dims, ...variant };
  return entry?.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
