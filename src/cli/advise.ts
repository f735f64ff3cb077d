import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { Variant } from '../model/problem/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { deviceOptions, variantOption, withDevice, type DeviceFlags } from './option-groups.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface AdviseFlags extends DeviceFlags {
  readonly config?: string;
  readonly case?: string;
  readonly profile?: string;
  readonly measure?: boolean;
  readonly variant?: Variant;
  readonly verbose?: boolean;
}

export function adviseCommand(): Command {
  const when = 'with --measure: ';
  const command = new Command('advise')
    .argument('[kernel]', 'a kernel of pawl.yaml (default: its only one, or that of the latest profile)')
    .addOption(configOption())
    .option('--case <case>', 'the case that was profiled')
    .option('--profile <file>', 'a CSV or .ncu-rep of Nsight Compute (default: the latest pawl profile)')
    .option('--measure', 'take a profile now')
    .addOption(variantOption(when))
    .option('-v, --verbose', 'also show the recorded outcomes behind each rank');
  return withDevice(command, 'the advice as JSON (schema pawl.advice/1)', when)
    .addHelpText(
      'after',
      `
The rules of \`pawl diagnose\` give an upper bound for each fix. Recorded outcomes of such fixes, first of all those
on the same kind of kernel and device, turn it into an expected gain with an interval. Without recorded outcomes, the
rules' own order is kept, and the output says so (docs/advice.md).

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
          ...deviceOptions(flags, door),
          env: process.env,
        });
        await door.tell(advice, async () =>
          (await import('../report/terminal/advice-terminal.ts')).renderAdvice(advice, door),
        );
        return EXIT.good;
      }),
    );
}
