/** Where the axes and lines of parallel coordinates lie: for the picture of a report, and for the dashboard's. */
import type { StudyParameter } from '../../model/tune/study-settings.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { at } from './scale.ts';

export const PARALLEL = { width: 940, height: 340, left: 56, right: 96, top: 46, floor: 300 } as const;

/** More lines than this are a carpet; the slow ones are left out. */
const MOST_LINES = 300;
/** Drawn strongly. */
const BEST_SHARE = 0.1;

export interface ParallelAxis {
  readonly name: string;
  readonly x: number;
  /** In the order in which they lie on the axis, the first at the bottom. */
  readonly values: readonly { readonly value: Variant[string]; readonly y: number }[];
}

export interface ParallelLine {
  readonly number: number;
  readonly variant: Variant;
  readonly time_ms: number;
  /** Beginning with 0, the fastest. Places by rank: a time far from the others squashes nothing. */
  readonly rank: number;
  readonly d: string;
}

export interface ParallelLayout {
  readonly axes: readonly ParallelAxis[];
  readonly lines: readonly ParallelLine[];
  /** The place of the axis of times. */
  readonly timeX: number;
  /** How many axes wide one step is, in pixels. */
  readonly step: number;
  /** So many of the fastest stand out. */
  readonly strong: number;
}

/** Undefined where there are no two variants that differ. */
export function parallelLayout(
  trials: readonly Trial[],
  parameters: readonly Pick<StudyParameter, 'name' | 'values'>[] = parametersOf(trials),
): ParallelLayout | undefined {
  const shown = parameters.filter(({ values }) => values.length > 1);
  const measured = measuredTrials(trials).slice(0, MOST_LINES);
  if (shown.length === 0 || measured.length < 2) return undefined;
  const { width, left, right, top, floor } = PARALLEL;
  const step = (width - left - right) / shown.length;
  const axes = shown.map(({ name, values }, index) => ({
    name,
    x: left + index * step,
    values: values.map((value, place) => ({
      value,
      y: floor - (place / (values.length - 1)) * (floor - top),
    })),
  }));
  const timeX = left + shown.length * step;
  const rankY = (rank: number): number => top + (rank / Math.max(1, measured.length - 1)) * (floor - top);
  const lines = measured.map(({ trial: { number, variant }, outcome: { time_ms } }, rank) => {
    const points = axes.map(({ name, x, values }) => {
      const { y } = values.find(({ value }) => value === variant[name]) ?? values[0]!;
      return `${at(x)} ${at(y)}`;
    });
    const d = `M${[...points, `${at(timeX)} ${at(rankY(rank))}`].join('L')}`;
    return { number, variant, time_ms, rank, d };
  });
  return { axes, lines, timeX, step, strong: Math.max(1, Math.round(BEST_SHARE * lines.length)) };
}

/** Of a study that does not say what it searches: the values that were tried, numbers by size. */
function parametersOf(trials: readonly Trial[]): Pick<StudyParameter, 'name' | 'values'>[] {
  const names = new Set(trials.flatMap(({ variant }) => Object.keys(variant)));
  return [...names].map((name) => ({
    name,
    values: [...new Set(trials.flatMap(({ variant }) => variant[name] ?? []))].toSorted((one, other) =>
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one) < String(other)
          ? -1
          : 1,
    ),
  }));
}
