import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { FuzzReport } from '../model/fuzz-report.ts';
import type { Variant } from '../model/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, list, positiveInteger, seconds, variant, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

interface FuzzFlags {
  readonly config?: string;
  readonly only?: string[];
  readonly case?: string[];
  readonly variant?: Variant;
  readonly cases?: number;
  readonly time?: number;
  readonly seed?: string;
  readonly matrix?: boolean;
  readonly replay?: string;
  readonly corpus?: string;
  readonly save: boolean;
  readonly oracleOnly?: boolean;
  readonly audit?: boolean;
  readonly sanitize?: string | true;
  readonly maxFailures?: number;
  readonly timeout?: number;
  readonly gpu: number;
  readonly wait: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const RESULT_EXIT: Readonly<Record<FuzzReport['result'], number>> = {
  passed: EXIT.good,
  failed: EXIT.bad,
  undecided: EXIT.undecided,
};

export function fuzzCommand(): Command {
  return withSandboxOption(new Command('fuzz'))
    .description('run kernels against their oracles in many cases; make those that fail small and keep them')
    .addOption(configOption())
    .option('--only <kernel>', 'fuzz these kernels only; repeat or separate by commas', list)
    .option('--case <case>', 'run these declared cases only, and generate none', list)
    .option('--variant <NAME=VALUE>', 'set tunables; the others keep their defaults', variant)
    .option('--cases <n>', 'cases to generate a kernel (default 200; with --time: no limit)', wholeNumber)
    .option('--time <seconds>', 'stop after this long, all kernels together', seconds)
    .option('--seed <n>', 'draw the cases of an earlier run again')
    .option('--matrix', 'run the declared matrix only, however large its cases are')
    .option('--replay <case>', 'run one case only, as a failure printed it')
    .option('--corpus <file>', 'where failures are kept (default: pawl-corpus.jsonl beside pawl.yaml)')
    .option('--no-save', 'write nothing to the corpus')
    .option('--oracle-only', "compare the oracles' own references with the oracles; no kernel is run")
    .option('--audit', 'look in every case for what takes many calls to see (default: in every 100th)')
    .option('--no-audit', 'look for that in no case')
    .option(
      '--sanitize [tools]',
      'run under sanitizers: memcheck,racecheck,initcheck,synccheck or address,undefined',
    )
    .option(
      '--max-failures <n>',
      'different failures of a kernel after which it has told enough (default 5)',
      positiveInteger,
    )
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs (default 60)', seconds)
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option(
      '-o, --out <file.html>',
      'where the report goes, JSON beside it (default: .pawl/fuzz/report.html)',
    )
    .option('--json', 'print the report as JSON (schema pawl.fuzz/1) on stdout')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
For each kernel: cases that once failed, the matrix, edge cases and named cases of pawl.yaml, and then cases drawn
from \`fuzz\` in pawl.yaml: ragged and prime sizes, 1, the largest that fit, values that are huge, tiny, denormal,
constant, spiked. A case that fails is made smaller while it fails in the same way, and kept in the corpus. A kernel
that crashes or hangs costs its case; the run goes on. Ctrl-C ends the run and keeps what was found.

Examples:
  pawl fuzz                                every kernel, 200 generated cases each
  pawl fuzz --only attention-cpu --time 60
  pawl fuzz --matrix                       the declared matrix only
  pawl fuzz --only k --replay 'N=17 values=x:huge seed=1'
  pawl fuzz --oracle-only                  is the environment sound? no kernel is run
  pawl fuzz --seed 7 --cases 2000 --json   for scripts
${EXIT_CODE_HELP}`,
    )
    .action((flags: FuzzFlags) =>
      runAction(flags, async (door) => {
        const { fuzz } = await import('../workflows/runs/fuzz.ts');
        const { case: names, cases: count, time, timeout, wait, sanitize, json, quiet: _, ...rest } = flags;
        const { report, files } = await fuzz({
          ...rest,
          ...defined({ cases: names, count, time_s: time, timeout_s: timeout }),
          ...(sanitize === undefined ? {} : { sanitize: sanitize === true ? [] : list(sanitize, undefined) }),
          wait_s: wait,
          signal: door.signal,
          onProgress: door.onProgress,
        });
        if (json === true) door.print(JSON.stringify({ ...report, files }, undefined, 2));
        else {
          const { renderFuzzTerminal } = await import('../report/fuzz-terminal.ts');
          door.print(renderFuzzTerminal(report, { color: door.color, columns: door.columns }));
          door.print(`report  ${files.html}\n`);
        }
        return RESULT_EXIT[report.result];
      }),
    );
}
