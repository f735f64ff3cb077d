import { Command, InvalidArgumentError, Option } from 'commander';

import type { BisectOutcome } from '../model/bisect-report.ts';
import { defined } from '../model/defined.ts';
import { MODES, type Mode } from '../model/mode.ts';
import { EXIT } from './exit-codes.ts';
import { configOption, positiveInteger, seconds, wholeNumber } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface BisectFlags {
  readonly config?: string;
  readonly kernel?: string;
  readonly mode?: Mode;
  readonly threshold?: number;
  readonly budget?: number;
  readonly processes?: number;
  readonly samples?: number;
  readonly restart?: boolean;
  readonly history: boolean;
  readonly store?: string;
  readonly check: boolean;
  readonly verify: boolean;
  readonly timeout?: number;
  readonly clocks: 'as-is' | 'lock';
  readonly gpu: number;
  readonly wait: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
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
  return new Command('bisect')
    .description('which commit made a case slower? Measures its way from a fast commit and a slow one to it')
    .argument('<CASE>', 'the case, or KERNEL/CASE')
    .argument('<GOOD>', 'a commit, branch or tag at which it was fast')
    .argument('<BAD>', 'a later one at which it is slow')
    .addOption(configOption())
    .option('--kernel <kernel>', 'the kernel that the case is of')
    .addOption(new Option('--mode <mode>', 'time in this mode only').choices(MODES))
    .option(
      '--threshold <percent>',
      'look for a slowdown of about this much (default: as much as BAD is slower than GOOD)',
      slowdown,
    )
    .option('--budget <seconds>', 'stop about here; the same command goes on', seconds)
    .option('--processes <n>', 'at most this many processes a side (default 24)', positiveInteger)
    .option('--samples <n>', 'samples a process aims at (default 100)', positiveInteger)
    .option('--restart', 'forget what an earlier run of the same question measured')
    .option('--no-history', 'do not ask the history where to look first')
    .option('--store <store>', "a history other than the project's: a file or a postgres:// address")
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--no-verify', 'no audit of the kernels, and no comparison of timed results with the oracle')
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs', seconds)
    .addOption(
      new Option('--clocks <policy>', 'lock: hold the GPU clock for the run, and undo it after')
        .choices(['as-is', 'lock'])
        .default('as-is'),
    )
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('--json', 'print the answer as JSON (schema pawl.bisect/1)')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
Every commit is built and measured beside GOOD in interleaved blocks, and is bad where it is slower by more than half
of what BAD is. One that does not build, is wrong or lacks the case is skipped, and its neighbours are tried; one that stays
undecided is measured longer, then gone around. Merges are one step (first parents). The answer is measured afresh
against the commit before it. Answers are kept in .pawl/bisect: an interrupted bisect goes on (docs/trends.md).

Examples:
  pawl bisect training_512 v1.2 main
  pawl bisect attention-hopper/training_512 HEAD~40 HEAD --budget 1800

Exit codes: 0 the commit was found · 2 it was not: nothing to find, a range of commits, unconfirmed, not finished
  64 usage · 65 bad data · 69 unavailable · 70 bug in Pawl · 75 try again · 77 permission · 78 configuration`,
    )
    .action((name: string, good: string, bad: string, flags: BisectFlags) =>
      runAction(flags, async (door) => {
        const { bisect } = await import('../workflows/bisect.ts');
        const report = await bisect({ case: name, good, bad, ...bisectOptions(flags, door) });
        if (flags.json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderBisect } = await import('../report/bisect-terminal.ts');
          door.print(renderBisect(report, { color: door.color, columns: door.columns }));
        }
        return OUTCOME_EXIT[report.outcome];
      }),
    );
}

/** Three times as slow is 200 %. */
function slowdown(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && Number.isFinite(value))) {
    throw new InvalidArgumentError('Expected a percentage above 0.');
  }
  return value;
}

function bisectOptions(flags: BisectFlags, door: Door) {
  return {
    ...defined({
      config: flags.config,
      kernel: flags.kernel,
      mode: flags.mode,
      threshold_pct: flags.threshold,
      budget_s: flags.budget,
      processes: flags.processes,
      samples: flags.samples,
      restart: flags.restart,
      store: flags.store,
      timeout_s: flags.timeout,
    }),
    history: flags.history,
    check: flags.check,
    verified: flags.verify,
    clocks: flags.clocks,
    gpu: flags.gpu,
    wait_s: flags.wait,
    signal: door.signal,
    onProgress: door.onProgress,
  };
}
