import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { deviceOptions, withDevice, type DeviceFlags } from './option-groups.ts';
import { acceptLoadOption, positiveInteger } from './options.ts';
import { runAction } from './run-action.ts';

interface ShowFlags extends DeviceFlags {
  readonly calibrate?: boolean;
  readonly only?: 'cpu' | 'cuda';
  readonly threads?: number;
  readonly acceptLoad?: boolean;
}

export function deviceCommand(): Command {
  const command = new Command('device')
    .option('--calibrate', 'measure the peak rates: copy bandwidth, matrix rate, multiply-adds')
    .addOption(new Option('--only <kind>', 'only these devices').choices(['cpu', 'cuda']))
    .option(
      '--threads <n>',
      'calibrate the CPU for this many threads (default: one, and all)',
      positiveInteger,
    )
    .addOption(acceptLoadOption('with --calibrate: keep ceilings'));
  return withDevice(command, 'the report as JSON (schema pawl.device/1)', 'with --calibrate: ')
    .addHelpText(
      'after',
      `
Peak rates (ceilings) are measured with Pawl's own kernels and kept for this user and device. \`pawl bench\` and
\`pawl profile\` then say how close a kernel comes to them (docs/profiling.md). A calibration that other work disturbed
is not kept (exit code 2): calibrate on an idle machine, or accept it with --accept-load.

Examples:
  pawl device
  pawl device --calibrate --wait 10m
${EXIT_CODE_HELP}`,
    )
    .action((flags: ShowFlags) =>
      runAction(flags, async (door) => {
        const { showDevices } = await import('../workflows/device.ts');
        const report = await showDevices({
          ...defined({ calibrate: flags.calibrate, only: flags.only, acceptLoad: flags.acceptLoad }),
          ...(flags.threads === undefined ? {} : { threads: [flags.threads] }),
          ...deviceOptions(flags, door),
        });
        await door.tell(report, async () =>
          (await import('../report/terminal/device-terminal.ts')).renderDevices(report, door),
        );
        return report.not_kept === undefined ? EXIT.good : EXIT.undecided;
      }),
    );
}
