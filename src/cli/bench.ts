import { Command, Option } from 'commander';

import type { Mode } from '../model/mode.ts';
import type { Variant } from '../model/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { list, modes, positiveInteger, seconds, variant, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface BenchFlags {
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
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function benchCommand(): Command {
  return new Command('bench')
    .description('build, check and measure kernels; write their samples and a report')
    .option('-C, --config <path>', 'pawl.yaml or its folder (default: searched from here upwards)')
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
${EXIT_CODE_HELP}`,
    )
    .action((flags: BenchFlags) =>
      runAction(flags, async (door) => {
        const { bench } = await import('../workflows/bench.ts');
        const { case: cases, mode, timeout, wait, json, quiet: _, ...rest } = flags;
        const outcome = await bench({
          ...rest,
          ...(cases === undefined ? {} : { cases }),
          ...(mode === undefined ? {} : { modes: mode }),
          ...(timeout === undefined ? {} : { timeout_s: timeout }),
          wait_s: wait,
          signal: door.signal,
          onProgress: door.onProgress,
        });
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
