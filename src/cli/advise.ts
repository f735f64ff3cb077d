import process from 'node:process';

import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { Variant } from '../model/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, seconds, variant, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface AdviseFlags {
  readonly config?: string;
  readonly case?: string;
  readonly profile?: string;
  readonly measure?: boolean;
  readonly variant?: Variant;
  readonly gpu: number;
  readonly wait: number;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function adviseCommand(): Command {
  return new Command('advise')
    .description('what to try next, ranked by what such fixes brought in recorded sessions')
    .argument('[kernel]', 'a kernel of pawl.yaml (default: its only one, or that of the latest profile)')
    .addOption(configOption())
    .option('--case <case>', 'of which case the profile is')
    .option('--profile <file>', 'a CSV or .ncu-rep of Nsight Compute (default: the latest pawl profile)')
    .option('--measure', 'take a profile now')
    .option('--variant <NAME=VALUE>', 'with --measure: set tunables; the others keep their defaults', variant)
    .option('--gpu <index>', 'with --measure: which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'with --measure: wait this long for a device in use', seconds, 0)
    .option('-v, --verbose', 'also the recorded outcomes that each rank rests on')
    .option('--json', 'print the advice as JSON (schema pawl.advice/1)')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
The rules of \`pawl diagnose\` say what a fix could bring at most. What such fixes did bring in earlier sessions, on
this kind of kernel and device first of all, makes that an expectation with an interval; without any, the rules' own
order stands and it says so (docs/advice.md).

Examples:
  pawl advise attention-cuda --measure
  pawl advise attention-cuda --profile rep.csv --verbose
${EXIT_CODE_HELP}`,
    )
    .action((kernel: string | undefined, flags: AdviseFlags) =>
      runAction(flags, async (door) => {
        const { advise } = await import('../workflows/advise.ts');
        const { config, case: name, profile, measure, variant: tunables } = flags;
        const advice = await advise({
          ...defined({ config, kernel, case: name, profile, measure, variant: tunables }),
          gpu: flags.gpu,
          wait_s: flags.wait,
          env: process.env,
          signal: door.signal,
          onProgress: door.onProgress,
        });
        if (flags.json === true) door.print(JSON.stringify(advice, undefined, 2));
        else {
          const { renderAdvice } = await import('../report/advice-terminal.ts');
          const { color, columns } = door;
          door.print(renderAdvice(advice, { color, columns, verbose: flags.verbose === true }));
        }
        return EXIT.good;
      }),
    );
}
