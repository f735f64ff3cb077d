import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { deviceOptions, processesOption, withDevice, type DeviceFlags } from './option-groups.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface PreflightFlags extends DeviceFlags {
  readonly config?: string;
  readonly case?: string;
  readonly reference?: string;
  readonly processes?: number;
  readonly verbose?: boolean;
}

export function preflightCommand(): Command {
  const command = new Command('preflight')
    .argument('[kernel]', 'a kernel of pawl.yaml (default: the only one)')
    .addOption(configOption())
    .option('--case <case>', "the case to work on (default: the kernel's first)")
    .option(
      '--reference <kernel|revision>',
      'the kernel or revision to compare with (default: another kernel of the problem, or the last commit)',
    )
    .addOption(processesOption('fresh processes per case (default 3: a quick look)'))
    .option('-v, --verbose', 'also show the evidence behind each gate');
  return withDevice(command, 'the report as JSON (schema pawl.preflight/1)')
    .addHelpText(
      'after',
      `
Each line is decided by a measurement taken now: what the doctor finds, shared memory computed before compiling, the
build, the smallest case against its oracle, and the reference's time. A ✗ or ? stops and names the next command; !
only warns. A project can add its own gates (docs/method.md).

Examples:
  pawl preflight attention-cpu
  pawl preflight attention-hopper --case training_512 --reference sdpa-cudnn
  pawl preflight my-kernel --reference HEAD~3 --json
${EXIT_CODE_HELP}`,
    )
    .action((kernel: string | undefined, flags: PreflightFlags) =>
      runAction(flags, async (door) => {
        const { preflight } = await import('../workflows/preflight.ts');
        const { config, reference, processes } = flags;
        const report = await preflight({
          ...defined({ config, kernel, case: flags.case, reference, processes }),
          ...deviceOptions(flags, door),
        });
        await door.tell(report, async () =>
          (await import('../report/terminal/gates-terminal.ts')).preflightTerminal(report, door),
        );
        return report.ready ? EXIT.good : EXIT.bad;
      }),
    );
}
