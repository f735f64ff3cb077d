import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import type { BenchOptions } from '../workflows/runs/bench.ts';
import { slurmOptions, withEngineOptions, type SlurmFlags } from './engine-options.ts';
import { EXIT, EXIT_CODE_HELP, exitOf } from './exit-codes.ts';
import {
  measuringOptions,
  modesOption,
  onlyOption,
  seedOption,
  selectionOptions,
  variantOption,
  withMeasuring,
  type MeasuringFlags,
  type SelectionFlags,
} from './option-groups.ts';
import { configOption, list, wholeNumber } from './options.ts';
import { PawlError } from '../model/pawl-error.ts';
import { runAction, type Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

interface BenchFlags extends SlurmFlags, SelectionFlags, MeasuringFlags {
  readonly base?: string;
  readonly head: string;
  readonly warmup?: number;
  readonly stopping?: 'fixed' | 'precision' | 'stdrel' | 'entropy';
  readonly timing: 'blocked' | 'plain';
  readonly seed?: string;
  readonly check: boolean;
  readonly verified?: boolean;
  readonly checkOnly?: boolean;
  readonly out?: string;
  readonly history: boolean;
}

export function benchCommand(): Command {
  const command = new Command('bench')
    .argument('[kernel...]', 'kernels of pawl.yaml (default: all of them)')
    .addOption(configOption())
    .addOption(onlyOption('measure'))
    .option('--case <case>', 'measure these cases only', list)
    .addOption(variantOption())
    .addOption(modesOption())
    .option(
      '--warmup <n>',
      'samples per warm-up round (default 20; rounds go on until the clock is stable)',
      wholeNumber,
    )
    .addOption(
      new Option('--stopping <rule>', 'when a series has enough samples').choices([
        'fixed',
        'precision',
        'stdrel',
        'entropy',
      ]),
    )
    .addOption(
      new Option(
        '--timing <how>',
        'plain: without a blocking kernel, launch latency included; to compare with other tools',
      )
        .choices(['blocked', 'plain'])
        .default('blocked'),
    )
    .addOption(seedOption())
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--check-only', 'compare results with the oracle, and measure nothing')
    .option(
      '--verified',
      'also audit the kernels, and compare timed results with the oracle (as check and compare do)',
    )
    .option(
      '-o, --out <file.json>',
      'where to write the samples, with the reports beside them (default: .pawl/runs/…)',
    )
    .option('--no-history', 'do not keep the run in history (docs/history.md)')
    .option('--base <revision>', 'slurm: compare with this commit; both sides of a case run in the same job')
    .option('--head <revision>', 'slurm: the other commit', 'worktree');
  withMeasuring(command, {
    processes: 'fresh processes per case, the unit of replication (default 5)',
    json: 'the report as JSON (schema pawl.bench/1) on stdout',
  });
  return withSandboxOption(withEngineOptions(command, 'matrix'))
    .addHelpText(
      'after',
      `
Each kernel is built from the sources here, compared with its oracle, and then timed: every case in several
fresh processes, in random order. A kernel that hangs, crashes or cheats loses its own series; the run goes on.
Ctrl-C ends the run and keeps the measurements so far.

Examples:
  pawl bench                                     everything in pawl.yaml
  pawl bench attention-cpu --case small_128      one kernel, like --only attention-cpu
  pawl bench --mode cold,hot --processes 10      two modes, ten processes each
  pawl bench --variant BLOCK_M=64,THREADS=2      another variant of a tunable kernel
  pawl bench --check-only                        check results, time nothing
  pawl bench --json --out results/now.json       for scripts
  pawl bench --engine slurm --partition gpu      a job for each kernel and case (docs/cluster.md)
  pawl bench --engine slurm --base main          main against the working tree, case by case
${EXIT_CODE_HELP}`,
    )
    .action((kernels: readonly string[], flags: BenchFlags) =>
      runAction(flags, async (door) => {
        const slurm = slurmOptions(flags);
        const { base, head, json, warmup, stopping, timing, seed, check, verified, out, history } = flags;
        const asked = {
          ...selectionOptions(withKernels(flags, kernels)),
          ...measuringOptions(flags, door),
          ...defined({ warmup, stopping, seed, verified, out }),
          timing,
          check,
          timed: flags.checkOnly !== true,
          history,
        };
        if (flags.checkOnly === true && (!check || slurm !== undefined)) {
          throw new PawlError(
            'usage',
            `--check-only cannot be combined with ${check ? '--engine slurm' : '--no-check'}.`,
            'Remove one of them.',
          );
        }
        if (base !== undefined) return comparing(asked, { base, head }, slurm, door);
        const outcome =
          slurm === undefined
            ? await (await import('../workflows/runs/bench.ts')).bench(asked)
            : await (await import('../workflows/engine/bench-engine.ts')).benchOnCluster({ ...asked, slurm });
        if (json === true)
          door.print(JSON.stringify({ ...outcome.report, files: outcome.files }, undefined, 2));
        else {
          const { renderBenchTerminal } = await import('../report/terminal/bench-terminal.ts');
          door.print(renderBenchTerminal(outcome.report, door));
          door.print(`samples  ${outcome.files.samples}\nreport   ${outcome.files.html}\n`);
        }
        return EXIT[outcome.result];
      }),
    );
}

/** Kernels that are named as arguments are measured together with those of `--only`. */
function withKernels(flags: BenchFlags, kernels: readonly string[]): BenchFlags {
  return kernels.length === 0 ? flags : { ...flags, only: [...kernels, ...(flags.only ?? [])] };
}

/** A comparison is `pawl compare` where one machine does it. */
async function comparing(
  asked: Omit<BenchOptions, 'judge'>,
  sides: { readonly base: string; readonly head: string },
  slurm: ReturnType<typeof slurmOptions>,
  door: Door,
): Promise<number> {
  if (slurm === undefined) {
    throw new PawlError(
      'usage',
      '--base needs --engine slurm.',
      `On this machine: pawl compare --base ${sides.base}`,
    );
  }
  const { compareOnCluster } = await import('../workflows/engine/bench-engine.ts');
  const { report } = await compareOnCluster({ ...asked, ...sides, slurm });
  await door.tell(report, async () =>
    (await import('../report/terminal/comparison-terminal.ts')).renderComparisonTerminal(report, door),
  );
  return exitOf(report.verdict);
}
