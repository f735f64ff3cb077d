import { Command, InvalidArgumentError, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { IMPORT_FORMATS, type ImportFormat } from '../model/reports/import-report.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { moment, positiveInteger, regularExpression } from './options.ts';
import { runAction } from './run-action.ts';

interface ImportFlags {
  readonly from: ImportFormat | 'auto';
  readonly kernel?: string;
  readonly caseFrom?: RegExp;
  readonly device?: string;
  readonly commit?: string;
  readonly commitTime?: Date;
  readonly process?: number;
  readonly unit?: 'ns' | 'us' | 'ms' | 's';
  readonly out?: string;
  readonly json?: boolean;
}

export function importCommand(): Command {
  return new Command('import')
    .argument('<file...>', 'one run per file; several runs of a benchmark become its processes')
    .addOption(
      new Option('--from <format>', 'the format of the files')
        .choices(['auto', ...IMPORT_FORMATS])
        .default('auto'),
    )
    .option('--kernel <kernel>', 'the kernel that was measured')
    .option(
      '--case-from <regex>',
      "take kernel and case from the tool's names, by groups with these names",
      names,
    )
    .option('--device <name>', 'the device, if the files do not say')
    .option('--commit <commit>', 'the commit that was measured')
    .option('--commit-time <when>', 'when it was committed, if git does not know it here', moment)
    .option('--process <n>', 'the number of the first process (default 1)', positiveInteger)
    .addOption(
      new Option('--unit <unit>', 'the unit of times, if the files do not say').choices([
        'ns',
        'us',
        'ms',
        's',
      ]),
    )
    .option('-o, --out <file>', 'write the samples here (schema pawl.samples/1); - for standard output')
    .option('--json', 'print what was understood as JSON (schema pawl.import/1)')
    .addHelpText(
      'after',
      `
Times are converted to milliseconds. What cannot be understood is left out and reported. Samples are never made up:
files without samples are judged by their summaries, with wide intervals. A run of a tool is one process, so run the
benchmark several times: a sound comparison needs replication (docs/adapters.md). Pickles are never loaded.

Examples:
  pawl import result.json -o samples.json
  pawl import run1.json run2.json run3.json run4.json --commit v1.2 -o before.json
  pawl import target/criterion -o samples.json
  pawl import bench.json --case-from '(?<kernel>[^/]+)/(?<case>.*)' -o samples.json
${EXIT_CODE_HELP}`,
    )
    .action((files: readonly string[], flags: ImportFlags) =>
      runAction(flags, async (door) => {
        const { importFiles } = await import('../workflows/import.ts');
        const { json: _, from, ...rest } = flags;
        const { report, samples } = await importFiles({ files, from, ...defined(rest) });
        if (flags.out === '-') door.print(JSON.stringify(samples, undefined, 1));
        else
          await door.tell(report, async () =>
            (await import('../report/terminal/import-terminal.ts')).renderImport(report, door),
          );
        return EXIT.good;
      }),
    );
}

function names(text: string): RegExp {
  const regex = regularExpression(text);
  if (!/\(\?<(?:kernel|case)>/u.test(text)) {
    throw new InvalidArgumentError('Expected a group named kernel or case: (?<case>…).');
  }
  return regex;
}
