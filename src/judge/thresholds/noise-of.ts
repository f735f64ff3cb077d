import type { Series } from '../../model/measure/samples.ts';
import { sorted } from '../../stats/order.ts';
import { quantileOfSorted } from '../../stats/quantile.ts';
import { mean } from '../../stats/summary.ts';
import { summarizeProcesses, type Locations, type ProcessSummary } from '../process-summary.ts';

/** With fewer, a measurement says next to nothing about how much processes differ. */
const LEAST_PROCESSES = 3;

/**
 * How the processes of one measurement differ from each other: each as it lies around their mean. What the code's
 * speed was then does not matter, so measurements of different commits and days can be put together; and how days
 * differ does not matter to a gate that measures both sides in turns.
 *
 * Around their own mean, k processes lie nearer than around the true one, by √((k − 1) / k) (Bessel): that is undone.
 */
export function noiseOf(series: readonly Series[]): ProcessSummary[] {
  const processes = summarizeProcesses(series.filter(({ samples_ms }) => samples_ms.length > 0));
  const count = processes.length;
  if (count < LEAST_PROCESSES) return [];
  const stretch = Math.sqrt(count / (count - 1));
  const around = (pick: (one: Locations) => number | undefined): (number | undefined)[] => {
    const values = processes.map(({ time }) => pick(time));
    const known = values.filter((value) => value !== undefined);
    if (known.length < count) return values.map(() => undefined);
    const middle = mean(known);
    return known.map((value) => stretch * (value - middle));
  };
  const [fastest, median, tail] = [
    around((one) => one.fastest),
    around((one) => one.median),
    around((one) => one.tail),
  ];
  return processes.map((_, index) => ({
    time: { fastest: fastest[index], median: median[index]!, tail: tail[index] },
    cycles: undefined,
  }));
}

/**
 * How much processes differ, in percent: half of what the middle 68 % of them span, which is the standard deviation of
 * normal ones. A single process in a bad mood, which the judge leaves out too, does not show in it.
 */
export function spreadPct(noise: readonly ProcessSummary[]): number {
  const levels = sorted(noise.map(({ time }) => time.fastest ?? time.median));
  return 50 * Math.expm1(quantileOfSorted(levels, 0.84) - quantileOfSorted(levels, 0.16));
}

/** Processes are drawn together, so all have what the judge goes by, or none is taken to have it. */
export function alike(noise: readonly ProcessSummary[]): readonly ProcessSummary[] {
  if (noise.every(({ time }) => time.fastest !== undefined)) return noise;
  return noise.map(({ time }) => ({ time: { ...time, fastest: undefined }, cycles: undefined }));
}
