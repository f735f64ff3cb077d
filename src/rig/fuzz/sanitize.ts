import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findComputeSanitizer } from '../../build/find-compute-sanitizer.ts';
import { didYouMean } from '../../model/text/did-you-mean.ts';
import type { KernelPlan } from '../../config/plan-kernel.ts';
import { parseCpuSanitizerLog } from '../../correctness/sanitizer-cpu-log.ts';
import { parseComputeSanitizerLog, type SanitizerLog } from '../../correctness/sanitizer-cuda-log.ts';
import { distinctFindings, sanitizerTamper } from '../../correctness/sanitizer-tamper.ts';
import type { Gpu } from '../../device/gpus.ts';
import type { Tamper } from '../../model/correctness/verification.ts';
import { PawlError } from '../../model/pawl-error.ts';
import {
  CPU_SANITIZERS,
  CUDA_SANITIZERS,
  SANITIZERS,
  type CudaSanitizer,
  type Sanitizer,
  type SanitizerFinding,
} from '../../model/correctness/sanitizer.ts';
import type { Target } from '../../runner/target.ts';
import type { SkippedKernel } from '../../model/measure/skipped-kernel.ts';
import { prepareTargets, type PrepareOptions } from '../prepare-targets.ts';

/** What the tools of one target found since they were asked last. */
interface SanitizerReport {
  readonly findings: readonly SanitizerFinding[];
  /** The same in the words of the detectors. */
  readonly tampering: readonly Tamper[];
  /** Where a tool itself failed: nothing found then proves nothing. */
  readonly problems: readonly string[];
}

/** A kernel that runs under sanitizers. Its runners are slower by a factor of two (address) to a hundred (racecheck). */
export interface SanitizedTarget {
  readonly target: Target;
  readonly tools: readonly Sanitizer[];
  /** To be asked after a runner of this target has ended, however it ended: tools write their last words then. */
  readonly collect: () => Promise<SanitizerReport>;
}

export interface SanitizedTargets {
  readonly targets: readonly SanitizedTarget[];
  readonly skipped: readonly SkippedKernel[];
  readonly gpu: Gpu | undefined;
  /** Takes the logs away. */
  readonly dispose: () => Promise<void>;
}

export interface SanitizeOptions extends Omit<PrepareOptions, 'sanitize'> {
  /** Default: all that apply to a kernel. */
  readonly tools?: readonly Sanitizer[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The tools that were named; nothing named means all. @throws {PawlError} `usage`, for a name that is none */
export function sanitizersNamed(names: readonly string[]): readonly Sanitizer[] {
  const unknown = names.find((name) => !SANITIZERS.some((tool) => tool === name));
  if (unknown !== undefined) {
    throw new PawlError(
      'usage',
      `There is no sanitizer "${unknown}"${didYouMean(unknown, [...SANITIZERS])}.`,
      `For CUDA kernels: ${CUDA_SANITIZERS.join(', ')}; for CPU kernels: ${CPU_SANITIZERS.join(', ')}.`,
    );
  }
  return names.length === 0 ? SANITIZERS : SANITIZERS.filter((tool) => names.includes(tool));
}

/**
 * Makes targets of kernels that run under sanitizers. On the CPU kernel and runner are rebuilt with the
 * compiler's, all in one target; on CUDA the runner is started under compute-sanitizer, a target for each tool. What
 * cannot be sanitized is skipped with its reason.
 */
export async function sanitizedTargets(
  plans: readonly KernelPlan[],
  options: SanitizeOptions,
): Promise<SanitizedTargets> {
  const { tools = SANITIZERS, env = process.env, ...preparing } = options;
  const skipped: SkippedKernel[] = [];
  const skip = (kernel: string, message: string, hint?: string): void => {
    skipped.push({ kernel, reason: 'no-sanitizer', message, hint });
    options.onProgress({ type: 'note', level: 'warning', text: `${kernel} is not sanitized: ${message}` });
  };
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'pawl-sanitize-'));
  const made: SanitizedTarget[] = [];
  let gpu: Gpu | undefined;

  const native = plans.filter((plan) => {
    if (plan.language === 'python') skip(plan.name, 'sanitizers look at compiled code, and it is in Python');
    return plan.language !== 'python';
  });
  const asked = (device: KernelPlan['device'], known: readonly Sanitizer[]): KernelPlan[] => {
    const own = native.filter((plan) => plan.device === device);
    if (tools.some((tool) => known.includes(tool))) return own;
    for (const { name } of own) skip(name, `${tools.join(', ')} cannot look at code on the ${device}`);
    return [];
  };

