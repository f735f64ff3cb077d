import { Command, Option } from 'commander';

import type { Correction } from '../model/comparison.ts';
import type { Mode } from '../model/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Variant } from '../model/variant.ts';
import { EXIT_CODE_HELP, VERDICT_EXIT } from './exit-codes.ts';
import { defined, list, modes, percent, positiveInteger, seconds, variant, wholeNumber } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface CompareFlags {
  readonly baseline?: string;
  readonly candidate?: string;
  readonly base?: string;
  readonly head: string;
  readonly kernel?: string;
  readonly a?: Variant;
  readonly b?: Variant;
  readonly config?: string;
  readonly only?: string[];
  readonly case?: string[];
  readonly mode?: Mode[];
  readonly processes?: number;
  readonly samples?: number;
  readonly budget?: number;
  readonly threshold?: number;
  readonly improvement?: number;
  readonly correction?: Correction;
  readonly control: boolean;
  readonly check: boolean;
  readonly identical?: boolean;
  readonly allowDeviceMismatch?: boolean;
  readonly timeout?: number;
  readonly gpu: number;
  readonly wait: number;
  readonly seed?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function compareCommand(): Command {
  return new Command('compare')
    .description('is it faster or slower? Two files, two commits or two variants in, one verdict a case out')
    .argument('[A]', 'the baseline: a samples file, or a folder of them')
    .argument('[B]', 'the candidate')
    .option('--baseline <file>', 'the same as A')
    .option('--candidate <file>', 'the same as B')
    .option(
      '--base <revision>',
      'build this commit, branch or tag and measure it; `worktree` is the files as they are',
    )
    .option('--head <revision>', 'against this one', 'worktree')
    .option('--kernel <kernel>', 'compare two variants of this kernel')
    .option('--a <NAME=VALUE>', 'the one variant; tunables left out have their defaults', variant)
    .option('--b <NAME=VALUE>', 'the other', variant)
    .option('-C, --config <path>', 'pawl.yaml or its folder (default: searched from here upwards)')
    .option('--only <kernel>', 'these kernels only', list)
    .option('--case <case>', 'these cases only', list)
    .option('--mode <mode>', 'cold, hot or graph', modes)
    .option('--processes <n>', 'at most this many processes a side (default 24)', positiveInteger)
    .option('--samples <n>', 'samples a process aims at (default 100)', positiveInteger)
    .option('--budget <seconds>', 'stop measuring about here, decided or not', seconds)
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
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--identical', 'measure also where both sides are the same binary')
    .option('--allow-device-mismatch', 'compare files from different devices or drivers all the same')
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs', seconds)
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('--seed <n>', 'repeat the order and the inputs of an earlier run')
    .option('-o, --out <folder>', 'write the report, its pictures and the samples here')
    .option('--json', 'print the comparison as JSON (schema pawl.comparison/1)')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
The unit is the process. A verdict rests on the interval of the change itself: regressed and maintained are both
shown, not assumed, and undecided says what would decide it (docs/statistics.md). Commits and variants are
measured in interleaved, randomised blocks of fresh processes, beside the base against itself, and measuring
stops as soon as the answer is clear.

Examples:
  pawl compare before.json after.json                two files from pawl bench
  pawl compare --base main                           main against the files as they are
  pawl compare --base v1.2 --head v1.3 --only attention-cpu
  pawl compare --kernel attention-cpu --a VECTOR=8 --b VECTOR=16
${EXIT_CODE_HELP}`,
    )
    .action((a: string | undefined, b: string | undefined, flags: CompareFlags) =>
      runAction(flags, async (door) => {
        const { compare } = await import('../workflows/compare-and-report.ts');
        const outcome = await compare(request(a, b, flags, door));
        if (flags.json === true) {
          const { comparison, control, cost, files } = outcome.report;
          door.print(JSON.stringify({ ...comparison, control, cost, files }, undefined, 2));
        } else {
          const { renderComparisonTerminal } = await import('../report/comparison-terminal.ts');
          door.print(renderComparisonTerminal(outcome.report, { color: door.color, columns: door.columns }));
        }
        return VERDICT_EXIT[outcome.report.verdict];
      }),
    );
}

/** What was asked for, in the workflow's words. */
function request(a: string | undefined, b: string | undefined, flags: CompareFlags, door: Door) {
  const { case: cases, mode, budget, timeout, wait, threshold, improvement, correction } = flags;
  const policy = defined({
    regressionPct: threshold,
    improvementPct: improvement,
    correction,
    allowDeviceMismatch: flags.allowDeviceMismatch,
  });
  const common = {
    ...defined({
      config: flags.config,
      only: flags.only,
      cases,
      modes: mode,
      processes: flags.processes,
      samples: flags.samples,
      budget_s: budget,
      timeout_s: timeout,
      seed: flags.seed,
      out: flags.out,
      measureIdentical: flags.identical,
    }),
    control: flags.control,
    check: flags.check,
    gpu: flags.gpu,
    wait_s: wait,
    policy,
    signal: door.signal,
    onProgress: door.onProgress,
  };
  if (flags.base !== undefined)
    return { ...common, what: 'revisions', base: flags.base, head: flags.head } as const;
  if (flags.kernel !== undefined) {
    return { ...common, what: 'variants', kernel: flags.kernel, a: flags.a ?? {}, b: flags.b ?? {} } as const;
  }
  const [baseline, candidate] = [flags.baseline ?? a, flags.candidate ?? b];
  if (baseline === undefined || candidate === undefined) {
    throw new PawlError(
      'usage',
      'There is nothing to compare: name two files, --base, or --kernel with --a and --b.',
      'pawl compare --help shows an example of each.',
    );
  }
  return { ...common, what: 'files', baseline, candidate } as const;
}
