import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { positiveInteger, seconds, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface DeviceFlags {
  readonly calibrate?: boolean;
  readonly only?: 'cpu' | 'cuda';
  readonly gpu: number;
  readonly threads?: number;
  readonly wait: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function deviceCommand(): Command {
  return new Command('device')
    .description('what this machine computes with, and what it does at best as measured on it')
    .option('--calibrate', 'measure the ceilings: copy bandwidth, matrix rate, multiply-adds')
    .addOption(new Option('--only <kind>', 'only these devices').choices(['cpu', 'cuda']))
    .option('--gpu <index>', 'which GPU to calibrate, as nvidia-smi counts', wholeNumber, 0)
    .option('--threads <n>', 'calibrate the CPU for so many threads (default: one, and all)', positiveInteger)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('--json', 'print the report as JSON (schema pawl.device/1)')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
Ceilings are measured with Pawl's own kernels, checked against nothing but the clock, and kept for this user and
device. \`pawl bench\` and \`pawl profile\` then say how far a kernel is from them (docs/profiling.md).
What other work disturbed is marked and used by nothing: calibrate on an idle machine.

Examples:
  pawl device
  pawl device --calibrate --wait 600
${EXIT_CODE_HELP}`,
    )
    .action((flags: DeviceFlags) =>
      runAction(flags, async (door) => {
        const { showDevices } = await import('../workflows/device.ts');
        const report = await showDevices({
          ...defined({ calibrate: flags.calibrate, only: flags.only }),
          ...(flags.threads === undefined ? {} : { threads: [flags.threads] }),
          gpu: flags.gpu,
          wait_s: flags.wait,
          signal: door.signal,
          onProgress: door.onProgress,
        });
        if (flags.json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderDevices } = await import('../report/device-terminal.ts');
          door.print(renderDevices(report, { color: door.color }));
        }
        return EXIT.good;
      }),
    );
}
