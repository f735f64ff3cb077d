import { defined } from '../../../model/defined.ts';
import { dimValues } from '../../../config/constraints.ts';
import { pick, planKernel, type KernelPlan } from '../../../config/plan-kernel.ts';
import { deviceLimits } from '../../../device/device-limits.ts';
import { listGpus } from '../../../device/gpus.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import type { DeviceInfo } from '../../../model/device/device.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import { PawlError } from '../../../model/pawl-error.ts';
import type { Kernel } from '../../../config/kernel-schema.ts';
import { launchNeeds } from '../../../tune/gates/launch-needs.ts';
import { entryName, variantResources } from '../../../tune/gates/variant-resources.ts';
import { buildKernels } from '../../runs/build-kernels.ts';
import { trialGates } from '../../../tune/gates/trial-gates.ts';
import { planOf, takenAt, type EvidenceContext } from './evidence-context.ts';

type Missing = NonNullable<Evidence['missing']>[number];

/**
 * What the default variant asks of the device, by the formulas of pawl.yaml. It is compiled only where they do not say
 * what shared memory a block takes: the compiler knows that.
 */
export async function resourcesEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const plan = planOf(context);
  const kernel = pick(context.loaded.config.kernels, context.kernel, 'kernel');
  const isGpu = plan.device === 'cuda';
  const { info, free_bytes } = await deviceOf(plan, context);
  const limits = deviceLimits(info);
  const asked = plan.cases.map((one) => ({
    name: one.name,
    needs: launchNeeds(kernel, plan.variant, dimValues(one), limits),
    rejected: trialGates(kernel, one, { info, free_bytes }).beforeBuild(plan.variant),
  }));
  const hungriest = asked
    .filter(({ needs }) => needs.dynamic_smem_bytes !== undefined)
    .toSorted((one, other) => other.needs.dynamic_smem_bytes! - one.needs.dynamic_smem_bytes!)[0];
  const rejected = asked.find((one) => one.rejected !== undefined);
  const rejection =
    brokenConstraint(context, limits) ??
    (rejected?.rejected && `${rejected.name}: ${rejected.rejected.message}`);
  const missing: Missing[] = [];
  const isUnsaid = isGpu && plan.language !== 'python' && hungriest === undefined;
  const compiled_bytes = isUnsaid ? await staticSharedMemory(plan, kernel, info, context) : undefined;
  if (isGpu && hungriest === undefined && compiled_bytes === undefined) {
    missing.push({
      facts: ['smem_bytes'],
      why: `Neither pawl.yaml nor the compiler says how much shared memory a block of ${plan.name} uses: add \`shared_memory\` to it (0 if it is all static).`,
      next: 'pawl preflight',
    });
  }
  if (isGpu && limits.SMEM_PER_BLOCK_OPTIN === undefined) {
    missing.push({
      facts: ['smem_limit_bytes'],
      why: 'This machine does not have the device, and `arch` in pawl.yaml does not name one.',
      next: 'pawl doctor --require gpu',
    });
  }
  return evidenceOf('resources', taken, {
    facts: {
      is_gpu: isGpu,
      is_native: plan.language !== 'python',
      smem_bytes: hungriest?.needs.dynamic_smem_bytes ?? compiled_bytes,
      smem_case: hungriest?.name ?? (compiled_bytes === undefined ? undefined : 'every case'),
      smem_limit_bytes: limits.SMEM_PER_BLOCK_OPTIN,
      block_threads: asked[0]?.needs.threads,
      fits: rejection === undefined,
      rejection,
    },
    sources: [{ file: context.loaded.path }],
    lines: [
      rejection ?? `the default variant of ${plan.name} is within the limits that are known`,
      ...(compiled_bytes === undefined
        ? []
        : [
            `${compiled_bytes} bytes of static shared memory, by the compiler; pawl.yaml declares no dynamic shared memory`,
          ]),
    ],
    missing,
  });
}

/** By the compiler, of the hungriest function; undefined where it does not build here or does not tell. */
async function staticSharedMemory(
  plan: KernelPlan,
  kernel: Kernel,
  { compute_capability: computeCapability }: DeviceInfo,
  { loaded, env, signal, onProgress }: EvidenceContext,
): Promise<number | undefined> {
  const { kernels } = await buildKernels({
    loaded,
    only: [plan.name],
    ...defined({ env, signal, onProgress, computeCapability }),
  });
  const own = kernels.find(({ part }) => part === 'kernel');
  if (own === undefined || !('resources' in own) || own.resources.length === 0) return undefined;
  const [first] = plan.cases;
  const entry = entryName(kernel.entry, plan.variant, first === undefined ? {} : dimValues(first));
  return variantResources(own.resources, {}, undefined, entry).smem_bytes;
}

/** The GPU here; where there is none, what the architecture that is built for implies. */
async function deviceOf(
  plan: KernelPlan,
  { env, gpu: index = 0 }: EvidenceContext,
): Promise<{ readonly info: DeviceInfo; readonly free_bytes: number | undefined }> {
  if (plan.device === 'cpu') return { info: { kind: 'cpu' }, free_bytes: undefined };
  const list = await listGpus(defined({ env }));
  const gpu = list.status === 'found' ? list.gpus.find(({ info }) => info.index === index) : undefined;
  if (gpu !== undefined) {
    const { memory_bytes: all } = gpu.info;
    const used = gpu.state.memory_used_bytes;
    return { info: gpu.info, free_bytes: all === undefined || used === undefined ? undefined : all - used };
  }
  const arch = plan.arch === 'auto' ? undefined : plan.arch[0];
  const [, major, minor] = /^(?:sm|compute)_(\d+)(\d)[a-z]?$/.exec(arch ?? '') ?? [];
  const known = major === undefined ? {} : { compute_capability: `${major}.${minor ?? ''}` };
  return { info: { kind: 'cuda', ...known }, free_bytes: undefined };
}

function brokenConstraint(
  { loaded, kernel }: EvidenceContext,
  limits: ReturnType<typeof deviceLimits>,
): string | undefined {
  try {
    planKernel(loaded, kernel, { limits });
    return undefined;
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return error.message.replace(/\.$/, '');
  }
}
