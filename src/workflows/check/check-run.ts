import type { LoadedConfig } from '../../config/load-config.ts';
import { compareSamples } from '../../judge/compare-measurements.ts';
import { policyOf, type JudgePolicy } from '../../judge/judge-policy.ts';
import { isSameUpToVariant } from '../../model/judge/case-key.ts';
import type { CaseComparison, Comparison } from '../../model/judge/comparison.ts';
import { defined } from '../../model/defined.ts';
import { leftOutNotes } from '../../rig/left-out-notes.ts';
import { omit } from '../../model/omit.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import type { Measurement, Samples } from '../../model/measure/samples.ts';
import type { Ruling } from '../../ratchet/base-judge/rule-on-judge.ts';
import { bench } from '../runs/bench.ts';
import { refuseEmptyBench } from '../../rig/bench-result.ts';
import { isBroken, type SkippedKernel } from '../../model/measure/skipped-kernel.ts';
import type { CheckOptions } from './check-options.ts';
import type { CompareOutcome } from '../runs/compare/compare-sides.ts';
import { buildFault } from '../../judge/build-fault.ts';
import type { DeviceTime } from '../../rig/cost-of-run.ts';
import { compareWithCommits, type RevisionsOptions } from './compare-with-commits.ts';
import { confirmed, needsConfirmation } from '../../judge/confirm.ts';
import { sameAsEntries } from './same-as-entries.ts';
import type { CheckedCase } from '../../ratchet/match-entries.ts';
import {
  mergeComparisons,
  mergeSamples,
  settledComparison,
  withCases,
} from '../../judge/merge-comparisons.ts';
import { storedBaseline } from '../../ratchet/stored-baseline.ts';
import type { ConfirmedGain } from '../../ratchet/update-ratchet.ts';

/** What is asked of the check as a whole, and not of what it measures. */
const OF_THE_CHECK = [
  'baseline',
  'update',
  'profile',
  'profilers',
  'baselineText',
  'waiversOf',
  'ruling',
  'acceptJudgeChange',
  'acceptLoad',
] as const;

/** Gathers the comparisons of a check. */
export class CheckRun {
  readonly notes: string[] = [];
  readonly times: DeviceTime[] = [];
  readonly #loaded: LoadedConfig;
  readonly #judge: LoadedConfig;
  readonly #options: CheckOptions;
  readonly #comparisons: Comparison[] = [];
  readonly #controls: Comparison[] = [];
  readonly #control: Samples[] = [];
  readonly #base: Samples[] = [];
  readonly #head: Samples[] = [];
  readonly #gains: ConfirmedGain[] = [];
  readonly #first: Samples[] = [];
  readonly #skipped: SkippedKernel[] = [];

  /** `loaded` is already under the judge; `judge` is what commits and measurements are put under. */
  constructor(loaded: LoadedConfig, { judge }: Pick<Ruling, 'judge'>, options: CheckOptions) {
    this.#loaded = loaded;
    this.#judge = judge;
    this.#options = options;
  }

