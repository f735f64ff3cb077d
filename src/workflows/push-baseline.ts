/** Pushes the baseline file of a run on the main branch to that branch, while other runs may do the same. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { defined } from '../model/defined.ts';
import { EMPTY_BASELINE, type Baseline } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import { entryKeyText } from '../ratchet/entry-key.ts';
import { parseBaseline } from '../ratchet/parse-baseline.ts';
import { leftOutText, rebaseBaseline, sharedRecords } from '../ratchet/rebase-baseline.ts';
import { baselineText, sealBaseline } from '../ratchet/seal.ts';
import { verifyBaseline } from '../ratchet/verify-baseline.ts';
import { proposedBaseline } from '../ratchet/proposed-baseline.ts';
import type { PushOutcome } from '../os/git/push-outcome.ts';
import { ACTIONS_BOT, GitRepository, type GitAuthor } from '../os/git/repository.ts';
import { baselinePath, keyFrom, type RatchetOptions } from '../ratchet/baseline-file.ts';

export interface PushBaselineOptions extends RatchetOptions {
  /** The folder in which `pawl ci --propose` left the baseline as it measured it. Nothing in it is trusted. */
  readonly from: string;
  /** What was measured. */
  readonly commit: string;
  /** The branch to push to; that it is the default branch is for the caller to know. */
  readonly branch: string;
  readonly remote?: string;
  readonly author?: GitAuthor;
  readonly message?: string;
  /** For an HTTPS remote whose clone holds no token. */
  readonly credentials?: { readonly host: string; readonly token: string };
  readonly attempts?: number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
}

export type PushedBaseline =
  | { readonly state: 'unchanged'; readonly path: string }
  | {
      readonly state: 'pushed';
      readonly path: string;
      readonly commit: string;
      readonly attempts: number;
      /** Entries of this run that stand on the branch now. */
      readonly taken: readonly string[];
      /** Entries of this run that do not, and why. */
      readonly left_out: readonly string[];
    }
  /** The branch holds something as good for every entry that this run moved. */
  | { readonly state: 'superseded'; readonly path: string; readonly left_out: readonly string[] }
  /** The host will not have it; the proposal still holds the file. */
  | { readonly state: 'refused'; readonly path: string; readonly message: string };

const BASELINE_MESSAGE = 'perf: ratchet baseline forward [skip ci]';

/** Twenty runs that end at once are all through after twenty rounds, since each round lets one pass. */
const ATTEMPTS = 40;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 8_000;
/** A host that does not answer five times in a row is not racing us. */
const FAILURES = 5;

export async function pushBaseline(options: PushBaselineOptions): Promise<PushedBaseline> {
  const run = await BaselineRun.open(options);
  const { path } = run;
  if (run.isUnchanged) return { state: 'unchanged', path };
  const { remote = 'origin', branch, attempts = ATTEMPTS } = options;
  const sleep = options.sleep ?? ((ms: number) => delay(ms, undefined, { signal: options.signal }));
  const random = options.random ?? Math.random;
  let failures = 0;
  for (let attempt = 1; ; attempt++) {
    const outcome = await round(run, remote, branch, options);
    if (outcome.state === 'pushed') return { ...outcome, path, attempts: attempt };
    if (outcome.state === 'superseded' || outcome.state === 'refused') return { ...outcome, path };
    failures = outcome.state === 'failed' ? failures + 1 : 0;
    if (attempt >= attempts || failures >= FAILURES) throw notPushed(outcome.message, attempt);
    // Full jitter: those that lost a round together do not meet again in the next one.
    await sleep(random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)));
  }
}

type Round =
  | Pick<Extract<PushedBaseline, { state: 'pushed' }>, 'state' | 'commit' | 'taken' | 'left_out'>
  | Pick<Extract<PushedBaseline, { state: 'superseded' }>, 'state' | 'left_out'>
  | Exclude<PushOutcome, { state: 'pushed' }>;

