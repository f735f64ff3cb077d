import { setTimeout as sleep } from 'node:timers/promises';

import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { keyOption, OUT } from './ci-run.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface CiPostFlags {
  readonly out: string;
  readonly key: string;
  readonly result?: 'success' | 'failure';
  readonly dashboard?: string;
  readonly json?: boolean;
}

export function ciPostCommand(): Command {
  return new Command('post')
    .description("post an earlier run's report, from a job that may write where the measuring job may not")
    .option('-o, --out <folder>', 'the folder that `pawl ci` wrote', OUT)
    .addOption(keyOption())
    .addOption(
      new Option('--result <result>', 'how the job that measured ended').choices(['success', 'failure']),
    )
    .option('--dashboard <url>', 'link to a dashboard from the comment')
    .option('--json', 'print what was posted as JSON')
    .addHelpText(
      'after',
      `
For code of this repository. Kernels ran where the report was written and may have tampered with it, so the verdict is
computed again from its numbers. For reports of forks, use \`pawl ci publish\`.
${EXIT_CODE_HELP}`,
    )
    .action((flags: CiPostFlags) =>
      runAction(flags, async (door) => {
        const { readContext } = await import('../ci/context.ts');
        const { readHandedOver } = await import('../ci/read-handed-over.ts');
        const { showReport } = await import('../ci/run-in-ci.ts');
        const context = await readContext(process.env);
        const { run, notice } = await readHandedOver(flags.out, context, flags.result);
        const posted = await showReport(run, context, {
          ...defined({ dashboard: flags.dashboard, notice }),
          key: flags.key,
          comment: true,
          env: process.env,
          print: (line) => (flags.json === true ? process.stderr.write(`${line}\n`) : door.print(line)),
          signal: door.signal,
          now: () => new Date(),
          random: Math.random,
          sleep: (duration_ms) => sleep(duration_ms),
        });
        if (flags.json === true) door.print(JSON.stringify(posted, undefined, 2));
        // The job that measured is the one that is red.
        return EXIT.good;
      }),
    );
}
