import { createInterface } from 'node:readline/promises';

import { Command, Option } from 'commander';

import type { Requirement } from '../workflows/runs/doctor.ts';
import { EXIT, EXIT_CODE_HELP, FAILURE_EXIT } from './exit-codes.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface DoctorFlags {
  readonly config?: string;
  readonly require?: Requirement[];
  readonly fix?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .addOption(configOption())
    .addOption(
      new Option('--require <things...>', 'also fail without these').choices(['gpu', 'profiler', 'python']),
    )
    .option('--fix', 'fix what can be fixed automatically, asking before each step')
    .option('-y, --yes', 'with --fix: do not ask')
    .option('--json', 'print the report as JSON (schema pawl.doctor/1)')
    .addHelpText(
      'after',
      `
What the project's kernels need decides what is required: CUDA kernels need nvcc and a GPU only where there is
a GPU, or where --require gpu says so. Everything else that is missing is advice.

Examples:
  pawl doctor                    check only
  pawl doctor --fix              fix, step by step
  pawl doctor --require gpu      the first step of a CI job on a GPU runner
${EXIT_CODE_HELP}`,
    )
    .action((flags: DoctorFlags) =>
      runAction(flags, async (door) => {
        const [{ runDoctor, applyFixes }, { tryProject }] = await Promise.all([
          import('../workflows/runs/doctor.ts'),
          import('../workflows/project.ts'),
        ]);
        const look = async () => {
          const loaded = await tryProject(flags.config);
          return runDoctor({ loaded, require: flags.require ?? [], signal: door.signal });
        };
        let report = await look();
        if (flags.fix === true) {
          const agree = flags.yes === true ? () => Promise.resolve(true) : askPerson;
          const outcomes = await applyFixes(
            report,
            (check, fix) => agree(`${check.title}: ${fix.description} (${fix.command.join(' ')})`),
            { signal: door.signal },
          );
          for (const { description, status, message } of outcomes) {
            process.stderr.write(
              `${status}: ${description}${message === undefined ? '' : ` (${message})`}\n`,
            );
          }
          report = await look();
        }
        await door.tell(report, async () =>
          (await import('../report/terminal/doctor-terminal.ts')).doctorTerminal(report, {
            color: door.color,
            columns: process.stdout.columns,
          }),
        );
        return report.ready ? EXIT.good : FAILURE_EXIT.unavailable;
      }),
    );
}

/** Asks on the terminal; without one, it does not ask. */
async function askPerson(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question}\n  do it? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
