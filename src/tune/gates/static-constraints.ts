import { Expression } from '../../config/expression/expression.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import type { ComputeCapability } from '../../device/compute-capability.ts';
import { WARP_SIZE } from '../../device/compute-capability.ts';
import type { DeviceLimits } from '../../model/device/device-limits.ts';
import { gateSettings } from './gate.ts';
import { capabilityOf, limitOf } from './static-gate.ts';

/** A static gate as a constraint of the space: a search then does not spend trials on what it would reject. */
export interface StaticConstraint {
  readonly expression: Expression;
  readonly text: string;
}

export type GatedKernel = Pick<
  Kernel,
  'gates' | 'block_threads' | 'blocks_per_sm' | 'registers' | 'shared_memory' | 'prefetch'
>;

/**
 * What `staticGate` asks of threads, shared memory, registers and occupancy; device memory is asked of each case
 * instead.
 */
export function staticConstraints(kernel: GatedKernel, limits: DeviceLimits): StaticConstraint[] {
  const settings = gateSettings(kernel.gates);
  const { block_threads: threads, shared_memory: smem, registers, blocks_per_sm: blocks } = kernel;
  const found: (StaticConstraint | undefined)[] = [
    threads &&
      atMost(
        'too_many_threads',
        threads.source,
        limitOf(settings.too_many_threads, limits.MAX_THREADS_PER_BLOCK),
      ),
    smem &&
      atMost('smem_overflow', smem.source, limitOf(settings.smem_overflow, limits.SMEM_PER_BLOCK_OPTIN)),
    registers &&
      atMost(
        'too_many_registers',
        registers.source,
        limitOf(settings.too_many_registers, limits.MAX_REGS_PER_THREAD),
      ),
    registers && threads && settings.too_many_registers !== undefined
      ? atMost(
          'too_many_registers',
          `ceildiv(${registers.source}, 8) * 8 * ceildiv(${threads.source}, 32) * 32 * (${blocks?.source ?? '1'})`,
          limits.REGS_PER_SM,
        )
      : undefined,
    ...occupancyConstraints(kernel, limits),
  ];
  return found.flatMap((one) => one ?? []);
}

function occupancyConstraints(kernel: GatedKernel, limits: DeviceLimits): StaticConstraint[] {
  const { low_occupancy: least, low_occupancy_no_prefetch: leastWithout } = gateSettings(kernel.gates);
  const { block_threads: threads, shared_memory: smem, prefetch } = kernel;
  const capability = capabilityOf(limits);
  if (threads === undefined || capability === undefined) return [];
  const bound_pct = occupancyBound(capability, threads.source, smem?.source ?? '0');
  const found: StaticConstraint[] = [];
  if (typeof least === 'number') {
    found.push({
      expression: Expression.parse(`${bound_pct} >= ${least}`),
      text: `gate low_occupancy: occupancy by \`block_threads\` and \`shared_memory\` ≥ ${least} %`,
    });
  }
  if (prefetch !== undefined && typeof leastWithout === 'number') {
    found.push({
      expression: Expression.parse(`(${prefetch.source}) or ${bound_pct} >= ${leastWithout}`),
      text: `gate low_occupancy_no_prefetch: \`${prefetch.source}\`, or occupancy by \`block_threads\` and \`shared_memory\` ≥ ${leastWithout} %`,
    });
  }
  return found;
}

/** `occupancy`, in percent and without registers and barriers, as a formula. */
function occupancyBound(capability: ComputeCapability, threads: string, smem: string): string {
  const { warps_per_sm, blocks_per_sm, smem_per_sm_bytes, smem_reserved_bytes, smem_step_bytes } = capability;
  const warps = `ceildiv(${threads}, ${WARP_SIZE})`;
  const allocated = `ceildiv((${smem}) + ${smem_reserved_bytes}, ${smem_step_bytes}) * ${smem_step_bytes}`;
  const blocks = `min(${blocks_per_sm}, ${warps_per_sm} // ${warps}, ${smem_per_sm_bytes} // max(1, ${allocated}))`;
  return `100 * ${blocks} * ${warps} / ${warps_per_sm}`;
}

function atMost(gate: string, formula: string, limit: number | undefined): StaticConstraint | undefined {
  if (limit === undefined) return undefined;
  const expression = Expression.parse(`(${formula}) <= ${limit}`);
  return { expression, text: `gate ${gate}: \`${formula}\` ≤ ${limit.toLocaleString('en-US')}` };
}
