import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Variant } from '../model/problem/variant.ts';
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
        'build and measure this commit, branch or tag; `worktree`: the working tree',
      )
      .option('--head <revision>', 'the revision to judge', 'worktree')
      .option('--kernel <kernel>', 'compare two variants of this kernel')
      .option('--a <NAME=VALUE>', 'the first variant; tunables left out have their defaults', variant)
      .option('--b <NAME=VALUE>', 'the second variant', variant)
      .option(
        '--kernels <kernel,reference>',
        'compare a kernel with a reference kernel of the same problem',
        list,
      ),
    'the comparison as JSON (schema pawl.comparison/1)',
  );
  return withEngineOptions(command, 'matrix')
    .option('--no-check', 'measure without comparing results with the oracle first')
    .option('--identical', 'also measure if both sides are the same binary')
    .option('--allow-device-mismatch', 'compare files even if their devices or drivers differ')
    .addHelpText(
      'after',
      `
The unit of replication is the process. A verdict rests on the confidence interval of the change: both regressed and
maintained are shown by the data, and undecided says what would decide it (docs/statistics.md). Commits, variants and
kernels are measured in interleaved, randomised blocks of fresh processes, with the base against itself as a control.
Measuring stops as soon as the answer is clear. With --kernels, the last kernel is the reference. Both commits are
judged by the base's oracle, tolerance, cases and thresholds. What the head alters about them is listed, and the verdict
is undecided at best until you accept it.

Examples:
  pawl compare before.json after.json                two files from pawl bench
  pawl compare --base main                           main against the working tree
  pawl compare --base v1.2 --head v1.3 --only attention-cpu
  pawl compare --kernel attention-cpu --a VECTOR=8 --b VECTOR=16
  pawl compare --kernels attention-cpu,attention-numpy   a kernel against a reference kernel
  pawl compare --base main --engine slurm            a job for each kernel and case (docs/cluster.md)
${EXIT_CODE_HELP}`,
    )
    .action((a: string | undefined, b: string | undefined, flags: CompareFlags) =>
      runAction(flags, async (door) => {
        const { report } = await compared(request(a, b, flags, door), slurmOptions(flags));
        const { comparison, control, cost, files } = report;
        await door.tell({ ...comparison, control, cost, files }, async () =>
          (await import('../report/terminal/comparison-terminal.ts')).renderComparisonTerminal(report, door),
        );
        return exitOf(report.verdict);
      }),
    );
}

async function compared(asked: ReturnType<typeof request>, slurm: ReturnType<typeof slurmOptions>) {
  if (slurm === undefined) return (await import('../workflows/runs/compare.ts')).compare(asked);
  if (asked.what !== 'revisions') {
    throw new PawlError(
      'usage',
      '--engine slurm compares two commits.',
      'Give --base and --head, or remove --engine.',
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
      'Nothing to compare: give two files, --base, --kernels, or --kernel with --a and --b.',
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
    `${other} cannot be combined with ${option}.`,
    `Remove ${other} or ${option}.`,
  );
}
