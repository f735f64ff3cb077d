import {
  ASSUMED_DEGREES,
  ASSUMED_SD,
  PROCESSES_TO_MEASURE_NOISE,
  trimmedShare,
} from '../judge/estimate-shift.ts';
import { summarizeProcesses } from '../judge/process-summary.ts';
import type { Series } from '../model/measure/samples.ts';
import { coefficientOfVariation, mean, standardDeviation } from '../stats/summary.ts';
import { studentTQuantile } from '../stats/student-t.ts';
import { trimmed } from '../stats/trimmed-mean.ts';

export interface MeasurementLevel {
  readonly level_ms: number;
  /** 95 %, of what another set of processes at the same commit would say. */
  readonly ci_ms: readonly [number, number];
  /** How much processes differ; absent for one. */
  readonly between_pct: number | undefined;
  readonly cv_pct: number | undefined;
  readonly processes: number;
  readonly samples: number;
}

const TAIL = 0.025;

/**
 * The level that verdicts rest on (judge/process-summary.ts), for one measurement alone: the fastest tenth of each
 * process where every process has one. A trend compares levels of different days, so it is not chosen again by
 * whichever is steadier today.
 */
export function measurementLevel(series: readonly Series[]): MeasurementLevel | undefined {
  if (series.length === 0) return undefined;
  const locations = summarizeProcesses(series).map(({ time }) => time);
  const fastest = locations.flatMap((one) => one.fastest ?? []);
  const levels = fastest.length === locations.length ? fastest : locations.map((one) => one.median);
  const { centre, error, degrees } = centreOf(levels);
  const half = error === 0 ? 0 : error * studentTQuantile(1 - TAIL, degrees);
  const all = series.flatMap(({ samples_ms }) => samples_ms);
  return {
    level_ms: Math.exp(centre),
    ci_ms: [Math.exp(centre - half), Math.exp(centre + half)],
    // Of logarithms: for differences of a few percent it is the relative standard deviation.
    between_pct: levels.length < 2 ? undefined : 100 * standardDeviation(levels),
    cv_pct: all.length < 2 ? undefined : 100 * coefficientOfVariation(all),
    processes: levels.length,
    samples: all.length,
  };
}

/** One sample's half of what `estimateShift` does with two. */
function centreOf(levels: readonly number[]) {
  if (levels.length < PROCESSES_TO_MEASURE_NOISE) {
    return {
      centre: mean(levels),
      error: ASSUMED_SD / Math.sqrt(levels.length),
      degrees: ASSUMED_DEGREES,
    };
  }
  const {
    mean: centre,
    kept,
    winsorizedSquares,
  } = trimmed(levels, trimmedShare(levels.length, levels.length));
  return { centre, error: Math.sqrt(winsorizedSquares / (kept * (kept - 1))), degrees: kept - 1 };
}
