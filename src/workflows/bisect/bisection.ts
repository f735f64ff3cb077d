import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { BisectOutcome, BisectProbe } from '../../model/reports/bisect-report.ts';
import type { Mode } from '../../model/problem/mode.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { addTimes, recordCost, type DeviceTime } from '../../rig/cost-of-run.ts';
import type { BisectJournal } from '../../judge/bisect/bisect-journal.ts';
import type { CommitRange } from '../../os/git/commit-range.ts';
import { probePair, type Probed, type ProbeOptions } from './probe-pair.ts';
import { narrowed, nextProbe, stepsLeft, type Search } from '../../judge/bisect/search.ts';
import { omit } from '../../model/omit.ts';
import type { RunContext } from '../../os/run-context.ts';

/** A commit that stays undecided is measured again with this many times the processes. */
const LONGER = 2;
const PROCESSES = 24;

interface BisectionOptions extends Omit<ProbeOptions, keyof RunContext>, RunContext {
  readonly mode?: Mode;
  readonly journal: BisectJournal;
  readonly range: CommitRange;
  /** How likely each commit is the guilty one. */
  readonly weights: readonly number[];
}
/** One question on its way to an answer. */
export class Bisection {
  readonly #options: BisectionOptions;
  readonly #started_ms: number;
  readonly #times: DeviceTime[] = [];

  constructor(options: BisectionOptions) {
    this.#options = options;
    this.#started_ms = options.now().getTime();
  }

  get threshold_pct(): number | undefined {
    const { threshold_pct, journal } = this.#options;
    return threshold_pct ?? (journal.ends === undefined ? undefined : slowdownOf(journal.ends));
  }

