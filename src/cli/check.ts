import { Command, Option } from 'commander';

import type { Correction } from '../model/comparison.ts';
import type { Mode } from '../model/mode.ts';
import { EXIT_CODE_HELP, VERDICT_EXIT } from './exit-codes.ts';
import { defined, list, modes, percent, positiveInteger, seconds, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface CheckFlags {
  readonly config?: string;
  readonly baseline?: string;
  readonly only?: string[];
  readonly case?: string[];
  readonly mode?: Mode[];
  readonly update?: boolean;
  readonly processes?: number;
  readonly samples?: number;
  readonly budget?: number;
  readonly threshold?: number;
  readonly improvement?: number;
  readonly correction?: Correction;
  readonly control: boolean;
  readonly timeout?: number;
  readonly clocks: 'as-is' | 'lock';
  readonly gpu: number;
  readonly wait: number;
  readonly seed?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function checkCommand(): Command {
  return new Command('check')
    .description('the gate: build, prove right, measure against the best known, say what came of it')
    .option('-C, --config <path>', 'pawl.yaml or its folder (default: searched from here upwards)')
    .option('--baseline <file>', 'the baseline (default: pawl-baseline.json beside pawl.yaml)')
    .option('--only <kernel>', 'these kernels only', list)
    .option('--case <case>', 'these cases only', list)
    .option('--mode <mode>', 'cold, hot or graph', modes)
    .option('--update', 'write first entries and confirmed improvements into the baseline')
    .option('--processes <n>', 'at most this many processes a side (default 24)', positiveInteger)
    .option('--samples <n>', 'samples a process aims at (default 100)', positiveInteger)
    .option('--budget <seconds>', 'stop each measurement about here, decided or not', seconds)
    .option('--threshold <percent>', 'slower by this much is a regression (default 3)', percent)
    .option('--improvement <percent>', 'faster by this much is an improvement (default 5)', percent)
    .addOption(
      new Option('--correction <how>', 'how it is allowed for that many cases are judged at once').choices([
        'holm',
        'bh',
        'none',
      ]),
    )
    .option('--no-control', 'do not measure the base against itself along the way')
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs', seconds)
    .addOption(
      new Option('--clocks <policy>', 'lock: hold the GPU clock for the run, and undo it after')
        .choices(['as-is', 'lock'])
        .default('as-is'),
    )
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('--seed <n>', 'repeat the order and the inputs of an earlier run')
    .option('-o, --out <folder>', 'write the report, its pictures and the samples here')
    .option('--json', 'print the report as JSON (schema pawl.check/1)')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
Every case is compared with its entry in the baseline. Where the entry's commit can be built, it is built and
measured again beside the files as they are, so that another day's device does not decide. A regression or an
improvement is measured a second time, independently, before it counts. A case without an entry is new, not a win.

Examples:
  pawl check                      look; fail on a regression
  pawl check --update             on main: also move the baseline forward
  pawl check --out report --json  for CI
${EXIT_CODE_HELP}`,
    )
    .action((flags: CheckFlags) =>
      runAction(flags, async (door) => {
        const { check } = await import('../workflows/check.ts');
        const { case: cases, mode, budget, threshold, improvement, correction, timeout, wait } = flags;
        const { report } = await check({
          ...defined({
            config: flags.config,
            baseline: flags.baseline,
            only: flags.only,
            cases,
            modes: mode,
            update: flags.update,
            processes: flags.processes,
            samples: flags.samples,
            budget_s: budget,
            timeout_s: timeout,
            seed: flags.seed,
            out: flags.out,
          }),
          policy: defined({ regressionPct: threshold, improvementPct: improvement, correction }),
          control: flags.control,
          clocks: flags.clocks,
          gpu: flags.gpu,
          wait_s: wait,
          signal: door.signal,
          onProgress: door.onProgress,
        });
        if (flags.json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderComparisonTerminal } = await import('../report/comparison-terminal.ts');
          door.print(renderComparisonTerminal(report, { color: door.color, columns: door.columns }));
        }
        return VERDICT_EXIT[report.verdict];
      }),
    );
}
