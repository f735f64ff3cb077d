import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import {
  autoProfileOption,
  comparingOptions,
  judgingOptions,
  withComparingOptions,
  type ComparingFlags,
} from './comparing.ts';
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
      .option('--baseline <file>', 'the baseline file (default: pawl-baseline.json beside pawl.yaml)')
      .option('--update', 'write first entries and confirmed improvements into the baseline')
      .addOption(acceptLoadOption('with --update: write entries'))
      .addOption(autoProfileOption()),
    'the report as JSON (schema pawl.check/1)',
  )
    .addHelpText(
      'after',
      `
Every case is compared with its entry in the baseline. Where possible, the entry's commit is built and measured again
beside the working tree, so that a different state of the device does not decide. A regression or an improvement is
measured a second time, independently, before it counts. A case without an entry is new, not an improvement.
Oracle, tolerance, cases and thresholds are those of the baseline's commit. What the working tree changes about them is
listed, and the verdict is undecided at best until you accept it. With --update the baseline records that.
Entries that were measured while other work ran on the machine are not written, and the verdict is undecided (exit
code 2), unless you give --accept-load; the entry then lists that work.
The four largest changes are then profiled, base and head, if a profiler is available (docs/profiling.md).

Examples:
  pawl check                      fail on a regression
  pawl check --update             on main: also update the baseline
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
        await door.tell(report, async () =>
          (await import('../report/terminal/comparison-terminal.ts')).renderComparisonTerminal(report, door),
        );
        return exitOf(report.verdict);
      }),
    );
}