  get narrowed() {
    return narrowed(this.#search());
  }

  get cost() {
    const times = addTimes(this.#times);
    const device_s = times.reduce((sum, time) => sum + time.device_s, 0);
    return { wall_s: this.#elapsed_s(), device_s };
  }

  async run(): Promise<BisectOutcome> {
    const { journal, range } = this.#options;
    const ends = await this.#measureEnds();
    if (ends.answer === 'good') return 'nothing';
    if (ends.answer === 'undecided') return this.#isSpent() ? 'stopped' : 'undecided';
    for (;;) {
      const place = nextProbe(this.#search());
      if (place === undefined) break;
      if (this.#isSpent()) return 'stopped';
      if (!(await this.#probe(place))) return 'stopped';
    }
    const { lastGood, firstBad } = this.narrowed;
    const last = lastGood < 0 ? range.good : range.commits[lastGood]!.sha;
    const first = range.commits[firstBad]!.sha;
    let confirmation = journal.confirmation(last, first);
    if (confirmation === undefined || confirmation.answer === 'undecided') {
      if (this.#isSpent()) return 'stopped';
      this.#say(`${short(first)} against ${short(last)}, afresh`);
      const { probe, stopped_by } = await this.#measureLonger(last, first, { control: true });
      if (stopped_by === 'budget' && probe.answer === 'undecided') return 'stopped';
      journal.add('confirmation', probe);
      confirmation = probe;
    }
    if (confirmation.answer !== 'bad') return 'unconfirmed';
    return firstBad - lastGood === 1 ? 'found' : 'range';
  }

  /** What was measured is paid for, also where the search was interrupted. */
  async settle(main: LoadedConfig): Promise<void> {
    const { kernel, range, now, onProgress } = this.#options;
    if (this.#times.length === 0) return;
    await recordCost(
      main,
      {
        what: 'bisect',
        kernels: [kernel],
        times: addTimes(this.#times),
        wall_s: this.#elapsed_s(),
        commit: range.bad,
      },
      { now, onProgress },
    );
  }

  async #measureEnds(): Promise<BisectProbe> {
    const { journal, range } = this.#options;
    const known = journal.ends;
    if (known !== undefined) {
      this.#say(`resuming: ${journal.probes.length} of ${range.commits.length} commits were already tried`);
      return known;
    }
    this.#say(`${range.commits.length} commits; first ${short(range.bad)} against ${short(range.good)}`);
    const { probe, verdict, stopped_by } = await this.#measureLonger(range.good, range.bad, {
      control: true,
    });
    if (verdict === 'incorrect' || verdict === 'new') {
      const which = verdict === 'new' ? 'good' : 'bad';
      throw new PawlError(
        'bad-data',
        `The ${which} end cannot be measured: ${probe.reason}`,
        'Choose other commits: both ends must build, be correct and have the case.',
      );
    }
    if (!(stopped_by === 'budget' && probe.answer === 'undecided')) journal.add('ends', probe);
    return probe;
  }

  /** False where the budget ended it. */
  async #probe(place: number): Promise<boolean> {
    const { range, journal } = this.#options;
    const { sha, subject } = range.commits[place]!;
    const { lastGood, firstBad } = this.narrowed;
    this.#say(
      `${firstBad - lastGood} commits left, about ${stepsLeft(this.#search())} to try; now ${short(sha)} ${subject}`,
    );
    const { probe, stopped_by } = await this.#measureLonger(range.good, sha, { control: false });
    if (stopped_by === 'budget' && probe.answer === 'undecided') return false;
    journal.add('probe', probe);
    this.#say(`${short(sha)} is ${probe.answer}: ${probe.reason}`);
    return true;
  }

  async #measureLonger(
    base: string,
    commit: string,
    options: { readonly control: boolean },
  ): Promise<Probed> {
    const first = await this.#measure(base, commit, options);
    if (first.probe.answer !== 'undecided' || first.stopped_by !== 'max-processes') return first;
    this.#say(`${short(commit)} is undecided: measuring longer`);
    return this.#measure(base, commit, options, LONGER);
  }

  async #measure(
    base: string,
    commit: string,
    { control }: { readonly control: boolean },
    longer = 1,
  ): Promise<Probed> {
    const { processes = PROCESSES, mode, budget_s, ...rest } = omit(this.#options, 'journal', 'range');
    const { signal } = rest;
    const { threshold_pct } = this;
    const probed = await probePair(base, commit, {
      ...rest,
      control,
      processes: longer * processes,
      ...(mode === undefined ? {} : { modes: [mode] }),
      ...defined({ threshold_pct }),
      ...(budget_s === undefined ? {} : { budget_s: Math.max(0.001, budget_s - this.#elapsed_s()) }),
    });
    this.#times.push(...probed.times);
    if (signal.aborted) {
      throw new PawlError(
        'try-again',
        'Interrupted.',
        'The measurements are kept: run the same command to continue.',
      );
    }
    return probed;
  }

  #search(): Search {
    const { journal, range, weights } = this.#options;
    const places = new Map(range.commits.map(({ sha }, place) => [sha, place]));
    return {
      weights,
      answers: new Map(
        journal.probes.flatMap(({ commit, answer }) => {
          const place = places.get(commit);
          return place === undefined ? [] : [[place, answer] as const];
        }),
      ),
    };
  }

  #elapsed_s(): number {
    return Math.max(0, (this.#options.now().getTime() - this.#started_ms) / 1000);
  }

  #isSpent(): boolean {
    return this.#elapsed_s() >= (this.#options.budget_s ?? Infinity);
  }

  #say(text: string): void {
    this.#options.onProgress({ type: 'note', level: 'info', text: `bisect: ${text}` });
  }
}

/**
 * How much slower BAD surely is, in percent of the base's time: the interval's near end, but no less than half of the
 * estimate as a ratio. A lucky or unlucky measurement of the ends would else set the mark for all that follow.
 */
function slowdownOf({ change_pct, ci_pct, answer }: BisectProbe): number | undefined {
  if (answer !== 'bad' || change_pct === undefined || change_pct >= 0) return undefined;
  const estimate = Math.log1p(-change_pct / 100);
  const near = ci_pct === undefined ? estimate : Math.log1p(Math.max(0, -ci_pct[1]) / 100);
  return 100 * Math.expm1(Math.max(near, estimate / 2));
}

export function short(sha: string): string {
  return sha.slice(0, 10);
}
