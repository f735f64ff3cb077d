import { defined } from '../model/defined.ts';
import { kernelNames, planKernel } from '../config/plan-kernel.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { BISECT_SCHEMA, type BisectOutcome, type BisectReport } from '../model/reports/bisect-report.ts';
import type { Mode } from '../model/problem/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import { Bisection, short } from './bisect/bisection.ts';
import { BisectJournal } from '../judge/bisect/bisect-journal.ts';
import { changesInHistory } from '../history/trends/changes-in-history.ts';
import { branchOf, commitRange, type CommitRange } from '../os/git/commit-range.ts';
import { priorWeights } from '../judge/bisect/prior-weights.ts';
import { openHistory } from './history.ts';
import type { CompareOptions } from './runs/compare/hold-sides.ts';
import { runContext } from '../os/run-context.ts';

/** The case that became slower, a fast commit and a slow one. */
export interface BisectOptions extends Omit<
  CompareOptions,
  'policy' | 'modes' | 'journals' | 'measureIdentical'
> {
  readonly config?: string;
  /** `CASE`, or `KERNEL/CASE`. */
  readonly case: string;
  readonly kernel?: string;
  readonly mode?: Mode;
  readonly good: string;
  readonly bad: string;
  /** The slowdown to look for, in percent. Default: how much slower `bad` is than `good`. */
  readonly threshold_pct?: number;
  /** Ignore the measurements of an earlier run of the same question. */
  readonly restart?: boolean;
  /** Use the history to choose where to look first, and store the measurements in it. Default true. */
  readonly history?: boolean;
  /** A history other than the project's. */
  readonly store?: string;
}

/**
 * Finds the commit that made a case slower: measures commits between a fast one and a slow one, side by side. The same
 * question again continues where the last call stopped.
 *
 * @throws {PawlError} of kind `usage` if a commit or a case does not exist; `bad-data` if one of the two ends cannot be
 * measured; `try-again` if it was interrupted or the device is in use
 */
export async function bisect(options: BisectOptions): Promise<BisectReport> {
  const { signal, now, onProgress } = runContext(options);
  const main = await loadConfig(options.config);
  const { kernel, name } = chooseCase(main, options);
  const range = await commitRange(main.root, options.good, options.bad, signal);
  const { good, bad } = range;
  const { mode, threshold_pct } = options;
  const journal = BisectJournal.open(
    main.root,
    {
      kernel,
      case: name,
      ...defined({ mode }),
      good,
      bad,
      ...defined({ threshold_pct }),
    },
    options.restart === true,
  );
  const changes =
    options.history === false
      ? []
      : await changesInHistory(
          { kernel, case: name, ...defined({ mode }) },
          { open: () => openHistory(options), onProgress },
        );
  const { weights, from: prior } = priorWeights(
    range.commits.map(({ sha }) => sha),
    changes,
  );
  const { restart: _, ...measuring } = options;
  const bisection = new Bisection({
    ...measuring,
    kernel,
    case: name,
    now,
    onProgress,
    signal,
    journal,
    range,
    weights,
  });
  const outcome = await bisection.run().finally(() => bisection.settle(main));
  const { lastGood, firstBad } = bisection.narrowed;
  const suspects = range.commits.slice(lastGood + 1, firstBad + 1);
  const last_good = lastGood < 0 ? good : range.commits[lastGood]!.sha;
  const first_bad = range.commits[firstBad]!.sha;
  const confirmation = journal.confirmation(last_good, first_bad);
  return {
    schema: BISECT_SCHEMA,
    outcome,
    case: { kernel, case: name, ...defined({ mode }) },
    good,
    bad,
    commits: range.commits.length,
    ...defined({ threshold_pct: bisection.threshold_pct, ends: journal.ends }),
    last_good,
    first_bad,
    suspects: outcome === 'nothing' || outcome === 'undecided' ? [] : [...suspects],
    probes: [...journal.probes],
    ...defined({ confirmation }),
    prior,
    notes: [...range.notes, ...(await mergeNotes(main.root, outcome, suspects, `${kernel}/${name}`, signal))],
    journal: journal.path,
    cost: bisection.cost,
  };
}

/** The kernel and case that `KERNEL/CASE`, or `CASE` with `--kernel`, names. */
function chooseCase(main: LoadedConfig, options: BisectOptions): { kernel: string; name: string } {
  const slash = options.case.indexOf('/');
  if (options.kernel !== undefined) return { kernel: options.kernel, name: options.case };
  const names = kernelNames(main);
  if (slash > 0 && names.includes(options.case.slice(0, slash))) {
    return { kernel: options.case.slice(0, slash), name: options.case.slice(slash + 1) };
  }
  const having = names.filter((name) =>
    planKernel(main, name).cases.some((each) => each.name === options.case),
  );
  if (having.length === 1) return { kernel: having[0]!, name: options.case };
  throw new PawlError(
    'usage',
    having.length === 0
      ? `No kernel of pawl.yaml has a case "${options.case}".`
      : `Several kernels have a case "${options.case}": ${having.join(', ')}.`,
    `Name one: pawl bisect ${having[0] ?? 'KERNEL'}/${options.case} GOOD BAD, or --kernel for one that pawl.yaml no longer has.`,
  );
}

async function mergeNotes(
  root: string,
  outcome: BisectOutcome,
  suspects: CommitRange['commits'],
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (outcome !== 'found' && outcome !== 'range') return [];
  const notes: string[] = [];
  for (const commit of suspects) {
    const branch = await branchOf(root, commit, signal);
    if (branch === undefined) continue;
    notes.push(
      `${short(commit.sha)} is a merge. To search its branch: pawl bisect ${name} ${short(branch.from)} ${short(branch.to)}; if that finds nothing, the merge itself is the cause.`,
    );
  }
  return notes;
}
