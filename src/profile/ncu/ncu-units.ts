/**
 * ncu's units in all their spellings, brought to those of `ncu --print-units base`: `usecond`, `us` → `ns`; `Kbyte` →
 * `byte`; `Gbyte/second` → `byte/s`; `cycle/nsecond`, `Ghz` → `hz`. Prefixes are decimal, also of bytes: 48 KiB of
 * shared memory print as 49.15 Kbyte.
 */

export interface BaseUnit {
  readonly unit: string;
  /** A value in the unit as printed, times ten to this power, is one in `unit`. */
  readonly shift: number;
}

const PREFIXES: ReadonlyMap<string, number> = new Map([
  ['K', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
]);

/** Powers of ten of a second. */
const TIMES: ReadonlyMap<string, number> = new Map([
  ['s', 0],
  ['second', 0],
  ['ms', -3],
  ['msecond', -3],
  ['us', -6],
  ['µs', -6],
  ['usecond', -6],
  ['ns', -9],
  ['nsecond', -9],
]);

const SECONDS_TO_NS = 9;

/** What ncu counts, in the singular. */
const COUNTED = new Set(
  (
    'access bank barrier bit block branch byte cluster cycle element event flop fragment graph hit instance inst ' +
    'instruction launch line message miss op operation packet pass pixel primitive quad ray register request sample ' +
    'sector slot tag texel thread tile transaction vertex warp wavefront word SM TPC GPC CTA'
  ).split(' '),
);
const PLURALS: ReadonlyMap<string, string> = new Map([
  ['branches', 'branch'],
  ['accesses', 'access'],
  ['misses', 'miss'],
]);

const UNDERSTOOD = new Map<string, BaseUnit>();

/** The base unit of a unit as ncu prints it; undefined: not understood. */
export function baseUnit(printed: string): BaseUnit | undefined {
  const known = UNDERSTOOD.get(printed) ?? parseUnit(printed.trim());
  if (known !== undefined) UNDERSTOOD.set(printed, known);
  return known;
}

function parseUnit(printed: string): BaseUnit | undefined {
  if (printed === '') return { unit: '', shift: 0 };
  const [above = '', below, ...rest] = printed.split('/');
  const numerator = part(above);
  if (numerator === undefined || rest.length > 0) return undefined;
  if (below === undefined) return numerator;
  const seconds = TIMES.get(below);
  if (seconds !== undefined) {
    const unit = numerator.unit === 'cycle' ? 'hz' : `${numerator.unit}/s`;
    return { unit, shift: numerator.shift - seconds };
  }
  // A prefix below the line is refused: ncu rescales `%/byte` to `%/Kbyte` as if it stood above the line.
  const counted = singular(below);
  return counted === undefined ? undefined : { unit: `${numerator.unit}/${counted}`, shift: numerator.shift };
}

function part(text: string): BaseUnit | undefined {
  if (text === '%') return { unit: '%', shift: 0 };
  const seconds = TIMES.get(text);
  if (seconds !== undefined) return { unit: 'ns', shift: seconds + SECONDS_TO_NS };
  const whole = countedOrHz(text);
  if (whole !== undefined) return { unit: whole, shift: 0 };
  const shift = PREFIXES.get(text.slice(0, 1));
  const prefixed = countedOrHz(text.slice(1));
  return shift === undefined || prefixed === undefined ? undefined : { unit: prefixed, shift };
}

function countedOrHz(text: string): string | undefined {
  return text.toLowerCase() === 'hz' ? 'hz' : singular(text);
}

function singular(text: string): string | undefined {
  if (COUNTED.has(text)) return text;
  const one = PLURALS.get(text) ?? text.replace(/s$/, '');
  return COUNTED.has(one) ? one : undefined;
}

/** The base unit that a metric's name demands, where it does: a unit at odds with it is not the metric's. */
export function unitByName(metric: string): string | undefined {
  if (/\.pct(?:$|_of_peak)|_pct$/.test(metric)) return '%';
  if (/^gpu__time_(?:duration|active)[^.]*\.(?:sum|avg|min|max)$/.test(metric)) return 'ns';
  if (/^(?:dram|lts|l1tex)__\w*bytes\w*\.(?:sum|avg|min|max)$/.test(metric)) return 'byte';
  if (/^\w+__cycles_\w+\.(?:sum|avg|min|max)$/.test(metric)) return 'cycle';
  return undefined;
}

/** Counts of whole things, in a unit that is not rescaled: in them "1,234" is a thousand and something. */
export function countsWhole(metric: string, { unit, shift }: BaseUnit): boolean {
  if (shift !== 0) return false;
  if (/^launch__(?:grid_size|block_size|thread_count|registers_per_thread|stack_size)$/.test(metric))
    return true;
  return (COUNTED.has(unit) || unit === 'ns') && /\.(?:sum|min|max)$/.test(metric);
}
