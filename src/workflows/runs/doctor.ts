/** `pawl doctor`: checks that this machine can measure the project's kernels, and says how to fix what is missing. */
import { join } from 'node:path';

import { userCacheDir } from '../../build/cache-dirs.ts';
import { packageRoot } from '../../build/package-root.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { findCxx, findNvcc } from '../../device/compiler-versions.ts';
import { listGpus } from '../../device/gpus.ts';
import { DOCTOR_SCHEMA, isAdvice, isInTheWay } from '../../model/reports/doctor-report.ts';
import type { DoctorProbe, DoctorReport } from '../../model/reports/doctor-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { aptInstaller } from '../../device/doctor/apt-installer.ts';
import type { Probe, DoctorContext, Finding } from '../../device/doctor/probe.ts';
import { COMPILER_PROBES } from '../../device/doctor/compiler-probes.ts';
import { GPU_PROBES } from '../../device/doctor/gpu-probes.ts';
import { HOST_PROBES } from '../../device/doctor/host-probes.ts';
import { needsOf, wantsGpu } from '../../device/doctor/needs.ts';
import type { Needs, Requirement } from '../../device/doctor/needs.ts';
import { PROFILER_PROBES } from '../../device/doctor/profiler-probes.ts';
import { PROJECT_PROBES } from '../../device/doctor/project-probes.ts';
import { PYTHON_PROBES } from '../../device/doctor/python-probes.ts';
import { pythonFacts } from '../../device/doctor/python-facts.ts';
import { SANDBOX_PROBES } from '../../build/sandbox-probes.ts';
import { within } from '../../device/doctor/within.ts';
import { processContext, type ProcessContext } from '../../os/run-context.ts';

export { applyFixes } from '../../device/doctor/apply-fixes.ts';
export type { Requirement } from '../../device/doctor/needs.ts';

/** The project, and what is required beyond its needs. */
export interface DoctorOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  /** The project, the error in its pawl.yaml, or undefined where there is none. */
  readonly loaded?: LoadedConfig | PawlError | undefined;
  /** What is required beyond what the project needs (`--require gpu`). */
  readonly require?: readonly Requirement[];
  readonly cwd?: string;
  /** Where clock journals lie; for tests. */
  readonly stateDir?: string;
  /** How long one question to the machine may take. */
  readonly timeout_ms?: number;
}

const PROBES: readonly Probe[] = [
  ...PROJECT_PROBES,
  ...HOST_PROBES,
  ...SANDBOX_PROBES,
  ...COMPILER_PROBES,
  ...GPU_PROBES,
  ...PROFILER_PROBES,
  ...PYTHON_PROBES,
];

const TIMEOUT_MS = 5_000;
/** `import torch` alone takes several seconds from a cold disk. */
const PYTHON_TIMEOUT_MS = 20_000;
/** What a killed process may still take, before its probe is given up (a process stuck in a driver never ends). */
const KILL_MS = 3_000;

/**
 * Looks at compilers, devices, profilers and settings of this machine, and returns whether it is ready to measure. A
 * probe that fails or hangs is a failed probe and not an exception.
 */
export async function runDoctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  const context = contextOf(options);
  const limit_ms = PYTHON_TIMEOUT_MS + 2 * context.timeout_ms + KILL_MS;
  const findings = await Promise.all(
    PROBES.map(async (probe) => [probe, await findingOf(probe, context, limit_ms)] as const),
  );
  const hasGpu = (await context.gpus()).status === 'found';
  const needs = needsOf(options.loaded, options.require ?? [], hasGpu);
  const probes = findings.map(([probe, finding]) => doctorProbe(probe, finding, needs));
  const inTheWay = probes.filter(isInTheWay);
  return {
    schema: DOCTOR_SCHEMA,
    ready: inTheWay.length === 0,
    summary: summaryOf(probes, hasGpu, options),
    checks: probes,
  };
}

function doctorProbe(probe: Probe, finding: Finding, needs: Needs): DoctorProbe {
  const { id, group, title, needed_for, required } = probe;
  return { id, group, title, ...finding, needed_for, required: required(needs) };
}

async function findingOf(probe: Probe, context: DoctorContext, limit_ms: number): Promise<Finding> {
  try {
    const late: Finding = { state: 'failed', detail: `no answer in ${limit_ms / 1000} s` };
    return await within(probe.look(context), limit_ms, late);
  } catch (error) {
    // One broken probe must not take the other answers with it.
    return { state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

function summaryOf(probes: readonly DoctorProbe[], hasGpu: boolean, { loaded }: DoctorOptions): string {
  const inTheWay = probes.filter(isInTheWay);
  const advice = probes.filter(isAdvice);
  if (inTheWay.length > 0) return `Not ready: ${inTheWay.map((probe) => probe.title).join(', ')}.`;
  const kernels =
    loaded === undefined || loaded instanceof PawlError ? [] : Object.values(loaded.config.kernels);
  const cuda = kernels.filter((kernel) => kernel.device === 'cuda').length;
  const parts = [loaded === undefined ? 'Ready for a project' : 'Ready to measure'];
  if (cuda > 0 && !hasGpu)
    parts.push(`the ${cuda} CUDA ${cuda === 1 ? 'kernel' : 'kernels'} left out: no GPU here`);
  if (advice.length > 0)
    parts.push(`${advice.length} ${advice.length === 1 ? 'thing' : 'things'} could be better`);
  return `${parts.join('; ')}.`;
}

function contextOf(options: DoctorOptions): DoctorContext {
  const timeout_ms = options.timeout_ms ?? TIMEOUT_MS;
  const { signal, env } = processContext(options);
  const { loaded } = options;
  const commandOptions = { env, timeout_ms, signal };
  const gpus = once(() => {
    const message = 'nvidia-smi did not answer and could not be killed: the driver hangs.';
    return within(listGpus(commandOptions), 2 * timeout_ms + KILL_MS, { status: 'no-answer', message });
  });
  const hasGpu = () => gpus().then((list) => list.status === 'found');
  return {
    ...commandOptions,
    loaded,
    root: loaded === undefined || loaded instanceof PawlError ? (options.cwd ?? process.cwd()) : loaded.root,
    cacheDir: () => userCacheDir(env),
    stateDir: options.stateDir,
    gpus,
    cxx: once(() => findCxx(commandOptions)),
    nvcc: once(() => findNvcc(commandOptions)),
    python: once(() =>
      pythonFacts(env, {
        hasGpu: hasGpu(),
        requirements: join(packageRoot(), 'runner', 'python', 'pawl_candidate', 'requirements.py'),
        timeout_ms: Math.max(timeout_ms, PYTHON_TIMEOUT_MS),
        signal,
      }),
    ),
    wantsGpu: wantsGpu(loaded, options.require ?? []),
    aptInstall: aptInstaller(commandOptions),
  };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