  /** Against the commits of the entries where they can be built, against the stored series where not. */
  async againstCommits(cases: readonly CheckedCase[]): Promise<void> {
    if (cases.length === 0) return;
    const { rows, samples, rest } = await sameAsEntries(cases, this.#revisions);
    const { outcomes, left } = await compareWithCommits(rest, this.#revisions);
    for (const outcome of outcomes) {
      this.#spend(outcome.cost);
      const suspects = outcome.comparison.cases.filter(needsConfirmation);
      const asked = cases.filter((each) => suspects.some((one) => isSameUpToVariant(one, each)));
      const { seed: _, ...rest } = this.#revisions;
      const again = {
        ...rest,
        // Another Pawl may have taken the device in between; half a check is not useful.
        wait_s: Math.max(rest.wait_s ?? 0, CONFIRMATION_WAIT_S),
        onProgress: this.#confirming(asked.length),
      };
      const second = asked.length === 0 ? undefined : (await compareWithCommits(asked, again)).outcomes[0];
      if (second !== undefined) this.#spend(second.cost);
      const verdicts = outcome.comparison.cases.map((one) =>
        needsConfirmation(one) ? confirmed(one, second?.comparison) : one,
      );
      this.#take(withCases(outcome.comparison, verdicts), outcome.samples);
      if (outcome.control !== undefined) this.#controls.push(outcome.control);
      if (outcome.samples.control !== undefined) this.#control.push(outcome.samples.control);
      if (second !== undefined) this.#gains.push(...gainsOf(verdicts, second));
    }
    for (const { case: each, why } of left) {
      const { host, time } = each.entry?.provenance ?? {};
      const stored = `is compared with its stored series of ${time?.slice(0, 10)}${host === undefined ? '' : ` from host ${host}`}`;
      const what = each.entry === undefined ? 'cannot be compared with the base' : stored;
      this.notes.push(`${each.kernel}/${each.case} ${what}: ${why}`);
    }
    const [stored, unknown] = [true, false].map((has) =>
      left.flatMap(({ case: each }) => ((each.entry !== undefined) === has ? [each] : [])),
    );
    await this.#againstFile(stored ?? []);
    await this.unknown(unknown ?? []);
    // Last: what was measured says under which conditions.
    if (samples !== undefined) this.#take(settledComparison(rows, this.#policy), samples);
  }

  /** Cases that the baseline does not know: measured, so that they can become its first entries. */
  async unknown(cases: readonly CheckedCase[]): Promise<void> {
    if (cases.length === 0) return;
    const measured = await this.#bench(cases);
    if (measured.measurements.length > 0) this.#startOver(measured);
  }

  async #againstFile(cases: readonly CheckedCase[]): Promise<void> {
    if (cases.length === 0) return;
    const measured = await this.#bench(cases);
    const { base, elsewhere } = storedBaseline(cases, measured);
    for (const { case: each, why } of elsewhere) {
      this.notes.push(`${each.kernel}/${each.case} starts again: ${why}`);
    }
    const isElsewhere = (one: Measurement) => elsewhere.some((each) => isSameUpToVariant(one, each.case));
    const [restarted, head] = [
      onlyThose(measured, isElsewhere),
      onlyThose(measured, (one) => !isElsewhere(one)),
    ];
    if (restarted.measurements.length > 0) this.#startOver(restarted);
    if (head.measurements.length === 0) return;
    const comparison = compareSamples(base, head, this.#policy);
    const suspects = comparison.cases.filter(needsConfirmation);
    const asked = cases.filter((each) => suspects.some((one) => isSameUpToVariant(one, each)));
    const second = asked.length === 0 ? undefined : await this.#bench(asked, this.#confirming(asked.length));
    const again = second === undefined ? undefined : compareSamples(base, second, this.#policy);
    const verdicts = comparison.cases.map((one) => (needsConfirmation(one) ? confirmed(one, again) : one));
    this.#take(withCases(comparison, verdicts), { base, head });
  }

  /** Nothing to compare with: new, and a first entry where the baseline is updated. */
  #startOver(samples: Samples): void {
    const nothing = { ...samples, measurements: [] };
    // What has no series can be no entry.
    this.#first.push(onlyThose(samples, ({ series }) => series.length > 0));
    this.#take(compareSamples(nothing, samples, this.#policy), { base: nothing, head: samples });
  }

  result() {
    if (this.#comparisons.length === 0) refuseEmptyBench([], this.#skipped);
    const comparison = mergeComparisons(this.#comparisons);
    const samples = {
      base: mergeSamples(this.#base),
      ...(this.#controls.length === 0 ? {} : { control: mergeSamples(this.#control) }),
      head: mergeSamples(this.#head),
    };
    return {
      comparison,
      ...(this.#controls.length === 0 ? {} : { control: mergeComparisons(this.#controls) }),
      samples,
      gains: this.#gains,
      first: this.#first,
    };
  }

  get #policy(): JudgePolicy {
    return policyOf(this.#loaded.config.thresholds, this.#options.policy);
  }

  get #revisions(): RevisionsOptions {
    const measuring = omit(this.#options, 'only', 'cases', 'modes', 'out', ...OF_THE_CHECK);
    return { ...measuring, config: this.#loaded.path, judge: { by: 'ruled', loaded: this.#judge } };
  }

  /** The second look is told as one: who sees everything built and measured again would wonder why. */
  #confirming(cases: number): OnProgress {
    const { onProgress = () => undefined } = this.#options;
    const what = `confirming ${cases === 1 ? 'a change' : `${cases} changes`}`;
    return (progress) =>
      onProgress(
        progress.type === 'started' ? { ...progress, title: `${what}: ${progress.title}` } : progress,
      );
  }

  async #bench(cases: readonly CheckedCase[], onProgress = this.#options.onProgress): Promise<Samples> {
    const rest = omit(this.#options, 'policy', 'control', 'budget_s', 'out', ...OF_THE_CHECK);
    const { samples, skipped, times } = await bench({
      ...rest,
      ...defined({ onProgress }),
      judge: this.#judge,
      verified: rest.verified !== false,
      // One kernel that does not build takes nothing from the others.
      allowNone: true,
      // A part of this run, which is charged and kept as a whole.
      recordsCost: false,
      history: false,
      config: this.#loaded.path,
      only: [...new Set(cases.map(({ kernel }) => kernel))],
      cases: [...new Set(cases.map((each) => each.case))],
      processes: Math.min(STORED_PROCESSES, rest.processes ?? STORED_PROCESSES),
    });
    this.times.push(...times);
    this.#leftOut(cases, skipped, samples);
    // One case may belong to two kernels, of which only one was asked for.
    const asked = samples.measurements.filter((one) => cases.some((each) => isSameUpToVariant(one, each)));
    return { ...omit(samples, 'skipped'), measurements: asked };
  }

  /** What does not build is wrong; what cannot run here is only said. */
  #leftOut(cases: readonly CheckedCase[], skipped: readonly SkippedKernel[], samples: Samples): void {
    const rows: CaseComparison[] = [];
    this.#skipped.push(...skipped);
    this.notes.push(...leftOutNotes(skipped));
    for (const { kernel, message } of skipped.filter(isBroken)) {
      for (const { case: name, mode } of cases.filter((each) => each.kernel === kernel)) {
        const key = { kernel, case: name, mode };
        rows.push({ state: 'not-estimated', ...key, ...buildFault(kernel, message), processes: [0, 0] });
      }
    }
    if (rows.length === 0) return;
    const head = { ...samples, measurements: [] };
    this.#take(settledComparison(rows, this.#policy), { base: omit(head, 'skipped'), head });
  }

  #spend({ devices, device_s }: CompareOutcome['cost']): void {
    this.times.push(...devices.map((device) => ({ device, device_s })));
  }

  #take(comparison: Comparison, samples: { readonly base: Samples; readonly head: Samples }): void {
    this.#comparisons.push(comparison);
    this.#base.push(samples.base);
    this.#head.push(samples.head);
  }
}

function gainsOf(verdicts: readonly CaseComparison[], second: CompareOutcome): ConfirmedGain[] {
  return verdicts.flatMap((verdict) =>
    verdict.verdict === 'improved' && verdict.state === 'estimated'
      ? [{ verdict, comparison: second.comparison, samples: second.samples.head }]
      : [],
  );
}

const CONFIRMATION_WAIT_S = 600;

function onlyThose(samples: Samples, keep: (one: Measurement) => boolean): Samples {
  return { ...samples, measurements: samples.measurements.filter(keep) };
}

/** Processes of a measurement that others will be compared with: ten decide a 3 % change (docs/statistics.md). */
const STORED_PROCESSES = 10;
