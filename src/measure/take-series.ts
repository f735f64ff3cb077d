import { defined } from '../model/defined.ts';
import { throttleReasons, type DeviceState } from '../model/device/device.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { Request, SampleResult } from '../model/measure/protocol.ts';
import type { Series } from '../model/measure/samples.ts';
import { ClockWatch, waitedForCpu_ms } from '../runner/clock-watch.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import type { RunnerProcess } from '../runner/runner-process.ts';
import { isThrottled, type TimedSample } from './leave-out-throttled.ts';
import type { StoppingRule } from './stopping-rules.ts';
import { warmUp, type WarmUp } from './warm-up.ts';
import type { RunContext } from '../os/run-context.ts';

export interface SeriesOptions extends Pick<RunContext, 'signal' | 'now'> {
  readonly mode: Mode;
  readonly timing: 'blocked' | 'plain';
  readonly warmup: number;
  readonly rule: StoppingRule;
  /** No answer within this time: the kernel hangs. */
  readonly timeout_ms: number;
  /** A series that is not done after this long ends with what it has. */
  readonly budget_ms: number;
  /** What says whether the outputs of timed repetitions are right; absent: they are not kept. */
  readonly verify?: Extract<Request, { op: 'sample' }>['verify'];
  readonly onSamples?: (samples_ms: readonly number[]) => void;
  /**
   * All samples in one request, as many as the rule has at most: every request has its own search for kernels that
   * cheat, which on a CPU takes longer than the samples. `with-warm-up`: what is thrown away is part of it, too.
   */
  readonly inOneRequest?: 'with-warm-up' | 'after-warm-up';
  /** Default: in nothing. */
  readonly trust?: Trust;
}

/**
 * `results`: those of timed repetitions are kept and not compared, so that nothing else differs around the samples.
 * `kernel`: nor is the kernel looked through for what it remembers. Everything that could change its time is as ever.
 */
export type Trust = 'results' | 'kernel';

/** Samples asked for at once: few enough that stopping rules and Ctrl-C act soon, many enough to cost nothing. */
const CHUNK = 25;

/** Samples of the chunk that is verified: enough that the kernel cannot tell which of them is looked at. */
const VERIFIED_SAMPLES = 5;

/**
 * Takes the samples of one process for one case: warms up, samples until the rule is content, leaves throttled
 * samples out. What is verified is part of the last chunk: the kernel cannot know which one that is, and an oracle
 * that ran between chunks would let the device cool and its clock fall.
 */
export async function takeSeries(runner: RunnerProcess, options: SeriesOptions): Promise<Series> {
  const started = options.now();
  const { rule, signal, verify } = options;
  const before = await runner.request({ op: 'state' }, options.timeout_ms);
  const sampler = new Sampler(runner, options);
  if (options.inOneRequest !== undefined) return takeAtOnce(runner, sampler, { ...options, started, before });
  const warmedUp = await warmUp((count, budget_ms) => sampler.warm(count, budget_ms), options);
  const taking = new SeriesBuilder();
  const verified = verify === undefined ? 0 : Math.min(VERIFIED_SAMPLES, rule.most);
  const most = rule.most - verified;
  let stopped = most > 0 ? undefined : 'limit';
  while (stopped === undefined) {
    taking.add(await sampler.take(Math.min(CHUNK, most - taking.count), { keep: verify !== undefined }));
    options.onSamples?.(taking.kept_ms);
    stopped = reasonToStop(taking, { ...options, most, started });
  }
  if (verify !== undefined && !signal.aborted) {
    taking.add(await sampler.take(verified, options.trust === undefined ? { verify } : { keep: true }));
    if (stopped === 'limit') stopped = ruleReason(taking, rule) ?? stopped;
  }
  await refusePosedAnswer(runner);
  return taking.build({ started, before, warmedUp, stopped_by: stopped });
}

async function refusePosedAnswer(runner: RunnerProcess): Promise<void> {
  const posed = await runner.posedAnswer();
  if (posed === undefined) return;
  throw new RunnerFailure('forged-result', `the kernel printed what poses as a result: ${posed}`);
}

async function takeAtOnce(
  runner: RunnerProcess,
  sampler: Sampler,
  options: SeriesOptions & { readonly started: Date; readonly before: DeviceState },
): Promise<Series> {
  const { rule, verify, trust, budget_ms, started, before } = options;
  const isWarmedUpWithin = options.inOneRequest === 'with-warm-up';
  const warmedUp = isWarmedUpWithin
    ? undefined
    : await warmUp((count, limit_ms) => sampler.warm(count, limit_ms), options);
  const thrownAway = isWarmedUpWithin ? options.warmup : 0;
  const chunk = await sampler.take(thrownAway + rule.most, {
    budget_ms: Math.min(budget_ms, options.timeout_ms / 2),
    ...(trust === undefined ? defined({ verify }) : {}),
  });
  await refusePosedAnswer(runner);
  const taking = new SeriesBuilder();
  // Calls so long that time was up have no need of much warming up.
  const skipped = Math.min(thrownAway, Math.floor(chunk.samples_ms.length / 2));
  taking.add(chunk, skipped);
  const stopped_by = chunk.samples_ms.length < thrownAway + rule.most ? 'budget' : 'fixed';
  return taking.build({
    started,
    before,
    warmedUp: warmedUp ?? { samples: skipped, cost_ms: 0 },
    stopped_by,
  });
}

