import { createInterface } from 'node:readline/promises';

import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import type { AdoptReport, Missing } from '../model/reports/adopt-report.ts';
import { EXIT, EXIT_CODE_HELP, exitOf, FAILURE_EXIT } from './exit-codes.ts';
import { measuringOptions, withMeasuring, type MeasuringFlags } from './option-groups.ts';
import { list } from './options.ts';
import { runAction, type Door } from './run-action.ts';
import { toldOptions, withTold, type ToldFlags } from './told-options.ts';

interface AdoptFlags extends MeasuringFlags, ToldFlags {
  readonly candidate?: string;
  readonly case?: string[];
  readonly out?: string;
  readonly run?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

export function adoptCommand(): Command {
  const command = new Command('adopt')
    .argument(
      '<path>',
      'a C, C++, CUDA or Python file, a task.yml, a definition in JSON, or a folder with one',
    )
    .option(
      '--candidate <file>',
      "a solution to a suite's problem: ModelNew (KernelBench), custom_kernel (GPU MODE) or JSON (FlashInfer-Bench)",
    )
    .option('--case <case>', 'with --run: measure this case only; repeatable', list)
    .addOption(new Option('-o, --out <folder>', "the project's folder (default: the file's folder)"))
    .option('--run', 'measure it at once, in a temporary folder; write nothing')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--force', 'overwrite existing files');
  return withMeasuring(withTold(command), {
    processes: 'with --run: fresh processes per case (default 5)',
    samples: 'with --run: samples per process (default 30 on a CPU, 100 on a GPU)',
    json: 'what was found, assumed and written as JSON (schema pawl.adopt/1); with --run the judgement (pawl.judgement/1)',
  })
    .addHelpText(
      'after',
      `
Give the shapes that the file does not state with --shape, or at the prompt on a terminal. Otherwise they become
TODO lines in pawl.yaml, and the exit code is 65. Assumptions are printed and noted in pawl.yaml. Existing files are
not overwritten without --force. docs/bring-your-kernel.md has an example of each kind of file.

Examples:
  pawl adopt softmax.cpp --shape x=rows,cols --shape y=rows,cols
  pawl adopt softmax.cpp --shape x=rows,cols --shape y=rows,cols --run
  pawl adopt scale.cu --shape x=rows,cols --shape y=rows,cols --out adopted
  pawl adopt rows.py --shape x=rows,cols --run
  pawl adopt scaled.py --shape x=n --shape out=n --out scaled
  pawl adopt block.py --init '{"width": 256}' --shape x=rows,256 --run
  pawl adopt scaled_linear.py --candidate scaled_linear_new.py --run
  pawl adopt rowscale/task.yml --candidate faster.py --run
  pawl adopt definition.json --workload workload.jsonl --candidate solution.json --run
${EXIT_CODE_HELP}`,
    )
    .action((path: string, flags: AdoptFlags) =>
      runAction(flags, async (door) => {
        if (flags.run === true && flags.json === true) return printJudgement(path, flags, door);
        const { adopt } = await import('../workflows/adopt.ts');
        const isAsking = process.stdin.isTTY && process.stdout.isTTY && flags.json !== true;
        const { out, run, dryRun, force, candidate: solution } = flags;
        const report = await adopt({
          path,
          ...toldOptions(flags),
          ...defined({ out, run, dryRun, force, solution, cases: flags.case }),
          ...measuringOptions(flags, door),
          ...(isAsking && { ask }),
        });
        await door.tell(report, async () =>
          (await import('../report/terminal/adopt-terminal.ts')).renderAdopt(report, {
            ...door,
            cwd: process.cwd(),
          }),
        );
        return exitCode(report);
      }),
    );
}

/** The reference against itself, or a submission against its reference. */
async function printJudgement(path: string, flags: AdoptFlags, door: Door): Promise<number> {
  const { judge } = await import('../workflows/judge.ts');
  const judgement = await judge(path, flags.candidate === undefined ? 'reference' : [flags.candidate], {
    ...toldOptions(flags),
    ...defined({ cases: flags.case }),
    ...measuringOptions(flags, door),
  });
  door.print(JSON.stringify(judgement, undefined, 2));
  return exitOf(judgement.verdict);
}

/** A project that lacks something is bad data until it is told. */
function exitCode({ run, missing }: AdoptReport): number {
  if (missing.length > 0) return FAILURE_EXIT['bad-data'];
  return run === undefined ? EXIT.good : EXIT[run.result];
}

async function ask({ name }: Missing, dims: readonly string[]): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`Shape of ${name}, over ${dims.join(', ')} (empty: later): `);
    return answer.trim() === '' ? undefined : answer.trim();
  } finally {
    prompt.close();
  }
}
