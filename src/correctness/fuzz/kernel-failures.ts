import { defined } from '../../model/defined.ts';
import type { FuzzSpace } from '../../config/fuzz-space.ts';
import type { CaseOutcome } from '../case-outcome.ts';
import type { CaseRunner } from '../case-runner.ts';
import { concreteCase } from '../concrete-case.ts';
import type { Corpus } from '../corpus.ts';
import { findingKey } from '../finding.ts';
import { replayLine } from '../replay-line.ts';
import { shrinkCase } from '../shrink-case.ts';
import { CORPUS_SCHEMA, type CorpusEntry } from '../../model/problem/corpus.ts';
import type { FuzzCase } from '../../model/problem/fuzz-case.ts';
import type { FuzzFailure, FuzzFinding } from '../../model/correctness/fuzz-report.ts';
import { variantText, type Variant } from '../../model/problem/variant.ts';
import type { Target } from '../../runner/target.ts';
import type { SequencedCase } from './case-sequence.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface FailureOptions extends Pick<RunContext, 'signal' | 'now'> {
  readonly target: Target;
  readonly space: FuzzSpace;
  readonly runner: CaseRunner;
  readonly sanitizers?: readonly string[];
  /** The target is an oracle's reference, which has no name on the command line. */
  readonly ofReferences: boolean;
  /** Tunables that were set; the others have their defaults. */
  readonly variant: Variant | undefined;
  /** Where new failures are written; undefined: nowhere. */
  readonly corpus: Corpus | undefined;
  readonly commit: string | undefined;
  readonly now_ms: () => number;
}

type FailedCase = Extract<CaseOutcome, { status: 'failed' }>;

/** Minimising is worth this much of a run, for each failure. */
const SHRINK_MS = 20_000;
const SHRINK_ATTEMPTS = 200;

/** The failures of one kernel, each once: minimised, tried alone and saved as it is found. */
export class KernelFailures {
  readonly all: FuzzFailure[] = [];
  readonly #options: FailureOptions;
  failingCases = 0;
  hangs = 0;

  constructor(options: FailureOptions) {
    this.#options = options;
  }

  async add(each: SequencedCase, outcome: FailedCase, audit: boolean): Promise<void> {
    this.failingCases += 1;
    if (outcome.finding.detector === 'hung') this.hangs += 1;
    const key = findingKey(outcome.finding);
    const known = this.all.find((failure) => findingKey(failure) === key);
    if (known !== undefined) {
      known.repeats += 1;
      return;
    }
    // On disk before it is minimised, which takes a while and runs the kernel that failed.
    const found = await this.#save(this.#entry(outcome.finding, each.case));
    const smallest = await this.#minimise(each, outcome, audit);
    const { result, output } = smallest.outcome;
    const finding = findingsOf(smallest.outcome).find((one) => findingKey(one) === key) ?? outcome.finding;
    const failure: FuzzFailure = {
      ...finding,
      source: each.source,
      name: each.name,
      case: each.case,
      shrunk: smallest.case,
      shrink_attempts: smallest.attempts,
      alone: smallest.alone,
      replay: this.#command(smallest.case),
      ...defined({ check: result, output }),
      repeats: 0,
      saved: found !== undefined,
    };
    this.all.push(failure);
    if (found !== undefined) await this.#options.corpus?.replace(found, this.#entry(finding, smallest.case));
  }

  /** The smallest case that fails in the same way, and how it fails in a process of its own. */
  async #minimise(each: SequencedCase, first: FailedCase, audit: boolean) {
    const { runner, space, signal, now_ms } = this.#options;
    const key = findingKey(first.finding);
    const wasAlone = runner.wasAlone;
    let last = { case: each.case, outcome: first, alone: wasAlone };
    const run = async (candidate: FuzzCase, alone: boolean): Promise<boolean> => {
      const concrete = concreteCase(space, each.name, candidate);
      if (concrete === undefined || (!alone && !space.fits(concrete.plan))) return false;
      const outcome = await runner.check(concrete, candidate.seed, { audit, alone });
      if (signal.aborted || outcome.status !== 'failed' || !isSame(outcome, key)) return false;
      last = { case: candidate, outcome, alone: runner.wasAlone };
      return true;
    };
    const until_ms = now_ms() + SHRINK_MS;
    const shrunk = each.isMinimal
      ? { case: each.case, attempts: 0 }
      : await shrinkCase(space, each.case, {
          stillFails: (candidate) => run(candidate, false),
          maxAttempts: SHRINK_ATTEMPTS,
          isOver: () => signal.aborted || now_ms() >= until_ms,
        });
    const alone = last.alone || (!signal.aborted && (await run(shrunk.case, true)));
    return { ...shrunk, outcome: last.outcome, alone };
  }

  #command(each: FuzzCase): string {
    const { target, variant = {}, sanitizers, ofReferences } = this.#options;
    if (ofReferences) return `pawl fuzz --oracle-only --replay '${replayLine(each)}'`;
    // Values are visible ASCII, so a quote is all that a shell could stumble over.
    const tunables = variantText(variant).replaceAll("'", String.raw`'\''`);
    return [
      `pawl fuzz --only ${target.plan.name}`,
      ...(tunables === '' ? [] : [`--variant '${tunables}'`]),
      ...(sanitizers === undefined ? [] : [`--sanitize ${sanitizers.join(',')}`]),
      `--replay '${replayLine(each)}'`,
    ].join(' ');
  }

  #entry({ detector, tensor, message }: FuzzFinding, each: FuzzCase): CorpusEntry {
    const { commit, now, target } = this.#options;
    return {
      schema: CORPUS_SCHEMA,
      kernel: target.plan.name,
      problem: target.plan.problem,
      ...each,
      detector,
      ...defined({ tensor }),
      message,
      date: now().toISOString(),
      ...defined({ commit }),
    };
  }

  /** The entry, where it is one that the corpus did not have. */
  async #save(entry: CorpusEntry): Promise<CorpusEntry | undefined> {
    return (await this.#options.corpus?.add(entry)) === true ? entry : undefined;
  }
}

function findingsOf({ finding, result }: FailedCase): readonly FuzzFinding[] {
  return [finding, ...(result?.tampering ?? [])];
}

/** Whether one of the things found is the one that is looked for: what else is found may come and go. */
function isSame(outcome: FailedCase, key: string): boolean {
  return findingsOf(outcome).some((each) => findingKey(each) === key);
}
