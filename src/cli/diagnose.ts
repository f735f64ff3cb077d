import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { regularExpression, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface DiagnoseFlags {
  readonly compare?: boolean;
  readonly launch?: number;
  readonly kernel?: RegExp;
  readonly source?: string;
  readonly out?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export function diagnoseCommand(): Command {
  return new Command('diagnose')
    .argument('<file...>', 'a CSV from ncu (raw or details page), an .ncu-rep, or - for standard input')
    .option('--compare', 'compare two files, BEFORE and AFTER: what changed, and the likely cause')
    .option('--launch <number>', "only the launch with this number (ncu's ID)", wholeNumber)
    .option('--kernel <regex>', 'only kernels whose name matches', regularExpression)
    .option('--source <file>', "ncu's source page of the same report as CSV: shows the lines that cost most")
    .option(
      '-o, --out <file>',
      'also write it as a page (.html), a block for a comment (.md) or an image (.svg, .png)',
    )
    .option(
      '-v, --verbose',
      "also show what ncu's own rules said, sources, and metrics that were not collected",
    )
    .option('--json', 'print the diagnosis as JSON (schema pawl.diagnosis/1)')
    .addHelpText(
      'after',
      `
The raw page has every metric and gives the fullest answer; the details page adds what ncu's rules said. Parts of a
file that cannot be understood are left out and reported, never guessed (docs/diagnose.md).

Examples:
  ncu --set full -k regex:^my_kernel -c 1 -f -o rep ./program
  ncu --import rep.ncu-rep --page raw --csv --print-units base > rep.csv
  pawl diagnose rep.csv
  pawl diagnose --compare before.csv after.csv --out change.html
  ncu --import rep.ncu-rep --page source --csv --print-source cuda,sass > rep.source.csv
  pawl diagnose rep.csv --source rep.source.csv
${EXIT_CODE_HELP}`,
    )
    .action((files: readonly string[], flags: DiagnoseFlags) =>
      runAction(flags, async (door) => {
        const { compareProfileFiles, diagnoseFile } = await import('../workflows/diagnose.ts');
        const { launch, kernel, source, out } = flags;
        const [first, second] = filesOf(files, flags.compare === true);
        const options = {
          ...defined({ launch, kernel, source, out }),
          env: process.env,
          signal: door.signal,
        };
        const diagnosis =
          second === undefined
            ? await diagnoseFile({ file: first, ...options })
            : await compareProfileFiles(first, { file: second, ...options });
        await door.tell(diagnosis, async () =>
          (await import('../report/terminal/diagnosis-terminal.ts')).renderDiagnosis(diagnosis, door),
        );
        if (out !== undefined && flags.json !== true) door.print(`\nWritten to ${out}`);
        return EXIT.good;
      }),
    );
}

function filesOf(files: readonly string[], isComparison: boolean): [string, string | undefined] {
  const [first, second, third] = files.map((file) => (file === '-' ? '/dev/stdin' : file));
  const isFitting = third === undefined && (second !== undefined) === isComparison;
  if (first !== undefined && isFitting) return [first, second];
  throw new PawlError(
    'usage',
    isComparison ? '--compare needs two files.' : 'Give one file, or two with --compare.',
    'pawl diagnose FILE, or pawl diagnose --compare BEFORE AFTER',
  );
}
