import { createInterface } from 'node:readline/promises';

import { Command, InvalidArgumentError, Option } from 'commander';

import { defined } from '../model/defined.ts';
import type { AdoptReport, Missing } from '../model/adopt-report.ts';
import { EXIT, EXIT_CODE_HELP, FAILURE_EXIT } from './exit-codes.ts';
import { measuringOptions, withMeasuring, type MeasuringFlags } from './option-groups.ts';
import { list, variant } from './options.ts';
import { runAction } from './run-action.ts';

interface AdoptFlags extends MeasuringFlags {
  readonly function?: string;
  readonly class?: string;
  readonly init?: string;
  readonly shape?: Record<string, string>;
  readonly inout?: string[];
  readonly size?: Record<string, number>;
  readonly scalar?: Record<string, number>;
  readonly flags?: string;
  readonly oracle?: string;
  readonly grid?: string;
  readonly block?: string;
  readonly shared?: string;
  readonly candidate?: string;
  readonly workload?: string;
  readonly case?: string[];
  readonly device: 'cpu' | 'cuda' | 'auto';
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
    .option('--function <name>', 'the function or class to adopt; needed where there are several')
    .option('--class <name>', 'the nn.Module to adopt; needed where a file has more than that')
    .option('--init <json>', 'what an nn.Module is built with: a mapping or a list in JSON')
    .option('--shape <tensor=extents>', 'its shape, as in x=rows,cols; repeatable', shape)
    .option('--inout <tensor>', 'it is read and written; repeatable', list)
    .option('--size <dim=n>', 'sizes of the first case, as in rows=64,cols=1024; repeatable', sizes)
    .option('--scalar <name=value>', 'floating parameters, as in eps=1e-5; repeatable', numbers)
    .option('--flags <flags>', 'what it is compiled with, as in --flags="-O3 -march=native"')
    .option('--oracle <file.py:function>', 'a Python function that says what is right')
    .option(
      '--grid <formula>',
      'of a __global__ function: blocks, as in "ceildiv(n, 256)"; up to three, by commas',
    )
    .option('--block <formula>', 'of a __global__ function: threads of a block, as in 256 or "32, 8"')
    .option('--shared <formula>', 'of a __global__ function: bytes of dynamic shared memory (default 0)')
    .option(
      '--candidate <file>',
      "a solution of a suite's problem: with ModelNew (KernelBench), custom_kernel (GPU MODE) or in JSON (FlashInfer-Bench)",
    )
    .option('--workload <file.jsonl>', 'workloads of a definition of FlashInfer-Bench: they become its cases')
    .option('--case <case>', 'with --run: measure this case only; repeatable', list)
    .addOption(
      new Option('--device <device>', 'what a Python kernel runs on')
        .choices(['cpu', 'cuda', 'auto'])
        .default('auto'),
    )
    .addOption(new Option('-o, --out <folder>', "the project's folder (default: that of the file)"))
    .option('--run', 'measure it at once, in a temporary folder; write nothing')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--force', 'overwrite what is there');
  return withMeasuring(command, {
    processes: 'with --run: fresh processes per case (default 5)',
    samples: 'with --run: samples a process aims at (default 30 on a CPU, 100 on a GPU)',
    json: 'what was found, assumed and written as JSON (schema pawl.adopt/1)',
  })
    .addHelpText(
      'after',
      `
What cannot be known is asked for: shapes with --shape or, on a terminal, at a prompt; else they are TODO lines in
pawl.yaml, and the exit code is 65. What was assumed is said, and stands in pawl.yaml. Nothing that exists is
overwritten without --force. docs/bring-your-kernel.md has an example of each kind of file.

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
        const { adopt } = await import('../workflows/adopt.ts');
        const isAsking = process.stdin.isTTY && process.stdout.isTTY && flags.json !== true;
        const { function: name, shape: shapes, size, inout, oracle, out, run, dryRun, force, json } = flags;
        const { candidate: solution, workload, device, grid, block, shared, scalar: scalars } = flags;
        const report = await adopt({
          path,
          ...defined({ function: name, shapes, sizes: size, inout, oracle, out, run, dryRun, force }),
          ...defined({ class: flags.class, init: flags.init }),
          ...defined({
            flags: words(flags.flags),
            solution,
            workload,
            cases: flags.case,
            device,
            grid,
            block,
            shared,
            scalars,
          }),
          ...measuringOptions(flags, door),
          ...(isAsking && { ask }),
        });
        if (json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderAdopt } = await import('../report/adopt-terminal.ts');
          door.print(renderAdopt(report, { color: door.color, columns: door.columns, cwd: process.cwd() }));
        }
        return exitCode(report);
      }),
    );
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

function words(text: string | undefined): string[] | undefined {
  return text?.split(/\s+/u).filter((word) => word !== '');
}

function shape(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const equals = text.indexOf('=');
  const [name, extents] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
  if (equals < 1 || extents === '')
    throw new InvalidArgumentError('Expected TENSOR=EXTENTS, as in x=rows,cols.');
  return { ...before, [name]: extents };
}

function numbers(text: string, before: Record<string, number> | undefined): Record<string, number> {
  const read = variant(text, before);
  for (const [name, value] of Object.entries(read)) {
    if (typeof value !== 'number') throw new InvalidArgumentError(`${name} is not a number.`);
  }
  return read as Record<string, number>;
}

function sizes(text: string, before: Record<string, number> | undefined): Record<string, number> {
  const read = variant(text, before);
  for (const [name, value] of Object.entries(read)) {
    if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(`${name} is not a whole number.`);
  }
  return read as Record<string, number>;
}
