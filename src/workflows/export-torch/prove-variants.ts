import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { KernelPlan } from '../../config/plan-kernel.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { TorchProof } from '../../model/reports/torch-export.ts';
import { variantText } from '../../model/problem/variant.ts';
import type { RunContext } from '../../os/run-context.ts';
import { fuzz } from '../runs/fuzz.ts';

export interface ProveOptions extends RunContext {
  /** pawl.yaml. */
  readonly config: string;
  /** Cases to generate for each variant. */
  readonly count: number;
  readonly gpu?: number;
  readonly wait_s?: number;
}

/** Every variant against the oracle: what once failed, declared cases, and generated ones. */
export async function proveVariants(
  plans: readonly KernelPlan[],
  options: ProveOptions,
): Promise<NonNullable<TorchProof['fuzz']>> {
  const { config, count, ...rest } = options;
  const scratch = await mkdtemp(join(tmpdir(), 'pawl-export-'));
  const proven: NonNullable<TorchProof['fuzz']> = [];
  try {
    for (const plan of plans) {
      const out = join(scratch, 'report.html');
      const variant = plan.variant;
      const { report } = await fuzz({ ...rest, config, only: [plan.name], variant, count, save: false, out });
      const [kernel] = report.kernels;
      if (kernel === undefined || report.result !== 'passed') throw unproven(plan, report.result, kernel);
      const passed = Object.values(kernel.counts).reduce((sum, each) => sum + each.passed, 0);
      if (passed === 0) throw unproven(plan, 'undecided', kernel);
      proven.push({
        kernel: kernel.kernel,
        variant: kernel.variant,
        counts: kernel.counts,
        duration_s: kernel.duration_s,
        seed: report.seed,
        passed,
        ...(kernel.worst === undefined ? {} : { worst_share: kernel.worst.share }),
      });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return proven;
}

type Fuzzed = Awaited<ReturnType<typeof fuzz>>['report'];

function unproven(
  { name, variant }: KernelPlan,
  result: Fuzzed['result'],
  kernel: Fuzzed['kernels'][number] | undefined,
): PawlError {
  const label = variantText(variant) === '' ? name : `${name} (${variantText(variant)})`;
  const [failure] = kernel?.failures ?? [];
  if (failure !== undefined) {
    return new PawlError(
      'bad-data',
      `${label} is wrong, so it is not exported: ${failure.message}`,
      `Fix it, starting with: ${failure.replay}`,
    );
  }
  const why = kernel?.absence?.message ?? kernel?.stopped ?? 'none of its cases finished';
  return new PawlError(
    result === 'failed' ? 'bad-data' : 'unavailable',
    `${label} could not be compared with its oracle here: ${why}`,
    'Export it on the machine where it was measured, or rely on the results in the baseline: --no-fuzz',
  );
}
