import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { FuzzReport } from '../model/fuzz-report.ts';
import type { Variant } from '../model/variant.ts';
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
    .option('--case <case>', 'run these declared cases only, and generate none', list)
    .addOption(variantOption())
    .option('--cases <n>', 'cases to generate per kernel (default 200; with --time: no limit)', wholeNumber)
    .option('--time <time>', 'stop after this long, all kernels together: 600 (seconds), 10m', duration)
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
    .addOption(timeoutOption())
    .option(
      '-o, --out <file.html>',
      'where the report goes, JSON beside it (default: .pawl/fuzz/report.html)',
    );
  return withDevice(command, 'the report as JSON (schema pawl.fuzz/1) on stdout')
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
          const { renderFuzzTerminal } = await import('../report/fuzz-terminal.ts');
          door.print(renderFuzzTerminal(report, { color: door.color, columns: door.columns }));
          door.print(`report  ${files.html}\n`);
        }
        return RESULT_EXIT[report.result];
      }),
    );
}
