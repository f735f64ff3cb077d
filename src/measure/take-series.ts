import { throttleReasons, type DeviceState } from '../model/device.ts';
import type { Mode } from '../model/mode.ts';
import type { SampleResult } from '../model/protocol.ts';
import type { Series } from '../model/samples.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import type { RunnerProcess } from '../runner/runner-process.ts';
import { isThrottled, type TimedSample } from './leave-out-throttled.ts';
import type { StoppingRule } from './stopping-rules.ts';
import { warmUp, type WarmUp } from './warm-up.ts';

export interface SeriesOptions {
  readonly mode: Mode;
  readonly timing: 'blocked' | 'plain';
  readonly warmup: number;
  readonly rule: StoppingRule;
  /** No answer within this time: the kernel hangs. */
  readonly timeout_ms: number;
  /** A series that is not done after this long ends with what it has. */
  readonly budget_ms: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onSamples?: (samples_ms: readonly number[]) => void;
}

/** Samples asked for at once: few enough that stopping rules and Ctrl-C act soon, many enough to cost nothing. */
const CHUNK = 25;

/** Takes the samples of one process for one case: warms up, samples until the rule is content, leaves throttled samples out. */
export async function takeSeries(runner: RunnerProcess, options: SeriesOptions): Promise<Series> {
  const started = options.now();
  const before = await runner.request({ op: 'state' }, options.timeout_ms);
  const warmedUp = await warmUp((count, budget_ms) => sample(runner, options, count, budget_ms), options);
  const taking = new SeriesBuilder();
  let stopped: string | undefined;
  while (stopped === undefined) {
    taking.add(await sample(runner, options, Math.min(CHUNK, options.rule.most - taking.count)));
    options.onSamples?.(taking.kept_ms);
    stopped = reasonToStop(taking, options, started);
  }
  return taking.build({ started, before, warmedUp, stopped_by: stopped });
}

function reasonToStop(taking: SeriesBuilder, options: SeriesOptions, started: Date): string | undefined {
  const { rule } = options;
  if (options.signal.aborted) return 'interrupted';
  if (taking.kept_ms.length >= rule.least) {
    const reason = rule.decide(taking.kept_ms);
    if (reason !== undefined) return reason;
  }
  if (taking.count >= rule.most) return 'limit';
  if (options.now().getTime() - started.getTime() > options.budget_ms) return 'budget';
  return undefined;
}

async function sample(
  runner: RunnerProcess,
  options: SeriesOptions,
  count: number,
  budget_ms = options.timeout_ms / 2,
): Promise<SampleResult> {
  const { mode, timing, timeout_ms } = options;
  const result = await runner.request({ op: 'sample', mode, timing, count, budget_ms }, timeout_ms);
  const [tamper] = result.tampering;
  if (tamper !== undefined) throw new RunnerFailure('kernel-failed', `${tamper.detector}: ${tamper.message}`);
  return result;
}

/** Gathers chunks into a series. */
class SeriesBuilder {
  readonly #samples: TimedSample[] = [];
  readonly #notes = new Set<string>();
  #wall_ms = 0;
  #timed_ms = 0;
  #last: SampleResult | undefined;

  get count(): number {
    return this.#samples.length;
  }

  /** What the stopping rule sees: samples that were not throttled. */
  get kept_ms(): number[] {
    const throttled = isThrottled(this.#samples);
    return this.#samples.flatMap(({ ms }, index) => (throttled[index] === true ? [] : [ms]));
  }

  add(chunk: SampleResult): void {
    this.#last = chunk;
    this.#wall_ms += chunk.wall_ms;
    this.#timed_ms += chunk.timed_ms;
    for (const note of chunk.notes) this.#notes.add(note);
    for (const [index, ms] of chunk.samples_ms.entries()) {
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
      ...(last.memory_peak_bytes === undefined ? {} : { memory_peak_bytes: last.memory_peak_bytes }),
      ...(this.#notes.size > 0 ? { notes: [...this.#notes] } : {}),
    };
  }
}
