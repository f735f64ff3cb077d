import { Command, Option } from 'commander';

import type { BisectOutcome } from '../model/reports/bisect-report.ts';
import { defined } from '../model/defined.ts';
import { MODES, type Mode } from '../model/problem/mode.ts';
import { EXIT } from './exit-codes.ts';
import { budgetOption, measuringOptions, withMeasuring, type MeasuringFlags } from './option-groups.ts';
import { configOption, slowdown } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface BisectFlags extends MeasuringFlags {
  readonly config?: string;
  readonly kernel?: string;
  readonly mode?: Mode;
  readonly threshold?: number;
  readonly budget?: number;
  readonly restart?: boolean;
  readonly history: boolean;
  readonly store?: string;
  readonly check: boolean;
  readonly verify: boolean;
}

const OUTCOME_EXIT: Readonly<Record<BisectOutcome, number>> = {
  found: EXIT.good,
  nothing: EXIT.undecided,
  range: EXIT.undecided,
  unconfirmed: EXIT.undecided,
  undecided: EXIT.undecided,
  stopped: EXIT.undecided,
};

export function bisectCommand(): Command {
  const command = new Command('bisect')
    .argument('<CASE>', 'the case, or KERNEL/CASE')
    .argument('<GOOD>', 'a commit, branch or tag at which it was fast')
    .argument('<BAD>', 'a later one at which it is slow')
    .addOption(configOption())
    .option('--kernel <kernel>', 'the kernel of the case')
    .addOption(new Option('--mode <mode>', 'time in this mode only').choices(MODES))
    .option(
      '--threshold <percent>',
      'look for a slowdown of about this size (default: that of BAD against GOOD)',
      slowdown,
    )
    .addOption(budgetOption('run the same command again to go on'))
    .option('--restart', 'discard what an earlier run of this bisection measured')
    .option('--no-history', 'do not use the history to choose where to look first')
    .option('--store <store>', "a history other than the project's: a file or a postgres:// address")
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--no-verify', 'do not audit kernels or compare timed results with the oracle');
  return withMeasuring(command, {
    processes: 'at most this many processes per side (default 24)',
    json: 'the answer as JSON (schema pawl.bisect/1)',
  })
    .addHelpText(
      'after',
      `
Every commit is built and measured beside GOOD in interleaved blocks. It is bad if it is slower by more than half of
BAD's slowdown. A commit that does not build, is wrong or lacks the case is skipped, and its neighbours are tried. One
that stays undecided is measured longer, then skipped. Merges are one step (first parents). The commit that is found is
measured again against its parent. Answers are kept in .pawl/bisect: an interrupted bisect resumes (docs/trends.md).

Examples:
  pawl bisect training_512 v1.2 main
  pawl bisect attention-hopper/training_512 HEAD~40 HEAD --budget 30m

Exit codes: 0 commit found · 2 not found: no slowdown, a range of commits, unconfirmed, not finished
  64 usage · 65 bad data · 69 unavailable · 70 bug in Pawl · 75 try again · 77 permission · 78 configuration`,
    )
    .action((name: string, good: string, bad: string, flags: BisectFlags) =>
      runAction(flags, async (door) => {
        const { bisect } = await import('../workflows/bisect.ts');
        const report = await bisect({ case: name, good, bad, ...bisectOptions(flags, door) });
        await door.tell(report, async () =>
          (await import('../report/terminal/bisect-terminal.ts')).renderBisect(report, door),
        );
        return OUTCOME_EXIT[report.outcome];
      }),
    );
}

function bisectOptions(flags: BisectFlags, door: Door) {
  return {
    ...defined({
      config: flags.config,
      kernel: flags.kernel,
      mode: flags.mode,
      threshold_pct: flags.threshold,
      budget_s: flags.budget,
      restart: flags.restart,
      store: flags.store,
    }),
    history: flags.history,
    check: flags.check,
    verified: flags.verify,
    ...measuringOptions(flags, door),
  };
}
