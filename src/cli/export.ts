import { Command, Option } from 'commander';

import { EXPORT_FORMATS, type ExportFormat } from '../model/import-report.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface ExportFlags {
  readonly to: ExportFormat;
  readonly out?: string;
}

export function exportCommand(): Command {
  return new Command('export')
    .argument('<file>', 'from pawl bench, pawl import, pawl compare --json or pawl check --json')
    .addOption(new Option('--to <format>', 'the format').choices([...EXPORT_FORMATS]).makeOptionMandatory())
    .option('-o, --out <file>', 'write it here instead of printing it')
    .addHelpText(
      'after',
      `
junit: a case is a test; regressed and incorrect fail, undecided is skipped. bencher: Bencher Metric Format, latency
in ns. google-benchmark: samples as repetitions. csv: RFC 4180; text that a spreadsheet would run as a formula gets an
apostrophe before it.

Examples:
  pawl check --json > check.json; pawl export check.json --to junit -o junit.xml
  pawl export samples.json --to csv
${EXIT_CODE_HELP}`,
    )
    .action((file: string, { to, out }: ExportFlags) =>
      runAction({}, async (door) => {
        const { exportFile } = await import('../workflows/export.ts');
        const text = await exportFile({ file, to, out });
        if (out === undefined) door.print(text);
        return EXIT.good;
      }),
    );
}
