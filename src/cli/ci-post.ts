import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Command } from 'commander';

import { ciRunSchema, type CiRun } from '../model/ci-run.ts';
import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { commentKey, OUT } from './ci-run.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface CiPostFlags {
  readonly out: string;
  readonly key: string;
  readonly dashboard?: string;
  readonly json?: boolean;
}

export function ciPostCommand(): Command {
  return new Command('post')
    .description("show an earlier run's report: for a job that may write where the measuring one may not")
    .option('-o, --out <folder>', 'where `pawl ci` wrote', OUT)
    .option('--key <name>', 'tells several configurations in one repository apart', commentKey, 'default')
    .option('--dashboard <url>', 'link to a dashboard from the comment')
    .option('--json', 'print what was posted as JSON')
    .addHelpText(
      'after',
      `
For code of this repository. What a fork's run hands over is shown by \`pawl ci publish\`, which trusts none of it.
${EXIT_CODE_HELP}`,
    )
    .action((flags: CiPostFlags) =>
      runAction(flags, async (door) => {
        const { readContext } = await import('../ci/context.ts');
        const { showReport } = await import('../ci/run-in-ci.ts');
        const run = await readRun(join(flags.out, 'ci.json'));
        const posted = await showReport(run, await readContext(process.env), {
          ...defined({ dashboard: flags.dashboard }),
          out: flags.out,
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

async function readRun(path: string): Promise<CiRun> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new PawlError('usage', `There is no ${path}.`, '`pawl ci` writes it; --out names its folder.');
  }
  try {
    return ciRunSchema.parse(JSON.parse(text));
  } catch {
    throw new PawlError('bad-data', `${path} is not a run of \`pawl ci\`.`, 'Run `pawl ci` again.');
  }
}
