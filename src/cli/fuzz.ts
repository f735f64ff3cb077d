import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { FuzzReport } from '../model/correctness/fuzz-report.ts';
import type { Variant } from '../model/problem/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import {
  deviceOptions,
  onlyOption,
  timeoutOption,
  variantOption,
  withDevice,
  type DeviceFlags,
} from './option-groups.ts';
import { configOption, duration, list, positiveInteger, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';

interface FuzzFlags extends DeviceFlags {
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
  readonly out?: string;
}

const RESULT_EXIT: Readonly<Record<FuzzReport['result'], number>> = {
  passed: EXIT.good,
  failed: EXIT.bad,
  undecided: EXIT.undecided,
};

export function fuzzCommand(): Command {
  const command = withSandboxOption(new Command('fuzz'))
    .addOption(configOption())
    .addOption(onlyOption('fuzz'))
    .option('--case <case>', 'run only these declared cases; generate none', list)
    .addOption(variantOption())
    .option('--cases <n>', 'cases to generate per kernel (default 200; with --time: no limit)', wholeNumber)
    .option('--time <time>', 'stop after this time for all kernels together: 600 (seconds), 10m', duration)
    .option('--seed <n>', 'generate the same cases as an earlier run')
    .option('--matrix', 'run only the declared matrix, including its large cases')
    .option('--replay <case>', 'run only one case, as printed by a failure')
    .option('--corpus <file>', 'where failures are kept (default: pawl-corpus.jsonl beside pawl.yaml)')
    .option('--no-save', 'write nothing to the corpus')
    .option('--oracle-only', 'check the oracles against their own references; run no kernel')
    .option('--audit', 'audit every case for faults that show only after many calls (default: every 100th)')
    .option('--no-audit', 'audit no case')
    .option(
      '--sanitize [tools]',
      'run under sanitizers: memcheck,racecheck,initcheck,synccheck or address,undefined',
    )
    .option(
      '--max-failures <n>',
      'stop a kernel after this many different failures (default 5)',
      positiveInteger,
    )
    .addOption(timeoutOption())
    .option(
      '-o, --out <file.html>',
      'where to write the report, with JSON beside it (default: .pawl/fuzz/report.html)',
    );
  return withDevice(command, 'the report as JSON (schema pawl.fuzz/1) on stdout')
    .addHelpText(
      'after',
      `
For each kernel: cases that once failed, the matrix, edge cases and named cases of pawl.yaml, and then cases drawn
from \`fuzz\` in pawl.yaml: ragged and prime sizes, 1, the largest that fit, values that are huge, tiny, denormal,
constant, spiked. A case that fails is shrunk as long as it fails in the same way, and kept in the corpus. A kernel
that crashes or hangs loses its case; the run goes on. Ctrl-C ends the run and keeps what was found.

Examples:
  pawl fuzz                                every kernel, 200 generated cases each
  pawl fuzz --only attention-cpu --time 60
  pawl fuzz --matrix                       the declared matrix only
  pawl fuzz --only k --replay 'N=17 values=x:huge seed=1'
  pawl fuzz --oracle-only                  check the environment; run no kernel
  pawl fuzz --seed 7 --cases 2000 --json   for scripts
${EXIT_CODE_HELP}`,
    )
    .action((flags: FuzzFlags) =>
      runAction(flags, async (door) => {
        const { fuzz } = await import('../workflows/runs/fuzz.ts');
        const {
          case: cases,
          cases: count,
          time: time_s,
          timeout: timeout_s,
          sanitize,
          json,
          ...rest
        } = flags;
        const { report, files } = await fuzz({
          ...rest,
          ...defined({ cases, count, time_s, timeout_s }),
          ...(sanitize === undefined ? {} : { sanitize: sanitize === true ? [] : list(sanitize, undefined) }),
          ...deviceOptions(flags, door),
        });
        if (json === true) door.print(JSON.stringify({ ...report, files }, undefined, 2));
        else {
          const { renderFuzzTerminal } = await import('../report/terminal/fuzz-terminal.ts');
          door.print(renderFuzzTerminal(report, door));
          door.print(`report  ${files.html}\n`);
        }
        return RESULT_EXIT[report.result];
      }),
    );
}
