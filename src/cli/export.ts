import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../model/reports/import-report.ts';
import { MODES, type Mode } from '../model/problem/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { deviceOptions, withDevice, type DeviceFlags } from './option-groups.ts';
import { configOption, list, wholeNumber } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface ExportFlags extends DeviceFlags {
  readonly to?: ExportFormat;
  readonly out?: string;
  readonly torch?: readonly string[];
  readonly config?: string;
  readonly case?: readonly string[];
  readonly study?: readonly string[];
  readonly mode?: Mode;
  readonly device?: string;
  readonly name?: string;
  readonly fallback?: string;
  readonly fuzz?: number | false;
  readonly force?: boolean;
}

export function exportCommand(): Command {
  const command = new Command('export')
    .argument('[file]', 'output of pawl bench, pawl import, pawl compare --json or pawl check --json')
    .addOption(new Option('--to <format>', 'the format').choices([...EXPORT_FORMATS]))
    .option('-o, --out <path>', 'the file to write; with --torch, the folder of the package')
    .option(
      '--torch <kernel>',
      'write a PyTorch operator from the confirmed best of this kernel; repeat or separate by commas',
      list,
    )
    .addOption(configOption())
    .option('--case <name>', 'with --torch: only these cases', list)
    .option('--study <file>', 'with --torch: the trials.json of a study whose winner was confirmed', list)
    .addOption(new Option('--mode <mode>', 'with --torch: the mode whose times count').choices([...MODES]))
    .option('--device <name>', 'with --torch: the model of device, where the baseline has several')
    .option('--name <name>', 'with --torch: of the package and its operator (default: pawl_KERNEL, KERNEL)')
    .option('--fallback <module:function>', 'with --torch: takes shapes that were not proven')
    .option('--fuzz <n>', 'with --torch: generated cases to run for each variant (default: 100)', wholeNumber)
    .option('--no-fuzz', 'with --torch: rely on what the baseline says of results')
    .option('--force', 'with --torch: replace an earlier export');
  return withDevice(
    command,
    'with --torch: the report as JSON (schema pawl.torch-export/1)',
    'with --torch: ',
  )
    .addHelpText(
      'after',
      `
junit: a case is a test; regressed and incorrect fail, undecided is skipped. bencher: Bencher Metric Format, latency
in ns. google-benchmark: samples as repetitions. csv: RFC 4180; text that a spreadsheet would run as a formula is
prefixed with an apostrophe.

--torch writes a Python package: an operator that torch.compile supports, a table of the variant for each shape,
the kernels' libraries and sources, the baseline, and the evidence that results are right (docs/pytorch.md). Kernels of
one problem may be exported together. Only confirmed kernels are exported (otherwise exit code 65).

Examples:
  pawl check --json > check.json; pawl export check.json --to junit -o junit.xml
  pawl export samples.json --to csv
  pawl export --torch attention-cpu
  pawl export --torch attention-hopper,attention-hopper-128 --name attention
${EXIT_CODE_HELP}`,
    )
    .action((file: string | undefined, flags: ExportFlags) =>
      runAction(flags, async (door) =>
        flags.torch === undefined ? exportDocument(file, flags, door) : exportOperator(file, flags, door),
      ),
    );
}

async function exportDocument(
  file: string | undefined,
  { to, out }: ExportFlags,
  door: Door,
): Promise<number> {
  if (file === undefined || to === undefined) {
    throw new PawlError(
      'usage',
      file === undefined ? 'Nothing to export: no file or kernel given.' : 'No format given.',
      'Give a file and a format, `pawl export samples.json --to csv`, or a kernel, `pawl export --torch KERNEL`.',
    );
  }
  const { exportFile } = await import('../workflows/export.ts');
  const text = await exportFile({ file, to, out });
  if (out === undefined) door.print(text);
  return EXIT.good;
}

async function exportOperator(file: string | undefined, flags: ExportFlags, door: Door): Promise<number> {
  if (file !== undefined || flags.to !== undefined) {
    throw new PawlError('usage', '--torch cannot be combined with a file or --to.');
  }
  const { exportTorch } = await import('../workflows/export-torch.ts');
  const { config, out, mode, device, name, fallback, fuzz, force } = flags;
  const report = await exportTorch({
    kernels: flags.torch ?? [],
    ...defined({ config, out, mode, device, name, fallback, fuzz, force }),
    ...defined({ cases: flags.case, studies: flags.study }),
    ...deviceOptions(flags, door),
  });
  await door.tell(report, async () =>
    (await import('../report/terminal/export-torch-terminal.ts')).renderTorchExport(report, door),
  );
  return EXIT.good;
}
