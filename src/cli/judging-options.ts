import type { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import {
  budgetOption,
  measuringOptions,
  modesOption,
  withMeasuring,
  type MeasuringFlags,
} from './option-groups.ts';
import { configOption, list, percent, wholeNumber } from './options.ts';
import type { Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';
import { toldOptions, withTold, type ToldFlags } from './told-options.ts';

/** How candidates are judged: of `pawl judge`, and of workers that do the same for a queue. */
export interface JudgingFlags extends MeasuringFlags, ToldFlags {
  readonly config?: string;
  readonly reference?: string;
  readonly case?: string[];
  readonly mode?: Mode[];
  readonly budget?: number;
  readonly threshold?: number;
  readonly fuzz?: number;
}

/** @param json what `--json` prints */
export function withJudging(command: Command, json: string): Command {
  command
    .addOption(configOption())
    .option(
      '--reference <kernel>',
      "what candidates are measured against (default: the problem's first kernel)",
    )
    .option('--case <case>', 'judge by these cases only', list)
    .addOption(modesOption())
    .addOption(budgetOption('measuring of a candidate stops then, decided or not'))
    .option(
      '--fuzz <n>',
      'generated cases that a candidate must pass (default 50 if pawl.yaml has `fuzz`, else 0)',
      wholeNumber,
    )
    .option(
      '--threshold <percent>',
      'a slowdown of this much is a regression (default: from pawl.yaml, 3)',
      percent,
    );
  return withMeasuring(withSandboxOption(withTold(command)), {
    processes: 'at most this many processes per side (default 24)',
    samples: 'samples per process (default 12)',
    json,
  });
}

export function judgingOptions(flags: JudgingFlags, door: Door) {
  const { config, reference, case: cases, mode, budget, threshold, fuzz } = flags;
  return {
    ...toldOptions(flags),
    ...defined({ config, reference, cases, modes: mode, budget_s: budget, fuzz }),
    ...measuringOptions(flags, door),
    policy: defined({ regressionPct: threshold }),
  };
}
