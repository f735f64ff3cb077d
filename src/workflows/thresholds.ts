import { setImmediate } from 'node:timers/promises';

import { didYouMean } from '../model/text/did-you-mean.ts';
import { loadConfig } from '../config/load-config.ts';
import type { KernelPlan } from '../config/plan-kernel.ts';
import { policyForCase, policyOf, type JudgePolicy } from '../judge/judge-policy.ts';
import { spreadPct } from '../judge/thresholds/noise-of.ts';
import {
  processesFor,
  PROMISED,
  ratesAt,
  RUNS,
  smallestThreshold,
  type ReplayOptions,
} from '../judge/thresholds/smallest-threshold.ts';
import { caseLabel } from '../model/judge/case-key.ts';
import type { HistoryKey } from '../model/history/history.ts';
import { PawlError } from '../model/pawl-error.ts';
import {
  THRESHOLDS_SCHEMA,
  type CaseThreshold,
  type ThresholdsReport,
} from '../model/reports/thresholds-report.ts';
import { variantText } from '../model/problem/variant.ts';
import { selectKernels } from '../rig/select-kernels.ts';
import { openHistory, type HistoryOptions } from './history.ts';
import { COMPARE_PROCESSES } from './runs/compare/hold-sides.ts';
import { noiseInFiles, noiseInHistory, type MeasuredNoise } from './thresholds/measured-noise.ts';

/** Which cases to look at, and the samples to use. */
export interface ThresholdsOptions extends HistoryOptions {
  /** `KERNEL`, `CASE` or `KERNEL/CASE`; none: all of pawl.yaml. */
  readonly names?: readonly string[];
  /** Samples files or folders of them, instead of the history. */
  readonly samples?: readonly string[];
  readonly mode?: string;
  /** A part of the device class. */
  readonly device?: string;
  readonly since?: Date;
  /** The most processes per side that the check takes. Default 24. */
  readonly processes?: number;
  /** Simulated runs of the check per threshold. Default 2,000; fewer are faster and less precise. */
  readonly runs?: number;
}

/**
 * From 20 processes on, their spread is known to about a sixth (Ahn & Fessler, "Standard errors of mean, variance, and
 * standard deviation estimators", 2003: 1/√(2(n − 1))).
 */
const LEAST_PROCESSES = 20;

interface KnownCase {
  readonly kernel: string;
  readonly case: string;
  readonly plan: KernelPlan;
}

/**
 * Returns the smallest regression threshold that the check can hold for each case. It replays the check on the
 * differences between the processes of earlier runs.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if it has no such kernel or
 * case
 */
export async function thresholds(options: ThresholdsOptions): Promise<ThresholdsReport> {
  const loaded = await loadConfig(options.config);
  const plans = selectKernels(loaded, {});
  const known = plans.flatMap((plan) =>
    plan.cases.map(({ name }): KnownCase => ({ kernel: plan.name, case: name, plan })),
  );
  const chosen = choose(known, options.names ?? []);
  const isWanted = (key: HistoryKey): boolean =>
    chosen.some((one) => isOf(one, key)) &&
    (options.mode === undefined || key.mode === options.mode) &&
    (options.device === undefined || key.device_class.toLowerCase().includes(options.device.toLowerCase()));
  const { noise, source } = await gather(isWanted, options);
  const policy = policyOf(loaded.config.thresholds);
  const { processes = COMPARE_PROCESSES, runs = RUNS } = options;
  // What has another device is checked on another machine, in a run of its own.
  const casesBeside = ({ plan }: KnownCase): number =>
    known.filter((other) => other.plan.device === plan.device).length;

  options.onProgress?.({ type: 'started', title: 'replaying the gate', total: noise.length });
  const cases: CaseThreshold[] = [];
  let done = 0;
  for (const one of chosen) {
    const own = noise.filter(({ key }) => isOf(one, key));
    if (own.length === 0) cases.push(unmeasured(one, policy));
    for (const measured of own) {
      const step = (detail: string): void =>
        options.onProgress?.({ type: 'step', done, label: caseLabel(one), detail });
      const replay = { policy, processes, runs, cases: casesBeside(one) };
      cases.push(await judgeNoise(measured, replay, { ...options, step }));
      done += 1;
    }
  }
  options.onProgress?.({ type: 'step', done, label: 'done' });
  options.onProgress?.({ type: 'finished' });
  return {
    schema: THRESHOLDS_SCHEMA,
    source,
    promised: PROMISED,
    processes,
    runs,
    least_processes: LEAST_PROCESSES,
    cases,
    proposed: proposalsOf(cases),
  };
}

