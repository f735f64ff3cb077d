import { basename } from 'node:path';

import type { CasePlan } from '../config/plan-kernel.ts';
import { defined } from '../model/defined.ts';
import { RunnerFailure } from './runner-failure.ts';
import type { RunnerProcess } from './runner-process.ts';
import { prepareRequest, type Target } from './target.ts';

export interface PrepareOptions {
  readonly seed: string;
  readonly timeout_ms: number;
  /** How many copies of the tensors; absent: as many as keep every launch out of the cache. */
  readonly sets?: number;
  /** Where the tensors lie is drawn again. */
  readonly drawn?: boolean;
  /** Ends the first call: it may take minutes, and Ctrl-C must not. */
  readonly signal?: AbortSignal;
  /** Told what is under way, where that may take long. */
  readonly onFirstCall?: (detail: string) => void;
}

/**
 * Lays out a case and, for a function in Python, calls it once. Triton, `torch.compile` and a lazy `load_inline` compile
 * in the first call on new shapes: it has the time limit of imports, and what it takes and keeps is not part of a check
 * or of a series.
 */
export async function prepareCase(
  process: RunnerProcess,
  target: Target,
  plan: CasePlan,
  { seed, timeout_ms, sets, drawn, signal, onFirstCall }: PrepareOptions,
): Promise<void> {
  await process.request(prepareRequest(target, plan, seed, defined({ sets, drawn })), timeout_ms);
  const { kernel } = target.open;
  if (!('module' in kernel)) return;
  onFirstCall?.('first call, which may compile');
  const limit_s = Math.max(target.plan.importTimeout_s, timeout_ms / 1000);
  const late = (): RunnerFailure =>
    new RunnerFailure(
      'hung',
      `${basename(kernel.module)} was still in its first call of ${plan.name} after ${limit_s} s (measure.import_timeout_s in pawl.yaml)`,
    );
  const kill = (): void => process.kill();
  signal?.addEventListener('abort', kill);
  try {
    await process.request({ op: 'call' }, limit_s * 1000, late);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
