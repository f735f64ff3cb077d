import { setTimeout as sleep } from 'node:timers/promises';

import { Command, InvalidArgumentError, Option } from 'commander';

import type { CiRun } from '../model/reports/ci-run.ts';
import { defined } from '../model/defined.ts';
import {
  autoProfileOption,
  comparingOptions,
  judgingOptions,
  withComparingOptions,
  type ComparingFlags,
} from './comparing.ts';
import { EXIT_CODE_HELP, FAILURE_EXIT, exitOf } from './exit-codes.ts';
import { acceptLoadOption } from './options.ts';
import { runAction } from './run-action.ts';

interface CiRunFlags extends ComparingFlags {
  readonly baseline?: string;
  readonly base?: string;
  readonly undecided: 'pass' | 'fail';
  readonly profile: 'auto' | 'always' | 'never';
  readonly rules: 'base' | 'head';
  readonly event: 'auto' | 'none';
  readonly comment: boolean;
  readonly key: string;
  readonly dashboard?: string;
  readonly update?: boolean;
  readonly propose?: boolean;
  readonly acceptLoad?: boolean;
}

/** Where everything goes. Not a hidden folder: uploads leave those out. */
export const OUT = 'pawl-ci';

export function ciRunCommand(): Command {
  return withComparingOptions(
    new Command('run')
      .description(
        'doctor, build, correctness, benchmark, ratchet, profile, report; the default of `pawl ci`',
      )
      .option(
        '--base <commit>',
        'the commit or branch that the change will be merged into (default: from the event)',
      )
      .option('--baseline <file>', 'the baseline file (default: pawl-baseline.json beside pawl.yaml)')
      .addOption(
        new Option('--undecided <policy>', 'how undecided cases affect the job')
          .choices(['pass', 'fail'])
          .default('pass'),
      )
      .addOption(autoProfileOption())
      .addOption(
        new Option('--rules <whose>', 'whose pawl.yaml and baseline judge a change')
          .choices(['base', 'head'])
          .default('base'),
      )
      .option('--update', 'on the default branch: update the baseline file')
      .option(
        '--propose',
        'on the default branch: write the updated baseline to --out, for `pawl ci baseline`',
      )
      .addOption(acceptLoadOption('with --update or --propose: write entries'))
      .addOption(
        new Option('--event <how>', 'auto: from GitHub; none: for another CI')
          .choices(['auto', 'none'])
          .default('auto'),
      ),
    'the run as JSON (schema pawl.ci/1)',
  )
    .option('--no-comment', 'no comment or check run; only the summary and the files')
    .addOption(keyOption())
    .option('--dashboard <url>', 'link to a dashboard from the comment')
    .addHelpText(
      'after',
      `
On a pull request, oracles, tolerances, cases, thresholds, measure settings and the baseline are those of the commit
that the change starts from, never its own. What the change alters about them is shown, and the run is undecided at
best until a person accepts it (--accept-judge-change). Everything is written to --out (default
${OUT}/): ci.json, comment.md, report.html, samples, pictures, profiles. The token for the comment is read from
$PAWL_GITHUB_TOKEN or $GITHUB_TOKEN; builds and kernels do not see it, but a step without it is safer: \`pawl ci post\`
comments from another job.

Examples:
  pawl ci                                    in a GitHub workflow
  pawl ci --event none --base origin/main    in any other CI (docs/ci.md)
  pawl ci --update                           on main: also update the baseline
  pawl ci --propose --no-comment             on main, for untrusted kernels: propose, without token or key
${EXIT_CODE_HELP}`,
    )
    .action((flags: CiRunFlags) =>
      runAction(flags, async (door) => {
        const { runInCi } = await import('../ci/run-in-ci.ts');
        const { run, posted, bug } = await runInCi({
          ...comparingOptions(flags, door),
          ...defined({
            baseline: flags.baseline,
            base: flags.base,
            update: flags.update,
            propose: flags.propose,
            acceptLoad: flags.acceptLoad,
            dashboard: flags.dashboard,
          }),
          out: flags.out ?? OUT,
          policy: judgingOptions(flags),
          undecided: flags.undecided,
          profile: flags.profile,
          rules: flags.rules,
          event: flags.event,
          comment: flags.comment,
          key: flags.key,
          env: process.env,
          // Beside JSON, the log of the job is standard error.
          print: (line) => (flags.json === true ? process.stderr.write(`${line}\n`) : door.print(line)),
          now: () => new Date(),
          random: Math.random,
          sleep: (duration_ms) => sleep(duration_ms),
        });
        if (bug instanceof Error) process.stderr.write(`${bug.stack ?? bug.message}\n`);
        await door.tell(run, async () =>
          (await import('../report/terminal/ci-terminal.ts')).renderCiTerminal(run, posted.fallbacks, door),
        );
        return ciExit(run);
      }),
    );
}

/** Green where the conclusion is; a run that could not be made is told from one that found something. */
function ciExit({ conclusion, verdict, failure }: CiRun): number {
  if (conclusion !== 'failure') return 0;
  return verdict === 'failed' ? FAILURE_EXIT[failure?.kind ?? 'internal'] : exitOf(verdict);
}

export function keyOption(): Option {
  const words = 'a name that tells several configurations in one repository apart';
  return new Option('--key <name>', words).argParser(commentKey).default('default');
}

/** It stands in a hidden line of the comment and in the name of a check. */
function commentKey(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,59}$/u.test(text) && !text.includes('--')) return text;
  throw new InvalidArgumentError('Expected a name of letters, digits, `.`, `_` and single `-`.');
}