/** Once: take what the branch holds now, put this run's on top, and try to be first. */
async function round(
  run: BaselineRun,
  remote: string,
  branch: string,
  options: PushBaselineOptions,
): Promise<Round> {
  const tip = await run.git.fetchTip(remote, branch).catch((error: unknown) => {
    if (error instanceof PawlError && error.kind === 'unavailable') return error;
    throw error;
  });
  if (tip instanceof PawlError) return { state: 'failed', message: tip.message };
  if (tip === undefined) throw noBranch(remote, branch);
  const { text, taken, leftOut } = await run.onto(tip);
  if (taken.length === 0) return { state: 'superseded', left_out: leftOut };
  const commit = await run.git.commit({
    parents: [tip],
    tree: tip,
    files: [{ path: run.file, text }],
    message: options.message ?? BASELINE_MESSAGE,
    author: options.author ?? ACTIONS_BOT,
  });
  const outcome = await run.git.push(remote, commit, branch);
  return outcome.state === 'pushed' ? { ...outcome, commit, taken, left_out: leftOut } : outcome;
}

function noBranch(remote: string, branch: string): PawlError {
  return new PawlError('usage', `${remote} has no branch ${branch}.`, 'Give the default branch.');
}

/** The baseline as a branch that was proposed earlier has it, or as the main branch does, with this run's on top. */
export async function baselineForProposal(
  options: PushBaselineOptions,
  proposed: string,
): Promise<{ readonly path: string; readonly text: string }> {
  const run = await BaselineRun.open(options);
  const { remote = 'origin' } = options;
  const tip = await run.git.fetchTip(remote, options.branch);
  if (tip === undefined) throw noBranch(remote, options.branch);
  const earlier = await run.git.fetchTip(remote, proposed);
  return { path: run.file, text: (await run.onto(tip, earlier)).text };
}

function notPushed(message: string, attempts: number): PawlError {
  return new PawlError(
    'try-again',
    `The baseline was not pushed in ${attempts} attempts: ${message}.`,
    'Run the job again; the measurements are in the artifacts.',
  );
}

/** What this run changed: the baseline at the commit that was measured, and as the measuring job proposes it. */
class BaselineRun {
  readonly git: GitRepository;
  readonly path: string;
  /** Below the top of the repository, with slashes. */
  readonly file: string;
  readonly #key: string | undefined;
  readonly #before: Baseline;
  readonly #after: Baseline;

  private constructor(
    git: GitRepository,
    where: { readonly path: string; readonly file: string; readonly key: string | undefined },
    before: Baseline,
    after: Baseline,
  ) {
    this.git = git;
    this.path = where.path;
    this.file = where.file;
    this.#key = where.key;
    this.#before = before;
    this.#after = after;
  }

  static async open(options: PushBaselineOptions): Promise<BaselineRun> {
    const path = await baselinePath(options);
    const { env, signal, credentials } = options;
    const git = await GitRepository.open(dirname(path), {
      ...defined({ env, signal, credentials }),
    });
    const folder = await realpath(dirname(path));
    const file = relative(git.top, join(folder, basename(path)))
      .split(sep)
      .join('/');
    const key = keyFrom(options);
    const before = soundBaseline(await git.textAt(options.commit, file), basename(path), key);
    const after = (await proposedBaseline(options.from, before, options.commit)) ?? before;
    return new BaselineRun(git, { path, file, key }, before, after);
  }

  get isUnchanged(): boolean {
    return this.#after.log.length === this.#before.log.length;
  }

  /** The file with this run's changes on top of what a commit holds, and of what another one had added to that. */
  async onto(tip: string, earlier?: string) {
    const main = soundBaseline(await this.git.textAt(tip, this.file), `${this.file} at ${tip}`, this.#key);
    const onto = earlier === undefined ? main : await this.#stacked(main, earlier);
    const rebased = rebaseBaseline(this.#after, onto, this.#before.log.length);
    return {
      text: baselineText(sealBaseline(rebased.baseline, this.#key)),
      taken: rebased.taken.map(entryKeyText),
      leftOut: rebased.leftOut.map(leftOutText),
    };
  }

  async #stacked(main: Baseline, earlier: string): Promise<Baseline> {
    const text = await this.git.textAt(earlier, this.file);
    const other = soundBaseline(text, `${this.file} at ${earlier}`, this.#key);
    return rebaseBaseline(other, main, sharedRecords(other, main)).baseline;
  }
}

/** What was edited by hand is not built upon, wherever it is. */
function soundBaseline(text: string | undefined, label: string, key: string | undefined): Baseline {
  if (text === undefined) return EMPTY_BASELINE;
  const document = parseBaseline(text, label);
  const [problem] = verifyBaseline(text, { key, label });
  if (problem === undefined) return document;
  throw new PawlError(
    'bad-data',
    `${label} was changed outside Pawl: ${problem}.`,
    'For details: pawl ratchet verify',
  );
}
