import type { TritonConfig, TritonFound, TritonHost } from './inspection.ts';

/** A tunable that was read off a file. */
export interface TritonTunable {
  readonly name: string;
  readonly values: readonly TunableValue[];
  readonly default: TunableValue;
}

type TunableValue = TritonConfig[string];

/** The tunable that gives a parameter its value. */
export interface TunedParameter {
  readonly parameter: string;
  readonly tunable: TritonTunable;
}

/** A kernel whose settings are variants of the project. */
export interface TunedTriton {
  readonly kernel: string;
  readonly isAutotuned: boolean;
  readonly tunables: readonly TunedParameter[];
  /** Which combinations the file lists; undefined: all. */
  readonly listed: string | undefined;
  /** How many it lists, and how many combinations their values have. */
  readonly count: number;
  readonly product: number;
}

export interface TritonSpace {
  readonly kernels: readonly TunedTriton[];
  /** Parameters of the function itself. */
  readonly settings: readonly TunedParameter[];
  /** Kernels that tune themselves, and why their configurations cannot be read. */
  readonly unread: readonly { readonly kernel: string; readonly why: string }[];
}

/** pawl.yaml has no longer expressions (src/config/expression/expression-tokens.ts). */
const LONGEST = 4096;

/** What can be tuned about a function and the kernels that it launches. */
export function tritonSpace(
  { kernels }: Pick<TritonFound, 'kernels'>,
  host: TritonHost,
  taken: readonly string[],
): TritonSpace {
  const names = new Names(taken);
  const settings = tunedAround(Object.entries(host.settings), host.name, names);
  const launched = [...new Set(host.launches.map(({ kernel }) => kernel))];
  const found = launched.flatMap((name): TunedTriton[] => {
    const kernel = kernels.find((one) => one.name === name);
    if (kernel === undefined) return [];
    const configs = kernel.autotune?.configs ?? undefined;
    if (configs !== undefined) return [ofConfigs(name, configs, names)];
    return kernel.autotune === null ? ofLaunches(name, host, names) : [];
  });
  const unread = launched.flatMap((name) => {
    const why = kernels.find((one) => one.name === name)?.autotune?.unknown ?? undefined;
    return why === undefined ? [] : [{ kernel: name, why }];
  });
  return { kernels: found.filter(({ tunables }) => tunables.length > 0), settings, unread };
}

function ofConfigs(kernel: string, configs: readonly TritonConfig[], names: Names): TunedTriton {
  const [first = {}] = configs;
  const changing = Object.keys(first).filter((name) => new Set(configs.map((one) => one[name])).size > 1);
  const tunables = changing.map((parameter) => ({
    parameter,
    tunable: {
      name: names.use(parameter, kernel),
      values: inOrder([...new Set(configs.map((one) => one[parameter]!))]),
      default: first[parameter]!,
    },
  }));
  const rows = distinct(configs.map((one) => changing.map((name) => one[name]!)));
  const product = tunables.reduce((size, { tunable }) => size * tunable.values.length, 1);
  const expression = combinations(
    rows,
    tunables.map(({ tunable }) => tunable),
  );
  const listed = rows.length === product || expression.length > LONGEST ? undefined : expression;
  return { kernel, isAutotuned: true, tunables, listed, count: rows.length, product };
}

/** Numbers of the launches, where all launches of the kernel have the same. */
function ofLaunches(kernel: string, { launches }: TritonHost, names: Names): TunedTriton[] {
  const own = launches.filter((one) => one.kernel === kernel);
  const [first, ...others] = own;
  const same = Object.entries(first?.literals ?? {}).filter(([name, value]) =>
    others.every((one) => one.literals[name] === value),
  );
  const tunables = tunedAround(same, kernel, names);
  const product = tunables.reduce((size, { tunable }) => size * tunable.values.length, 1);
  return [{ kernel, isAutotuned: false, tunables, listed: undefined, count: product, product }];
}

function tunedAround(
  found: readonly (readonly [string, number])[],
  owner: string,
  names: Names,
): TunedParameter[] {
  return found.map(([parameter, value]) => ({
    parameter,
    tunable: { name: names.use(parameter, owner), values: valuesAround(parameter, value), default: value },
  }));
}

/** A block has at least as many elements as a warp has threads. */
const LEAST_BLOCK = 32;
const MOST_WARPS = 32;

/** Values to try beside the one that is written: blocks and warps are powers of two. */
function valuesAround(name: string, value: number): number[] {
  if (name === 'num_stages') return inOrder([...new Set([1, 2, 3, 4, value])]);
  const isWarps = name === 'num_warps';
  const [least, most] = isWarps ? [1, MOST_WARPS] : [Math.min(LEAST_BLOCK, value), Infinity];
  return (
    isWarps ? [value / 2, value, value * 2] : [value / 4, value / 2, value, value * 2, value * 4]
  ).filter((one) => Number.isInteger(one) && one >= least && one <= most);
}

/** Names of tunables, which nothing else of the project has: a second one is told apart by its kernel. */
class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  use(name: string, owner: string): string {
    const free = this.#taken.has(name) ? `${owner.replace(/^_+/u, '')}_${name}` : name;
    this.#taken.add(free);
    return free;
  }
}

/** Rows of values as one expression: what the first tunable allows, and for each of that what the others do. */
function combinations(rows: readonly Row[], tunables: readonly TritonTunable[]): string {
  const [tunable, ...others] = tunables;
  if (tunable === undefined) return '';
  const byRest = new Map<string, TunableValue[]>();
  const rests = new Map<string, Row[]>();
  for (const value of tunable.values) {
    const rest = rows.filter(([first]) => first === value).map((row) => row.slice(1));
    if (rest.length === 0) continue;
    const key = JSON.stringify(rest.map((row) => JSON.stringify(row)).sort());
    byRest.set(key, [...(byRest.get(key) ?? []), value]);
    rests.set(key, rest);
  }
  const parts = [...byRest].map(([key, values]) => {
    const own = values.length === tunable.values.length ? '' : condition(tunable.name, values);
    const rest = combinations(rests.get(key)!, others);
    const grouped = rest.includes(' or ') && own !== '' ? `(${rest})` : rest;
    return [own, grouped].filter((part) => part !== '').join(' and ');
  });
  return parts.map((part) => (parts.length > 1 && part.includes(' ') ? `(${part})` : part)).join(' or ');
}

type Row = readonly TunableValue[];

function condition(name: string, values: readonly TunableValue[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)));
  return texts.length === 1 ? `${name} == ${texts[0]!}` : `${name} in (${texts.join(', ')})`;
}

function distinct(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Numbers by size, others as they come. */
function inOrder<Value extends TunableValue>(values: readonly Value[]): Value[] {
  return values.every((value) => typeof value === 'number') ? values.toSorted((a, b) => a - b) : [...values];
}
