import { Command, Option } from 'commander';

import type { Mode } from '../model/mode.ts';
import type { Variant } from '../model/variant.ts';
import type { BenchOptions } from '../workflows/runs/bench.ts';
import { slurmOptions, withEngineOptions, type SlurmFlags } from './engine-options.ts';
import { EXIT, EXIT_CODE_HELP, exitOf } from './exit-codes.ts';
import { configOption, list, modes, positiveInteger, seconds, variant, wholeNumber } from './options.ts';
import { PawlError } from '../model/pawl-error.ts';
import { runAction, type Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

interface BenchFlags extends SlurmFlags {
  readonly base?: string;
  readonly head: string;
  readonly config?: string;
  readonly only?: string[];
  readonly case?: string[];
  readonly variant?: Variant;
  readonly mode?: Mode[];
  readonly processes?: number;
  readonly samples?: number;
  readonly warmup?: number;
  readonly stopping?: 'fixed' | 'precision' | 'stdrel' | 'entropy';
  readonly timeout?: number;
  readonly clocks: 'as-is' | 'lock';
  readonly timing: 'blocked' | 'plain';
  readonly gpu: number;
  readonly wait: number;
  readonly seed?: string;
  readonly check: boolean;
  readonly verified?: boolean;
  readonly out?: string;
  readonly history: boolean;
  readonly sandbox?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function benchCommand(): Command {
  const command = new Command('bench')
    .description('build, check and measure kernels; write their samples and a report')
    .addOption(configOption())
    .option('--only <kernel>', 'measure these kernels only; repeat or separate by commas', list)
    .option('--case <case>', 'measure these cases only', list)
    .option('--variant <NAME=VALUE>', 'set tunables; the others keep their defaults', variant)
    .option('--mode <mode>', 'cold (cache flushed), hot (back to back), graph (CUDA graph replay)', modes)
    .option('--processes <n>', 'fresh processes a case: the unit of replication (default 5)', positiveInteger)
    .option('--samples <n>', 'samples a process aims at (default 100)', positiveInteger)
    .option(
      '--warmup <n>',
      'samples a warm-up round throws away (default 20; rounds go on until the clock is stable)',
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
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs (default 60)', seconds)
    .addOption(
      new Option('--clocks <policy>', 'lock: hold the GPU clock for the run, and undo it after')
        .choices(['as-is', 'lock'])
        .default('as-is'),
    )
    .addOption(
      new Option(
        '--timing <how>',
        'plain: no blocking kernel, launch latency inside; to compare with other tools',
      )
        .choices(['blocked', 'plain'])
        .default('blocked'),
    )
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('--seed <n>', 'repeat the order and the inputs of an earlier run')
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option(
      '--verified',
      'also audit the kernels, and compare timed results with the oracle (as check and compare do)',
    )
    .option('-o, --out <file.json>', 'where the samples go; the reports go beside it (default: .pawl/runs/…)')
    .option('--no-history', 'do not keep the run in history (docs/history.md)')
    .option('--json', 'print the report as JSON (schema pawl.bench/1) on stdout')
    .option('-q, --quiet', 'no progress display')
    .option('--base <revision>', 'slurm: compare with this commit; both sides of a case run in the same job')
    .option('--head <revision>', 'slurm: against this one', 'worktree');
  return withSandboxOption(withEngineOptions(command, 'matrix'))
    .addHelpText(
      'after',
      `
Each kernel is built from the sources here, compared with its oracle, and then timed: every case in several
fresh processes, in random order. A kernel that hangs, crashes or cheats costs its own series; the run goes on.
Ctrl-C ends the run and keeps what was measured.

Examples:
  pawl bench                                     everything in pawl.yaml
  pawl bench --only attention-cpu --case small_128
  pawl bench --mode cold,hot --processes 10      two modes, ten processes each
  pawl bench --variant BLOCK_M=64,THREADS=2      another variant of a tunable kernel
  pawl bench --json --out results/now.json       for scripts
  pawl bench --engine slurm --partition gpu      a job for each kernel and case (docs/cluster.md)
  pawl bench --engine slurm --base main          main against the files as they are, case by case
${EXIT_CODE_HELP}`,
    )
    .action((flags: BenchFlags) =>
      runAction(flags, async (door) => {
        const slurm = slurmOptions(flags);
        const { case: cases, mode, timeout, wait, json } = flags;
        const { engine: _e, partition: _p, gres: _g, time: _t, slurmArg: _a, base, head, ...own } = flags;
        const { case: _c, mode: _m, timeout: _o, wait: _w, json: _j, quiet: _q, sandbox: _s, ...rest } = own;
        const asked = {
          ...rest,
          ...(cases === undefined ? {} : { cases }),
          ...(mode === undefined ? {} : { modes: mode }),
          ...(timeout === undefined ? {} : { timeout_s: timeout }),
          wait_s: wait,
          signal: door.signal,
          onProgress: door.onProgress,
        };
        if (base !== undefined) return comparing(asked, { base, head, slurm, json }, door);
        const outcome =
          slurm === undefined
            ? await (await import('../workflows/runs/bench.ts')).bench(asked)
            : await (await import('../workflows/engine/bench-engine.ts')).benchOnCluster({ ...asked, slurm });
        if (json === true)
          door.print(JSON.stringify({ ...outcome.report, files: outcome.files }, undefined, 2));
        else {
          const { renderBenchTerminal } = await import('../report/bench-terminal.ts');
          door.print(renderBenchTerminal(outcome.report, { color: door.color, columns: door.columns }));
          door.print(`samples  ${outcome.files.samples}\nreport   ${outcome.files.html}\n`);
        }
        return EXIT[outcome.result];
      }),
    );
}

/** A comparison is `pawl compare` where one machine does it. */
async function comparing(
  asked: BenchOptions,
  {
    base,
    head,
    slurm,
    json,
  }: {
    readonly base: string;
    readonly head: string;
    readonly slurm: ReturnType<typeof slurmOptions>;
    readonly json: boolean | undefined;
  },
  door: Door,
): Promise<number> {
  if (slurm === undefined) {
    throw new PawlError(
      'usage',
      '--base needs --engine slurm.',
      `On this machine: pawl compare --base ${base}`,
    );
  }
  const { compareOnCluster } = await import('../workflows/engine/bench-engine.ts');
  const { report } = await compareOnCluster({ ...asked, slurm, base, head });
  if (json === true) door.print(JSON.stringify(report, undefined, 2));
  else {
    const { renderComparisonTerminal } = await import('../report/comparison-terminal.ts');
    door.print(renderComparisonTerminal(report, { color: door.color, columns: door.columns }));
  }
  return exitOf(report.verdict);
}
