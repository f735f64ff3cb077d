/** What `compare` and `check` have in common: how both sides are measured and judged. */
import { Option, type Command } from 'commander';

import type { Correction } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import {
  budgetOption,
  correctionOption,
  measuringOptions,
  modesOption,
  onlyOption,
  seedOption,
  selectionOptions,
  withMeasuring,
  type MeasuringFlags,
  type SelectionFlags,
} from './option-groups.ts';
import { acceptJudgeOption, configOption, list, percent } from './options.ts';
import type { Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

export interface ComparingFlags extends SelectionFlags, MeasuringFlags {
  readonly budget?: number;
  readonly threshold?: number;
  readonly improvement?: number;
  readonly correction?: Correction;
  readonly control: boolean;
  readonly verify: boolean;
  readonly seed?: string;
  readonly out?: string;
  readonly acceptJudgeChange?: boolean;
  readonly history: boolean;
}

export function withComparingOptions(command: Command, json: string): Command {
  withSandboxOption(command)
    .addOption(configOption())
    .addOption(onlyOption('measure'))
    .option('--case <case>', 'measure these cases only', list)
    .addOption(modesOption())
    .addOption(budgetOption('measuring stops then, decided or not'))
    .option(
      '--threshold <percent>',
      'a slowdown of this much fails; one that is shown to be smaller passes (default 3)',
      percent,
    )
    .option('--improvement <percent>', 'faster by this much is an improvement (default 5)', percent)
    .addOption(correctionOption('cases'))
    .option('--no-control', 'do not measure the base against itself as a control')
    .option(
      '--no-verify',
      'do not audit kernels or compare timed results with the oracle: faster, but easier to cheat',
    )
    .addOption(seedOption())
    .option('-o, --out <folder>', 'write the report, its images and the samples here')
    .addOption(acceptJudgeOption())
    .option('--no-history', 'do not keep the run in history (docs/history.md)');
  return withMeasuring(command, { processes: 'at most this many processes per side (default 24)', json });
}

/** Of the commands that gate a change. */
export function autoProfileOption(): Option {
  const words = 'profile changes to explain them: those that count, all, or none';
  return new Option('--profile <when>', words).choices(['auto', 'always', 'never']).default('auto');
}

/** The same in the workflows' words. */
export function comparingOptions(flags: ComparingFlags, door: Door) {
  return {
    ...selectionOptions(flags),
    ...measuringOptions(flags, door),
    ...defined({
      budget_s: flags.budget,
      seed: flags.seed,
      out: flags.out,
      acceptJudgeChange: flags.acceptJudgeChange,
    }),
    control: flags.control,
    verified: flags.verify,
    history: flags.history,
  };
}

/** What counts as a change, as far as the command line says. */
export function judgingOptions({ threshold, improvement, correction }: ComparingFlags) {
  return defined({ regressionPct: threshold, improvementPct: improvement, correction });
}
