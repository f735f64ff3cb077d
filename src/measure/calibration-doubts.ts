import type { SeriesRecord } from './measure.ts';
import type { Series } from '../model/measure/samples.ts';
import { median } from '../stats/index.ts';

/**
 * Who believes a ceiling allows for 5 % (`CEILING_TOLERANCE` of the roofline): processes that differ by more did not
 * measure the device alone. Samples of one process scatter more than their medians.
 */
const MOST_BETWEEN = 0.05;
const MOST_WITHIN = 0.1;

/** Why the series of a calibration do not show what the device does at best; empty where they agree. */
export function doubtsOf(records: readonly SeriesRecord[]): string[] {
  const byKernel = new Map<string, Series[]>();
  for (const { target, outcome } of records) {
    if ('lost' in outcome) continue;
    const { name } = target.plan;
    byKernel.set(name, [...(byKernel.get(name) ?? []), outcome.taken]);
  }
  const doubts: string[] = [];
  for (const [name, series] of byKernel) {
    doubts.push(...differing(name, series), ...scattering(name, series), ...otherwiseUsed(series));
  }
  return [...new Set(doubts)];
}

/** The first against the last: the same thing twice. */
function differing(name: string, series: readonly Series[]): string[] {
  const [first, last] = [series[0]!, series.at(-1)!].map(({ samples_ms }) => median(samples_ms));
  const apart = Math.max(first!, last!) / Math.min(first!, last!) - 1;
  if (apart <= MOST_BETWEEN) return [];
  return [`the first and the last process of ${name} differ by ${percent(apart)}`];
}

function scattering(name: string, series: readonly Series[]): string[] {
  const widest = Math.max(
    ...series.map(({ samples_ms }) => median(samples_ms) / Math.min(...samples_ms) - 1),
  );
  return widest > MOST_WITHIN ? [`the median of ${name} is ${percent(widest)} above its fastest sample`] : [];
}

function otherwiseUsed(series: readonly Series[]): string[] {
  const states = series.flatMap(({ state_before, state_after }) => [state_before, state_after]);
  const pids = new Set(states.flatMap((state) => state?.foreign_pids ?? []));
  // Tensor cores at their peak reach the power cap by themselves, however idle the machine is: that is their ceiling.
  const reasons = new Set(series.flatMap(({ throttle_reasons }) => throttle_reasons ?? []));
  reasons.delete('sw-power-cap');
  return [
    ...(pids.size === 0 ? [] : [`other processes computed on the device (pid ${[...pids].join(', ')})`]),
    ...(reasons.size === 0 ? [] : [`the device throttled (${[...reasons].join(', ')})`]),
  ];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
