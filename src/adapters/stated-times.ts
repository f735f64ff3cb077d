import { defined } from '../model/defined.ts';
import { countOf, field } from './fields.ts';
import type { Stated } from './reading-builder.ts';
import { toMilliseconds, type TimeUnit } from './time-unit.ts';

/** How a tool names what it says of its samples. */
interface StatedNames {
  readonly mean: string;
  readonly median: string;
  readonly min: string;
  readonly max: string;
  readonly stddev: string;
  /** How many there were. */
  readonly samples?: string;
}

/** What a tool says of its samples, where it says so. */
export function statedTimes(from: unknown, unit: TimeUnit, names: StatedNames): Stated {
  const time = (name: string): number | undefined => toMilliseconds(field(from, name), unit);
  const samples = names.samples === undefined ? undefined : countOf(field(from, names.samples));
  return {
    mean_ms: time(names.mean),
    median_ms: time(names.median),
    min_ms: time(names.min),
    max_ms: time(names.max),
    // Not a time: equal samples have none.
    stddev_ms: field(from, names.stddev) === 0 ? 0 : time(names.stddev),
    ...defined({ samples }),
  };
}