function reasonToStop(
  taking: SeriesBuilder,
  options: SeriesOptions & { readonly most: number; readonly started: Date },
): string | undefined {
  if (options.signal.aborted) return 'interrupted';
  const reason = ruleReason(taking, options.rule);
  if (reason !== undefined) return reason;
  if (taking.count >= options.most) return 'limit';
  if (options.now().getTime() - options.started.getTime() > options.budget_ms) return 'budget';
  return undefined;
}

function ruleReason({ kept_ms }: SeriesBuilder, rule: StoppingRule): string | undefined {
  return kept_ms.length >= rule.least ? rule.decide(kept_ms) : undefined;
}

/** Asks for samples and refuses those that a detector speaks against. */
class Sampler {
  readonly #runner: RunnerProcess;
  readonly #options: SeriesOptions;
  readonly #clocks = new ClockWatch();

  constructor(runner: RunnerProcess, options: SeriesOptions) {
    this.#runner = runner;
    this.#options = options;
  }

  /** Samples that are thrown away: cheating in them gains nothing, and nothing is looked for. */
  warm(count: number, budget_ms: number): Promise<SampleResult> {
    return this.take(count, { budget_ms, guarded: false });
  }

  async take(
    count: number,
    asked: {
      readonly budget_ms?: number;
      readonly keep?: boolean;
      readonly verify?: SeriesOptions['verify'];
      readonly guarded?: boolean;
    } = {},
  ): Promise<SampleResult> {
    const { mode, timing, timeout_ms, trust } = this.#options;
    const { budget_ms = timeout_ms / 2, keep = false, verify, guarded = true } = asked;
    const sent_ms = performance.now();
    const waited = this.#waited_ms();
    const result = await this.#runner.request(
      {
        op: 'sample',
        mode,
        timing,
        count,
        budget_ms,
        keep,
        guarded,
        searched: trust !== 'kernel',
        ...defined({ verify }),
      },
      timeout_ms,
    );
    const elapsed_ms = performance.now() - sent_ms;
    const [tamper] = result.tampering;
    if (tamper !== undefined) throw new RunnerFailure(tamper.detector, tamper.message);
    const { wall_ms, timed_ms } = result;
    this.#clocks.add({ elapsed_ms, waited_ms: this.#waited_ms() - waited, wall_ms, timed_ms });
    return result;
  }

  #waited_ms(): number {
    return waitedForCpu_ms('self') + waitedForCpu_ms(this.#runner.pid ?? 'self');
  }
}

/** Gathers chunks into a series. */
class SeriesBuilder {
  readonly #samples: TimedSample[] = [];
  readonly #notes = new Set<string>();
  #wall_ms = 0;
  #timed_ms = 0;
  #last: SampleResult | undefined;
  #verified = false;

  get count(): number {
    return this.#samples.length;
  }

  /** What the stopping rule sees: samples that were not throttled. */
  get kept_ms(): number[] {
    const throttled = isThrottled(this.#samples);
    return this.#samples.flatMap(({ ms }, index) => (throttled[index] === true ? [] : [ms]));
  }

  /** @param skipped samples at its beginning that do not count */
  add(chunk: SampleResult, skipped = 0): void {
    this.#last = chunk;
    this.#verified ||= chunk.verified !== undefined;
    this.#wall_ms += chunk.wall_ms;
    this.#timed_ms += chunk.timed_ms;
    for (const note of chunk.notes) this.#notes.add(note);
    for (const [index, ms] of chunk.samples_ms.entries()) {
      if (index < skipped) continue;
      const mask = chunk.throttle_masks?.[index] ?? 0;
      this.#samples.push({ ms, mask, clock_mhz: chunk.clock_mhz?.[index] });
    }
  }

  build(context: {
    readonly started: Date;
    readonly before: DeviceState;
    readonly warmedUp: WarmUp;
    readonly stopped_by: string;
  }): Series {
    const throttled = isThrottled(this.#samples);
    const kept = this.#samples.filter((_, index) => throttled[index] === false);
    const leftOut_ms = this.#samples.flatMap(({ ms }, index) => (throttled[index] === true ? [ms] : []));
    const reasons = throttleReasons(this.#samples.reduce((union, { mask }) => union | mask, 0));
    const clocks = kept.flatMap(({ clock_mhz }) => clock_mhz ?? []);
    const last = this.#last;
    if (last === undefined || kept.length === 0) {
      const during = `during every one of ${leftOut_ms.length} samples`;
      throw new RunnerFailure('throttled', `the device throttled (${reasons.join(', ')}) ${during}`);
    }
    return {
      samples_ms: kept.map(({ ms }) => ms),
      ...(clocks.length === kept.length ? { clock_mhz: clocks } : {}),
      ...(leftOut_ms.length > 0 ? { throttled_ms: leftOut_ms } : {}),
      ...(reasons.length > 0 ? { throttle_reasons: reasons } : {}),
      batch: last.batch,
      timing: last.timing,
      warmup_samples: context.warmedUp.samples,
      warmup_cost_ms: context.warmedUp.cost_ms,
      sampling_cost_ms: this.#wall_ms,
      timed_ms: this.#timed_ms,
      stopped_by: context.stopped_by,
      started_at: context.started.toISOString(),
      state_before: context.before,
      state_after: last.state,
      ...defined({ memory_peak_bytes: last.memory_peak_bytes, prepare: last.prepare }),
      ...(this.#verified ? { verified: true } : {}),
      ...(this.#notes.size > 0 ? { notes: [...this.#notes] } : {}),
    };
  }
}
