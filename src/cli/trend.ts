import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { MODES, type Mode } from '../model/problem/mode.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, moment } from './options.ts';
import { runAction } from './run-action.ts';

interface TrendFlags {
  readonly config?: string;
  readonly store?: string;
  readonly mode?: Mode;
  readonly device?: string;
  readonly since?: Date;
  readonly out?: string;
  readonly json?: boolean;
}

export function trendCommand(): Command {
  return new Command('trend')
    .argument('[NAME...]', 'kernels, cases or KERNEL/CASE (default: all that the history has)')
    .addOption(configOption())
    .option('--store <store>', "a history other than the project's: a file or a postgres:// address")
    .addOption(new Option('--mode <mode>', 'this mode only').choices(MODES))
    .option('--device <name>', 'only devices with this in their name')
    .option('--since <when>', 'a date (2026-07-01), or 12h, 30d, 8w: only commits since then', moment)
    .option('-o, --out <file>', 'draw the trends into an .html or .svg file')
    .option('--json', 'print the trends as JSON (schema pawl.trend-report/1)')
    .addHelpText(
      'after',
      `
A step is a change of level between two measured commits, attributed to the later one. A creep is a slow drift that no
single commit shows. A single bad run is neither; a newest point that is off is reported as such. A new driver, compiler,
clock policy or default variant is marked, and a step that came with it names it. The noise of the devices and their A/A
controls follow. How changes are found, and how well: docs/trends.md, docs/results/change-points.md. If several commits
lie between two measurements, \`pawl bisect\` finds the one at fault.

Examples:
  pawl trend                                     everything that was measured
  pawl trend attention-hopper/training_512 --since 90d
  pawl trend attention-hopper --out trend.html
${EXIT_CODE_HELP}`,
    )
    .action((names: string[], flags: TrendFlags) =>
      runAction(flags, async (door) => {
        const { trend } = await import('../workflows/trend.ts');
        const { json: _, ...rest } = flags;
        const report = await trend({ ...defined(rest), names });
        await door.tell(report, async () =>
          (await import('../report/terminal/trend-terminal.ts')).renderTrendTerminal(report, door),
        );
        return EXIT.good;
      }),
    );
}
