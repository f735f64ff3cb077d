import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Variant } from '../model/variant.ts';
import { slurmOptions, withEngineOptions, type SlurmFlags } from './engine-options.ts';
import { comparingOptions, judgingOptions, withComparingOptions, type ComparingFlags } from './comparing.ts';
import { EXIT_CODE_HELP, exitOf } from './exit-codes.ts';
import { list, variant } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface CompareFlags extends ComparingFlags, SlurmFlags {
  readonly baseline?: string;
  readonly candidate?: string;
  readonly base?: string;
  readonly head: string;
  readonly kernel?: string;
  readonly a?: Variant;
  readonly b?: Variant;
  readonly kernels?: string[];
  readonly check: boolean;
  readonly identical?: boolean;
  readonly allowDeviceMismatch?: boolean;
}

export function compareCommand(): Command {
  const command = withComparingOptions(
    new Command('compare')
      .argument('[A]', 'the baseline: a samples file, or a folder of them')
      .argument('[B]', 'the candidate')
      .option('--baseline <file>', 'the same as A')
      .option('--candidate <file>', 'the same as B')
      .option(
        '--base <revision>',
        'build and measure this commit, branch or tag; `worktree`: the files as they are',
      )
      .option('--head <revision>', 'against this one', 'worktree')
      .option('--kernel <kernel>', 'compare two variants of this kernel')
      .option('--a <NAME=VALUE>', 'the one variant; tunables left out have their defaults', variant)
      .option('--b <NAME=VALUE>', 'the other', variant)
      .option(
        '--kernels <kernel,reference>',
        'compare a kernel with another one of its problem, the reference',
        list,
      ),
    'the comparison as JSON (schema pawl.comparison/1)',
  );
  return withEngineOptions(command, 'matrix')
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--identical', 'measure also where both sides are the same binary')
    .option('--allow-device-mismatch', 'compare files from different devices or drivers all the same')
    .addHelpText(
      'after',
      `
The unit is the process. A verdict rests on the interval of the change itself: regressed and maintained are both
shown, not assumed, and undecided says what would decide it (docs/statistics.md). Commits and variants are
measured in interleaved, randomised blocks of fresh processes, beside the base against itself, and measuring
stops as soon as the answer is clear. Two kernels of one problem are measured the same way, and the last one named is
the reference; so are files of two kernels. Both commits are judged by the base's oracle, tolerance, cases and thresholds;
what the head alters about them is listed, and nothing is better than undecided until you accept it.

Examples:
  pawl compare before.json after.json                two files from pawl bench
  pawl compare --base main                           main against the files as they are
  pawl compare --base v1.2 --head v1.3 --only attention-cpu
  pawl compare --kernel attention-cpu --a VECTOR=8 --b VECTOR=16
  pawl compare --kernels attention-cpu,attention-numpy   a kernel against another one, the reference
  pawl compare --base main --engine slurm            a job for each kernel and case (docs/cluster.md)
${EXIT_CODE_HELP}`,
    )
    .action((a: string | undefined, b: string | undefined, flags: CompareFlags) =>
      runAction(flags, async (door) => {
        const outcome = await compared(request(a, b, flags, door), slurmOptions(flags));
        if (flags.json === true) {
          const { comparison, control, cost, files } = outcome.report;
          door.print(JSON.stringify({ ...comparison, control, cost, files }, undefined, 2));
        } else {
          const { renderComparisonTerminal } = await import('../report/comparison-terminal.ts');
          door.print(renderComparisonTerminal(outcome.report, { color: door.color, columns: door.columns }));
        }
        return exitOf(outcome.report.verdict);
      }),
    );
}

async function compared(asked: ReturnType<typeof request>, slurm: ReturnType<typeof slurmOptions>) {
  if (slurm === undefined) return (await import('../workflows/runs/compare.ts')).compare(asked);
  if (asked.what !== 'revisions') {
    throw new PawlError(
      'usage',
      'A cluster compares two commits.',
      'Name them with --base and --head, or leave --engine out.',
    );
  }
  const { compareOnCluster } = await import('../workflows/engine/bench-engine.ts');
  return compareOnCluster({ ...asked, slurm });
}

/** What was asked for, in the workflow's words. */
function request(a: string | undefined, b: string | undefined, flags: CompareFlags, door: Door) {
  const common = {
    ...comparingOptions(flags, door),
    ...defined({ measureIdentical: flags.identical }),
    check: flags.check,
    policy: { ...judgingOptions(flags), ...defined({ allowDeviceMismatch: flags.allowDeviceMismatch }) },
  };
  const { kernels } = flags;
  if (kernels !== undefined) refuseBeside('--kernels', flags);
  if (flags.base !== undefined)
    return { ...common, what: 'revisions', base: flags.base, head: flags.head } as const;
  if (flags.kernel !== undefined) {
    return { ...common, what: 'variants', kernel: flags.kernel, a: flags.a ?? {}, b: flags.b ?? {} } as const;
  }
  const [baseline, candidate] = [flags.baseline ?? a, flags.candidate ?? b];
  if (kernels !== undefined && baseline === undefined && candidate === undefined) {
    return { ...common, what: 'kernels', kernels } as const;
  }
  if (baseline === undefined || candidate === undefined) {
    throw new PawlError(
      'usage',
      'There is nothing to compare: name two files, --base, --kernels, or --kernel with --a and --b.',
      'pawl compare --help shows an example of each.',
    );
  }
  return { ...common, what: 'files', baseline, candidate, ...defined({ kernels }) } as const;
}

/** Two kernels are built from the files as they are, and judged by the problem that they share. */
function refuseBeside(
  option: string,
  { base, head, kernel, a, b, only, acceptJudgeChange }: CompareFlags,
): void {
  const others = {
    '--base': base,
    '--head': head === 'worktree' ? undefined : head,
    '--kernel': kernel,
    '--a': a,
    '--b': b,
    '--only': only,
    '--accept-judge-change': acceptJudgeChange,
  };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other === undefined) return;
  throw new PawlError(
    'usage',
    `${other} has no meaning beside ${option}.`,
    `Leave ${other} or ${option} out.`,
  );
}
