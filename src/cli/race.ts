import { Command } from 'commander';

import type { Correction } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import { EXIT } from './exit-codes.ts';
import {
  budgetOption,
  correctionOption,
  measuringOptions,
  modesOption,
  seedOption,
  selectionOptions,
  withMeasuring,
  type MeasuringFlags,
  type SelectionFlags,
} from './option-groups.ts';
import { configOption, list, percent } from './options.ts';
import { runAction } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

interface RaceFlags extends SelectionFlags, MeasuringFlags {
  readonly problem?: string;
  readonly reference?: string;
  readonly budget?: number;
  readonly threshold?: number;
  readonly correction?: Correction;
  readonly control: boolean;
  readonly verify: boolean;
  readonly check: boolean;
  readonly seed?: string;
  readonly out?: string;
  readonly history: boolean;
}

export function raceCommand(): Command {
  const command = new Command('race')
    .argument('[kernel...]', 'kernels of one problem (default: all of them)')
    .addOption(configOption())
    .option('--problem <problem>', 'the problem whose kernels race, if pawl.yaml has several')
    .option('--reference <kernel>', 'the kernel to compare the others with (default: the first)')
    .option('--case <case>', 'measure these cases only', list)
    .addOption(modesOption())
    .addOption(budgetOption('measuring stops then, decided or not'))
    .option('--threshold <percent>', 'smallest difference to tell kernels apart (default 3)', percent)
    .addOption(correctionOption('pairs'))
    .option('--no-control', 'do not measure a kernel against itself as a control')
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--no-verify', 'do not audit kernels or compare timed results with the oracle')
    .addOption(seedOption())
    .option('-o, --out <folder>', 'write the report and the samples here')
    .option('--no-history', 'do not keep the run in history (docs/history.md)');
  return withMeasuring(withSandboxOption(command), {
    processes: 'at most this many processes per kernel (default 24)',
    json: 'the race as JSON (schema pawl.race/1)',
  })
    .addHelpText(
      'after',
      `
All kernels are built from the working tree, checked, and measured in the same interleaved, randomised blocks of fresh
processes. Each pair is compared as in \`pawl compare\`, with one multiple-comparison correction for all pairs and cases.
Ranks come from these comparisons: kernels that could not be told apart share ranks (1–2). A kernel that is wrong,
refused, lost or does not build has no rank (docs/race.md).

Examples:
  pawl race                                                every kernel of the project's problem
  pawl race attention-cpu attention-numpy --case tiny_64   these two; the first is the reference
  pawl race --problem attention --reference attention-numpy --out race

Exit codes: 0 every pair is decided · 1 a kernel is wrong, refused or does not build · 2 undecided, lost or skipped
  64 usage · 65 bad data · 69 unavailable · 70 bug in Pawl · 75 try again · 77 permission · 78 configuration`,
    )
    .action((kernels: readonly string[], flags: RaceFlags) =>
      runAction(flags, async (door) => {
        const { race } = await import('../workflows/race.ts');
        const { problem, reference, budget, threshold, correction, seed, out } = flags;
        const told = await race({
          ...selectionOptions(flags),
          ...measuringOptions(flags, door),
          ...defined({ problem, reference, budget_s: budget, seed, out }),
          kernels,
          policy: defined({ regressionPct: threshold, correction }),
          control: flags.control,
          check: flags.check,
          verified: flags.verify,
          history: flags.history,
        });
        await door.tell(told, async () =>
          (await import('../report/terminal/race-terminal.ts')).renderRaceTerminal(told, door),
        );
        return EXIT[told.result];
      }),
    );
}
