import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Command } from 'commander';

import type { BaselinePushOutcome } from '../ci/baseline-push.ts';
import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface CiBaselineFlags {
  readonly from: string;
  readonly config?: string;
  readonly baseline?: string;
  readonly remote: string;
  readonly allowFork?: boolean;
  readonly json?: boolean;
}

export function ciBaselineCommand(): Command {
  return new Command('baseline')
    .description('push what `pawl ci --propose` measured to the baseline of the default branch')
    .requiredOption(
      '--from <folder>',
      'the folder that `pawl ci --propose` wrote, from the job that measured',
    )
    .addOption(configOption())
    .option('--baseline <file>', 'the baseline file (default: pawl-baseline.json beside pawl.yaml)')
    .option('--remote <name>', 'the remote to push to', 'origin')
    .option('--allow-fork', 'this repository is a fork with its own baseline')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
Runs only in a GitHub workflow for a push to the default branch: never for a pull request, another branch, a tag or a
fork. Use a separate job with a fresh checkout: the job that measures runs kernels, so it gets neither the token nor
$PAWL_BASELINE_KEY, and its result is not trusted. The file is committed by itself. If another run pushed first, this
run's entries are added on top of its file: no entries are lost, nothing is forced. If a branch rule refuses the push,
the file is proposed as a pull request. The token is read from $PAWL_GITHUB_TOKEN or
$GITHUB_TOKEN.
${EXIT_CODE_HELP}`,
    )
    .action((flags: CiBaselineFlags) =>
      runAction(flags, async (door) => {
        const { pushBaselineForEvent } = await import('../ci/baseline-push.ts');
        const { githubFrom } = await import('../ci/github/github-from.ts');
        const { env } = process;
        const outcome = await pushBaselineForEvent({
          ...defined({ config: flags.config, baseline: flags.baseline, allowFork: flags.allowFork }),
          ...githubFrom(env, { now: () => new Date(), random: Math.random, sleep, signal: door.signal }),
          from: resolve(flags.from),
          remote: flags.remote,
          env,
          signal: door.signal,
        });
        await door.tell(outcome, () => outcomeText(outcome));
        return EXIT.good;
      }),
    );
}

function outcomeText(outcome: BaselinePushOutcome): string {
  switch (outcome.state) {
    case 'unchanged':
      return 'The baseline did not move.';
    case 'superseded':
      return ['The baseline stays as it is:', ...outcome.left_out.map((text) => `  left out  ${text}`)].join(
        '\n',
      );
    case 'pushed':
      return [
        `The baseline moved (${outcome.commit.slice(0, 10)}):`,
        ...outcome.taken.map((text) => `  entered   ${text}`),
        ...outcome.left_out.map((text) => `  left out  ${text}`),
      ].join('\n');
    case 'proposed':
      return `The branch refused the baseline (${outcome.why}): proposed as ${outcome.pull_request.url}`;
  }
}
