import { Expression } from '../../config/expression.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import type { DeviceLimits } from '../../model/device-limits.ts';
import { gateSettings } from './gate.ts';
import { limitOf } from './static-gate.ts';

/** A static gate as a constraint of the space: a search then does not spend trials on what it would reject. */
export interface StaticConstraint {
  readonly expression: Expression;
  readonly text: string;
}

/** What `staticGate` asks of threads, shared memory and registers; device memory is asked of each case instead. */
export function staticConstraints(
  kernel: Pick<Kernel, 'gates' | 'block_threads' | 'blocks_per_sm' | 'registers' | 'shared_memory'>,
  limits: DeviceLimits,
): StaticConstraint[] {
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
  ];
  return found.flatMap((one) => one ?? []);
}

function atMost(gate: string, formula: string, limit: number | undefined): StaticConstraint | undefined {
  if (limit === undefined) return undefined;
  const expression = Expression.parse(`(${formula}) <= ${limit}`);
  return { expression, text: `gate ${gate}: \`${formula}\` ≤ ${limit.toLocaleString('en-US')}` };
}
