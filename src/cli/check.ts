import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { comparingOptions, judgingOptions, withComparingOptions, type ComparingFlags } from './comparing.ts';
import { EXIT_CODE_HELP, exitOf } from './exit-codes.ts';
import { acceptLoadOption } from './options.ts';
import { runAction } from './run-action.ts';

interface CheckFlags extends ComparingFlags {
  readonly baseline?: string;
  readonly update?: boolean;
  readonly acceptLoad?: boolean;
  readonly profile: 'auto' | 'always' | 'never';
}

export function checkCommand(): Command {
  return withComparingOptions(
    new Command('check')
      .option('--baseline <file>', 'the baseline (default: pawl-baseline.json beside pawl.yaml)')
      .option('--update', 'write first entries and confirmed improvements into the baseline')
      .addOption(acceptLoadOption('with --update: write entries'))
      .addOption(
        new Option('--profile <when>', 'explain changes with a profile: those that count, all, or none')
          .choices(['auto', 'always', 'never'])
          .default('auto'),
      ),
    'the report as JSON (schema pawl.check/1)',
  )
    .addHelpText(
      'after',
      `
Every case is compared with its entry in the baseline. Where the entry's commit can be built, it is built and
measured again beside the files as they are, so that another day's device does not decide. A regression or an
improvement is measured a second time, independently, before it counts. A case without an entry is new, not a win.
What is right, in which cases and what counts is read at the commit of the baseline; what the files alter about that
is listed, and nothing is better than undecided until you accept it. With --update the baseline remembers that.
Entries that were measured while other work ran on the machine are not written, and the verdict is undecided (exit
code 2), unless --accept-load says so; the entry then has what ran beside it.
The four largest changes are then profiled, base and head, where a profiler is there (docs/profiling.md).

Examples:
  pawl check                      look; fail on a regression
  pawl check --update             on main: also move the baseline forward
  pawl check --out report --json  for CI
${EXIT_CODE_HELP}`,
    )
    .action((flags: CheckFlags) =>
      runAction(flags, async (door) => {
        const { check } = await import('../workflows/check.ts');
        const { report } = await check({
          ...comparingOptions(flags, door),
          ...defined({ baseline: flags.baseline, update: flags.update, acceptLoad: flags.acceptLoad }),
          profile: flags.profile,
          policy: judgingOptions(flags),
        });
        if (flags.json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderComparisonTerminal } = await import('../report/comparison-terminal.ts');
          door.print(renderComparisonTerminal(report, { color: door.color, columns: door.columns }));
        }
        return exitOf(report.verdict);
      }),
    );
}
