import { setTimeout as sleep } from 'node:timers/promises';

import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { keyOption } from './ci-run.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { percent } from './options.ts';
import { runAction } from './run-action.ts';

interface PublishFlags {
  readonly workflow?: string;
  readonly artifact?: string;
  readonly key: string;
  readonly threshold?: number;
  readonly improvement?: number;
  readonly undecided?: 'pass' | 'fail';
  readonly json?: boolean;
}

export function ciPublishCommand(): Command {
  return new Command('publish')
    .description('post the report of an untrusted run, from a separate workflow')
    .option(
      '--workflow <path>',
      'the workflow whose runs are published (default: .github/workflows/pawl.yml)',
    )
    .option('--artifact <name>', 'the artifact with its report (default: pawl-ci)')
    .addOption(keyOption())
    .option(
      '--threshold <percent>',
      "the gate's regression threshold; it also applies to a report with a looser one",
      percent,
    )
    .option('--improvement <percent>', "the gate's improvement threshold", percent)
    .addOption(
      new Option('--undecided <policy>', 'the conclusion for undecided cases').choices(['pass', 'fail']),
    )
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
For a workflow on: workflow_run, with pull-requests: write, checks: write and actions: read. It checks nothing out
and runs nothing of the pull request. The author of the run comes from GitHub's API; the artifact is treated as hostile
(docs/security.md). What cannot be read safely is not shown: exit code 65, and a neutral check run that says so.
A run whose branch has moved on, or whose pull request is closed, is ignored.

Environment: PAWL_GITHUB_TOKEN or GITHUB_TOKEN, and what GitHub sets: the event, the repository, its addresses, the
files of summary and outputs (verdict, conclusion, comment-id).

Examples:
  pawl ci publish
  pawl ci publish --workflow .github/workflows/gpu.yml --threshold 3 --undecided fail
${EXIT_CODE_HELP}`,
    )
    .action((flags: PublishFlags) =>
      runAction(flags, async (door) => {
        const { publishInCi } = await import('../ci/publish-in-ci.ts');
        const { publishJson, publishText } = await import('../ci/publish-text.ts');
        const { workflow, artifact, undecided } = flags;
        const outcome = await publishInCi({
          ...defined({ workflow, artifact, undecided }),
          key: flags.key,
          thresholds: defined({ regression_pct: flags.threshold, improvement_pct: flags.improvement }),
          env: process.env,
          signal: door.signal,
          now: () => new Date(),
          random: Math.random,
          sleep: (duration_ms) => sleep(duration_ms),
        });
        door.print(flags.json === true ? publishJson(outcome) : publishText(outcome));
        return EXIT.good;
      }),
    );
}