async function gather(
  isWanted: (key: HistoryKey) => boolean,
  options: ThresholdsOptions,
): Promise<{ readonly noise: MeasuredNoise[]; readonly source: string }> {
  const { samples = [] } = options;
  if (samples.length > 0) return { noise: await noiseInFiles(samples, isWanted), source: samples.join(', ') };
  const history = await openHistory(options);
  try {
    return { noise: await noiseInHistory(history, isWanted, options), source: history.place };
  } finally {
    await history.close();
  }
}

/** The variant that the gate measures: the default one. */
function isOf(one: KnownCase, key: HistoryKey): boolean {
  return (
    key.kernel === one.kernel &&
    key.case === one.case &&
    (key.variant === undefined || variantText(key.variant) === variantText(one.plan.variant))
  );
}

function choose(known: readonly KnownCase[], names: readonly string[]): KnownCase[] {
  const namesOf = (one: KnownCase): string[] => [one.kernel, one.case, caseLabel(one)];
  const unknown = names.find((name) => !known.some((one) => namesOf(one).includes(name)));
  if (unknown !== undefined) {
    const all = [...new Set(known.flatMap(namesOf))];
    throw new PawlError(
      'usage',
      `pawl.yaml has no kernel or case "${unknown}"${didYouMean(unknown, all)}.`,
      'Give a KERNEL, a CASE or KERNEL/CASE, or no name for all.',
    );
  }
  return known.filter((one) => names.length === 0 || names.some((name) => namesOf(one).includes(name)));
}

function unmeasured({ kernel, case: name }: KnownCase, policy: JudgePolicy): CaseThreshold {
  const { regressionPct: threshold_pct } = policyForCase(policy, { kernel, case: name });
  return { kernel, case: name, state: 'too-few', threshold_pct, measurements: 0, processes: 0 };
}

interface Telling {
  readonly signal?: AbortSignal | undefined;
  readonly step: (detail: string) => void;
}

async function judgeNoise(
  { key, measurements, processes }: MeasuredNoise,
  replay: ReplayOptions,
  telling: Telling,
): Promise<CaseThreshold> {
  const { kernel, case: name, mode, device_class } = key;
  const { regressionPct: threshold_pct } = policyForCase(replay.policy, key);
  const facts = {
    kernel,
    case: name,
    threshold_pct,
    mode,
    device_class,
    measurements,
    processes: processes.length,
    ...(processes.length < 2 ? {} : { spread_pct: spreadPct(processes) }),
  };
  if (processes.length < LEAST_PROCESSES) return { ...facts, state: 'too-few' };
  const rates = ratesAt(threshold_pct, processes, replay);
  const smallest_pct = await ended(smallestThreshold(processes, replay), telling, (pct) => `${pct} %`);
  if (smallest_pct !== undefined && smallest_pct <= threshold_pct) {
    return { ...facts, state: smallest_pct < threshold_pct ? 'tighter' : 'fits', smallest_pct, rates };
  }
  const needs_processes = await ended(
    processesFor(threshold_pct, processes, replay),
    telling,
    (count) => `${threshold_pct} % with ${count} processes`,
  );
  return {
    ...facts,
    ...(smallest_pct === undefined
      ? { state: 'beyond' as const }
      : { state: 'too-noisy' as const, smallest_pct }),
    rates,
    ...(needs_processes === undefined ? {} : { needs_processes }),
  };
}

/** Between steps, which take a second each, the bar is drawn and Ctrl-C is heard. */
async function ended(
  steps: Generator<number, number | undefined>,
  { signal, step }: Telling,
  detail: (value: number) => string,
): Promise<number | undefined> {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    step(detail(next.value));
    await setImmediate();
    signal?.throwIfAborted();
  }
}

/** A case has one threshold, whatever it runs on: the one that holds everywhere. */
function proposalsOf(cases: readonly CaseThreshold[]): ThresholdsReport['proposed'] {
  const byCase = new Map<string, CaseThreshold[]>();
  for (const one of cases) byCase.set(caseLabel(one), [...(byCase.get(caseLabel(one)) ?? []), one]);
  const proposed: ThresholdsReport['proposed'] = {};
  for (const [name, own] of byCase) {
    const [first] = own;
    const known = own.flatMap(({ smallest_pct }) => smallest_pct ?? []);
    if (first === undefined || known.length < own.length) continue;
    const regression_pct = Math.max(...known);
    if (regression_pct !== first.threshold_pct) proposed[name] = { regression_pct };
  }
  return proposed;
}
