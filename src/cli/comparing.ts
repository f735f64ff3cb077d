/** What `compare` and `check` have in common: how both sides are measured and judged. */
import { Option, type Command } from 'commander';

import type { Correction } from '../model/comparison.ts';
import { defined } from '../model/defined.ts';
import type { Mode } from '../model/mode.ts';
import {
  acceptJudgeOption,
  configOption,
  list,
  modes,
  percent,
  positiveInteger,
  seconds,
  wholeNumber,
} from './options.ts';
import type { Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

export interface ComparingFlags {
  readonly config?: string;
  readonly only?: string[];
  readonly case?: string[];
  readonly mode?: Mode[];
  readonly processes?: number;
  readonly samples?: number;
  readonly budget?: number;
  readonly threshold?: number;
  readonly improvement?: number;
  readonly correction?: Correction;
  readonly control: boolean;
  readonly verify: boolean;
  readonly timeout?: number;
  readonly clocks: 'as-is' | 'lock';
  readonly gpu: number;
  readonly wait: number;
  readonly seed?: string;
  readonly out?: string;
  readonly acceptJudgeChange?: boolean;
  readonly history: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function withComparingOptions(command: Command): Command {
  return withSandboxOption(command)
    .addOption(configOption())
    .option('--only <kernel>', 'these kernels only', list)
    .option('--case <case>', 'these cases only', list)
    .option('--mode <mode>', 'cold, hot or graph', modes)
    .option('--processes <n>', 'at most this many processes a side (default 24)', positiveInteger)
    .option('--samples <n>', 'samples a process aims at (default 100)', positiveInteger)
    .option('--budget <seconds>', 'stop measuring about here, decided or not', seconds)
    .option('--threshold <percent>', 'slower by this much is a regression (default 3)', percent)
    .option('--improvement <percent>', 'faster by this much is an improvement (default 5)', percent)
    .addOption(
      new Option('--correction <how>', 'how it is allowed for that many cases are judged at once').choices([
        'holm',
        'bh',
        'none',
      ]),
    )
    .option('--no-control', 'do not measure the base against itself along the way')
    .option(
      '--no-verify',
      'no audit of the kernels, and no comparison of timed results with the oracle: quicker, and easier to fool',
    )
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs', seconds)
    .addOption(
      new Option('--clocks <policy>', 'lock: hold the GPU clock for the run, and undo it after')
        .choices(['as-is', 'lock'])
        .default('as-is'),
    )
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('--seed <n>', 'repeat the order and the inputs of an earlier run')
    .option('-o, --out <folder>', 'write the report, its pictures and the samples here')
    .addOption(acceptJudgeOption())
    .option('--no-history', 'do not keep the run in history (docs/history.md)')
    .option('-q, --quiet', 'no progress display');
}

/** The same in the workflows' words. */
export function comparingOptions(flags: ComparingFlags, door: Door) {
  return {
    ...defined({
      config: flags.config,
      only: flags.only,
      cases: flags.case,
      modes: flags.mode,
      processes: flags.processes,
      samples: flags.samples,
      budget_s: flags.budget,
      timeout_s: flags.timeout,
      seed: flags.seed,
      out: flags.out,
      acceptJudgeChange: flags.acceptJudgeChange,
    }),
    control: flags.control,
    verified: flags.verify,
    history: flags.history,
    clocks: flags.clocks,
    gpu: flags.gpu,
    wait_s: flags.wait,
    signal: door.signal,
    onProgress: door.onProgress,
  };
}

/** What counts as a change, as far as the command line says. */
export function judgingOptions({ threshold, improvement, correction }: ComparingFlags) {
  return defined({ regressionPct: threshold, improvementPct: improvement, correction });
}
