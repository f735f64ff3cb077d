import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { DEFAULT_WINDOW_DAYS } from '../model/text/moment.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, moment } from './options.ts';
import { runAction } from './run-action.ts';

interface ReportFlags {
  readonly html: string;
  readonly run?: string;
  readonly since?: Date;
  readonly store?: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function reportCommand(): Command {
  return new Command('report')
    .requiredOption('--html <file>', 'the page to write; it opens without a server and fetches nothing')
    .option('--run <id>', 'only this run and its cases; the beginning of its id is enough')
    .option(
      '--since <when>',
      `since when: a date (2026-07-01), or 12h, 30d, 8w (default: ${DEFAULT_WINDOW_DAYS}d)`,
      moment,
    )
    .option('--store <path|url>', "SQLite file or postgres:// address (default: the project's)")
    .addOption(configOption())
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
The page has the same views as pawl serve: overview, cases with their trends, runs with their samples, profiles,
studies and devices. Comparing any two points needs the server. All data is in the page itself: anyone who gets the
file can read it.

Examples:
  pawl report --html report.html
  pawl report --html run.html --run 3f9c2a71
  pawl report --html year.html --since 365d
${EXIT_CODE_HELP}`,
    )
    .action((flags: ReportFlags) =>
      runAction(flags, async (door) => {
        const { staticReport } = await import('../workflows/static-report.ts');
        const { json, html, ...rest } = flags;
        const report = await staticReport({ html, ...defined(rest), now: new Date(), signal: door.signal });
        const { path, bytes, cases, runs } = report;
        if (json === true) door.print(JSON.stringify(report));
        else door.print(`${path}: ${cases} cases and ${runs} runs, ${(bytes / 1e6).toFixed(1)} MB`);
        return EXIT.good;
      }),
    );
}
