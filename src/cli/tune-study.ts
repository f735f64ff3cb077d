/** What is done with a study that there is: `pawl tune show` and `pawl tune apply`. */
import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface ApplyFlags {
  readonly config?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function applyCommand(): Command {
  return new Command('apply')
    .description("make a study's confirmed winner the default in pawl.yaml; comments and formatting stay")
    .argument('[study]', 'its id (default: the latest)')
    .addOption(configOption())
    .option('--force', 'also apply a winner that was not confirmed')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'print what changed as JSON')
    .addHelpText('after', EXIT_CODE_HELP)
    .action((id: string | undefined, _own: ApplyFlags, command: Command) => {
      const flags = command.optsWithGlobals<ApplyFlags>();
      return runAction(flags, async (door) => {
        const { applyStudy } = await import('../workflows/tune.ts');
        const { config, force, dryRun } = flags;
        const applied = await applyStudy(defined({ config, id, force, dryRun }));
        const { study, ...rest } = applied;
        await door.tell({ study: study.id, ...rest }, () => appliedText(applied));
        return EXIT.good;
      });
    });
}

export function showCommand(): Command {
  return new Command('show')
    .description('show a study, also while it runs')
    .argument('[study]', 'its id (default: the latest)')
    .addOption(configOption())
    .option('--json', 'print the study as JSON (schema pawl.study/1)')
    .addHelpText('after', EXIT_CODE_HELP)
    .action((id: string | undefined, _own: object, command: Command) => {
      const flags = command.optsWithGlobals<{ readonly config?: string; readonly json?: boolean }>();
      return runAction(flags, async (door) => {
        const { showStudy } = await import('../workflows/tune.ts');
        const study = await showStudy(defined({ config: flags.config, id }));
        const { renderStudyTerminal } = await import('../report/terminal/study-terminal.ts');
        await door.tell(study, () => renderStudyTerminal(study, door));
        return EXIT.good;
      });
    });
}

export function appliedText({
  changes,
  diff,
  path,
  written,
}: {
  readonly changes: readonly unknown[];
  readonly diff: readonly string[];
  readonly path: string;
  readonly written: boolean;
}): string {
  if (changes.length === 0) return `${path} already has these defaults.`;
  return `${path}\n${diff.join('\n')}\n${written ? 'written' : 'not written'}`;
}
