import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { MODES, type Mode } from '../model/problem/mode.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { processesOption, withOutput, type OutputFlags } from './option-groups.ts';
import { configOption, list, moment } from './options.ts';
import { runAction } from './run-action.ts';

interface ThresholdsFlags extends OutputFlags {
  readonly config?: string;
  readonly store?: string;
  readonly from?: string[];
  readonly mode?: Mode;
  readonly device?: string;
  readonly since?: Date;
  readonly processes?: number;
}

export function thresholdsCommand(): Command {
  const command = new Command('thresholds')
    .argument('[NAME...]', 'kernels, cases or KERNEL/CASE (default: all of pawl.yaml)')
    .addOption(configOption())
    .option('--store <store>', "a history other than the project's: a file or a postgres:// address")
    .option('--from <path>', 'samples files instead of the history; repeat or separate by commas', list)
    .addOption(new Option('--mode <mode>', 'this mode only').choices(MODES))
    .option('--device <name>', 'only devices with this in their name')
    .option('--since <when>', 'a date (2026-07-01), or 12h, 30d, 8w: only runs since then', moment)
    .addOption(processesOption('the most processes per side that the gate uses (default 24)'));
  return withOutput(command, 'the thresholds as JSON (schema pawl.thresholds/1)')
    .addHelpText(
      'after',
      `
The noise between processes of a case limits how small a slowdown the gate can detect. This command replays the gate's
rule on the processes measured so far, and computes the smallest regression threshold at which 99 % of slowdowns of that
size are caught, at most 0.1 % of unchanged code fails, and at most 1 % is undecided. Cases that are too noisy for their
threshold are listed, with what they would need. Nothing is measured, and no file is changed: the lines for pawl.yaml
are printed (docs/guardrails.md#thresholds-of-single-cases).

Examples:
  pawl thresholds                                every case, from the history
  pawl thresholds attention-cpu --since 30d
  pawl thresholds --from samples.json
${EXIT_CODE_HELP}`,
    )
    .action((names: string[], flags: ThresholdsFlags) =>
      runAction(flags, async (door) => {
        const { thresholds } = await import('../workflows/thresholds.ts');
        const { json: _json, quiet: _quiet, from: samples, ...rest } = flags;
        const { signal, onProgress } = door;
        const report = await thresholds({ ...defined({ ...rest, samples }), names, signal, onProgress });
        await door.tell(report, async () =>
          (await import('../report/terminal/thresholds-terminal.ts')).renderThresholdsTerminal(report, door),
        );
        return EXIT.good;
      }),
    );
}
