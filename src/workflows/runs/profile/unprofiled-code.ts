/** What the compiled code of a CUDA kernel says where nothing can be counted, beside the time that it takes. */
import type { LoadedConfig } from '../../../config/load-config.ts';
import { ExpressionError } from '../../../config/expression/expression-error.ts';
import { caseValues } from '../../../config/plan-case.ts';
import type { KernelPlan } from '../../../config/plan-kernel.ts';
import { own } from '../../../config/under-judge.ts';
import type { DeviceInfo } from '../../../model/device/device.ts';
import type { MixBound } from '../../../model/profile/hot-lines.ts';
import type { ProfileReport } from '../../../model/profile/profile-report.ts';
import { isFloating, numberType } from '../../../model/problem/tensor.ts';
import { readLibraryLines } from '../../../profile/lines/read-library.ts';
import { SourceFiles } from '../../../profile/lines/source-text.ts';
import { mixBound, type CompiledFunction } from '../../../profile/lines/static-mix.ts';
import type { KnownLaunch } from '../../../profile/lines/static-occupancy.ts';
import type { PreparedSide } from '../../../rig/prepared-side.ts';
import { launchNeeds } from '../../../tune/gates/launch-needs.ts';
import { timeCall_us, type TimeCallOptions } from '../../../measure/time-call.ts';

export interface UnprofiledOptions extends TimeCallOptions {
  readonly main: LoadedConfig;
  readonly plan: KernelPlan;
  readonly env: NodeJS.ProcessEnv;
}

/** Empty for what is not a CUDA library. The device has to be held: the kernel is called. */
export async function unprofiledCode(
  { targets: [target], gpu }: PreparedSide,
  options: UnprofiledOptions,
): Promise<Pick<ProfileReport, 'static_lines' | 'mix_bound'>> {
  const { main, plan, env, signal } = options;
  const kernel = plan.device === 'cuda' ? target?.open.kernel : undefined;
  if (target === undefined || kernel === undefined || !('library' in kernel)) return {};
  const launch = launchOf(main, plan);
  const code = await readLibraryLines(kernel.library, new SourceFiles(main.root), { env, signal, launch });
  if (code === undefined) return {};
  const bound = gpu && boundOf(plan, code.functions, gpu.info);
  if (bound === undefined) return { static_lines: code.lines };
  const measured_us = await timeCall_us(target, plan.cases[0]!, options);
  const mix_bound = { ...bound, ...(measured_us === undefined ? {} : { measured_us }) };
  return { static_lines: code.lines, mix_bound };
}

/** Operations of a problem of integers are other instructions than those that are counted. */
function boundOf(
  { cases: [first] }: KernelPlan,
  functions: readonly CompiledFunction[],
  { compute_capability: capability, sm_count, sm_clock_max_mhz: clock_mhz }: DeviceInfo,
): MixBound | undefined {
  const { operations, tensors = [] } = first ?? {};
  const isOfNumbers = tensors.some(({ dtype }) => isFloating(numberType(dtype)));
  if (operations === undefined || !isOfNumbers) return undefined;
  if (capability === undefined || sm_count === undefined || clock_mhz === undefined) return undefined;
  return mixBound(functions, operations, { capability, sm_count, clock_mhz });
}

/** How the kernel is launched in its case, as far as pawl.yaml says; a formula without a value says nothing. */
function launchOf({ config }: LoadedConfig, plan: KernelPlan): KnownLaunch {
  const kernel = own(config.kernels, plan.name);
  if (kernel === undefined) return {};
  try {
    return launchNeeds(kernel, plan.variant, caseValues(plan.cases[0]!), {});
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return {};
  }
}
