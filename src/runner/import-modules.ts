import { basename } from 'node:path';

import type { KernelPlan } from '../config/plan-kernel.ts';
import type { OpenResult } from '../model/measure/protocol.ts';
import { RunnerFailure } from './runner-failure.ts';
import type { OpenOptions, RunnerProcess } from './runner-process.ts';
import type { Target } from './target.ts';

/**
 * Loads a target's kernel. A Python module is imported then, which compiles what it likes (`load_inline`): it has a time
 * limit of its own, so that no import counts as a call that hangs.
 */
export function openKernel(
  process: RunnerProcess,
  { plan }: Target,
  options: OpenOptions,
  timeout_ms: number,
): Promise<OpenResult> {
  const { kernel } = options;
  if (!('module' in kernel)) return process.open(options, timeout_ms);
  return process.open(options, plan.importTimeout_s * 1000, () => tooLate(kernel.module, plan));
}

/** Loads what makes the inputs, where that is not what fills say: its import is not part of preparing a case. */
export async function importGenerator(process: RunnerProcess, { plan, generator }: Target): Promise<void> {
  if (generator === undefined) return;
  const file = 'module' in generator ? generator.module : generator.library;
  await process.request({ op: 'generator', generator }, plan.importTimeout_s * 1000, () => {
    const { message } = tooLate(file, plan);
    return new RunnerFailure('generator-failed', message);
  });
}

async function importChecker(process: RunnerProcess, { plan, checker }: Target): Promise<void> {
  if (checker === undefined) return;
  const file = 'module' in checker ? checker.module : checker.library;
  await process.request({ op: 'checker', checker }, plan.importTimeout_s * 1000, () => {
    const { message } = tooLate(file, plan);
    return new RunnerFailure('checker-failed', message);
  });
}

/** Loads checker, generator and an oracle in Python before they are asked: imports are not part of a check. */
export async function importOracle(process: RunnerProcess, target: Target): Promise<void> {
  await importGenerator(process, target);
  await importChecker(process, target);
  const { plan, oracle } = target;
  if (oracle === undefined || !('module' in oracle)) return;
  await process.request({ op: 'oracle', oracle }, plan.importTimeout_s * 1000, () =>
    tooLate(oracle.module, plan),
  );
}

/** What is said while a kernel is loaded; undefined where that takes no time worth a word. */
export function importingText({ open: { kernel } }: Target): string | undefined {
  return 'module' in kernel ? `importing ${basename(kernel.module)}` : undefined;
}

function tooLate(module: string, { importTimeout_s }: KernelPlan): RunnerFailure {
  return new RunnerFailure(
    'import-timeout',
    `${basename(module)} was still being imported after ${importTimeout_s} s (measure.import_timeout_s in pawl.yaml)`,
  );
}