  const onCpu = asked('cpu', CPU_SANITIZERS);
  if (onCpu.length > 0) {
    const sanitize = CPU_SANITIZERS.filter((tool) => tools.includes(tool));
    const prepared = await prepareTargets(onCpu, { ...preparing, sanitize });
    skipped.push(...prepared.skipped);
    for (const target of prepared.targets) {
      made.push(await onCpuSanitizers(target, sanitize, join(folder, `${made.length}`)));
    }
  }

  const onCuda = asked('cuda', CUDA_SANITIZERS);
  const program = onCuda.length === 0 ? undefined : await findComputeSanitizer(env);
  if (program?.status === 'missing') {
    for (const { name } of onCuda) skip(name, program.message, program.hint);
  } else if (program !== undefined) {
    const prepared = await prepareTargets(onCuda, preparing);
    skipped.push(...prepared.skipped);
    gpu = prepared.gpu;
    for (const target of prepared.targets) {
      for (const tool of CUDA_SANITIZERS.filter((each) => tools.includes(each))) {
        made.push(await underComputeSanitizer(target, tool, program.path, join(folder, `${made.length}`)));
      }
    }
  }
  return {
    targets: made,
    skipped,
    gpu,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Never 0 or a shell's own codes: the process was ended by the sanitizer. */
const EXIT_CODE = 86;

/** Where gcc's UBSan stands beside ASan it ignores its `log_path` and writes to the standard error output. */
const STDERR_TO_FILE = 'exec "$@" 2>>"$0.$$"';

async function onCpuSanitizers(
  target: Target,
  tools: readonly Sanitizer[],
  folder: string,
): Promise<SanitizedTarget> {
  await mkdir(folder);
  const common = [`log_path='${join(folder, 'report')}'`, 'halt_on_error=1', `exitcode=${EXIT_CODE}`];
  const { sources } = target.plan;
  return {
    tools,
    target: {
      ...target,
      open: { ...target.open, sanitized: true, confined: false },
      runner: {
        ...target.runner,
        command: '/bin/sh',
        args: ['-c', STDERR_TO_FILE, join(folder, 'stderr'), target.runner.command, ...target.runner.args],
        env: {
          ...target.runner.env,
          // Leaks are the audit's to see, call by call; here every library's would be in the way.
          ASAN_OPTIONS: [...common, 'detect_leaks=0', 'allocator_may_return_null=1'].join(':'),
          UBSAN_OPTIONS: [...common, 'print_stacktrace=1'].join(':'),
        },
      },
    },
    collect: () =>
      collected(folder, (text) => ({ findings: parseCpuSanitizerLog(text, sources), problems: [] })),
  };
}

/** Allocations lie one after the other: without room between them, the byte after one is the first of the next. */
const TOOL_OPTIONS: Readonly<Partial<Record<CudaSanitizer, readonly string[]>>> = {
  memcheck: ['--padding', '256'],
};

async function underComputeSanitizer(
  target: Target,
  tool: CudaSanitizer,
  program: string,
  folder: string,
): Promise<SanitizedTarget> {
  await mkdir(folder);
  const { command, args } = target.runner;
  // %p is the process: a runner that is started again has a log of its own.
  const own = [
    '--tool',
    tool,
    '--target-processes',
    'all',
    ...(TOOL_OPTIONS[tool] ?? []),
    '--log-file',
    join(folder, '%p.log'),
  ];
  return {
    tools: [tool],
    target: {
      ...target,
      open: { ...target.open, sanitized: true, confined: false, followed: true },
      runner: { ...target.runner, command: program, args: [...own, command, ...args] },
    },
    collect: () => collected(folder, (text) => parseComputeSanitizerLog(text, tool)),
  };
}

/** Reads every log of ended processes, once. */
async function collected(folder: string, parse: (text: string) => SanitizerLog): Promise<SanitizerReport> {
  const logs: SanitizerLog[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    logs.push(parse(await readFile(path, 'utf8')));
    await rm(path);
  }
  const findings = distinctFindings(logs.flatMap((log) => log.findings));
  return {
    findings,
    tampering: findings.map(sanitizerTamper),
    problems: [...new Set(logs.flatMap(({ problems }) => problems))],
  };
}
