/** One number of an intact file changed: what must follow from it, and what must not. */
import { PawlError } from '../../src/model/pawl-error.ts';
import { nextBelow, type Random } from '../../src/stats/index.ts';
import { readFuzzFile, type FuzzFile } from './corpus.ts';
import { timesOf } from './oracle.ts';

/** Where times stand in each file of the corpus, written down by hand from the formats' descriptions. */
const TIMES: readonly (readonly [file: RegExp, places: RegExp])[] = [
  [/^nvbench\/result/u, /states\.[01]\.summaries\.[01]\.data\.1\.value$/u],
  [/^nvbench\/summaries/u, /states\.[01]\.summaries\.(?:[02-5])\.data\.0\.value$/u],
  // Six repetitions and four aggregates a family; the last aggregate is a percentage.
  [/^google-benchmark\/repetitions/u, /benchmarks\.[12]?[0-5]\.real_time$/u],
  [/^google-benchmark\/once/u, /benchmarks\.[01]\.real_time$/u],
  [
    /^google-benchmark\/aggregates/u,
    /benchmarks\.(?:(?:\d|1[01])\.repetitions|(?:[0-2]|[4-6]|[89]|10)\.real_time)$/u,
  ],
  [/^pytest-benchmark\/raw/u, /stats\.data\.\d+$/u],
  [/^pytest-benchmark\/stats/u, /stats\.(?:mean|median|min|max|stddev|rounds)$/u],
  [/^hyperfine\//u, /times\.\d+$/u],
  [/^criterion\//u, /^(?:times|iters)\.\d+$/u],
  // A rate beside a latency is the same once more.
  [/^tritonbench\//u, /_(?:latency|tflops)$/u],
  [/^torch-profiler\//u, /^traceEvents\.[234]\.dur$/u],
  [/^bencher\//u, /latency\.value$|^lookups\.throughput\.value$/u],
  [/^kernelbench\/eval/u, /^(?:1\.0|23\.0)\.runtime_stats\.(?:mean|std|min|max|num_trials)$/u],
  [/^kernelbench\/base/u, /\.(?:mean|std|min|max|num_trials)$/u],
  [/^seed\/current/u, /^performance\.(?:mean_time_ms|std_dev_ms)$/u],
  [/^seed\/configs/u, /median_ms$/u],
  [/^seed\/baseline-comprehensive/u, /raw_latencies\.\d+$/u],
  [/^seed\/baseline-summary/u, /^statistics\.(?:median_ms|mean_ms|std_ms|min_ms|max_ms|n_samples)$/u],
  [/^pawl\//u, /samples_ms\.\d+$/u],
];

export interface NumberChange {
  readonly place: string;
  readonly isTime: boolean;
  readonly file: FuzzFile;
}

/** Undefined for a file that is not JSON. */
export function changeNumber(file: FuzzFile, random: Random): NumberChange | undefined {
  let root: unknown;
  try {
    root = JSON.parse(file.bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  const places = numbersOf(root, '');
  const { parent, key, place } = places[nextBelow(random, places.length)]!;
  const before = parent[key];
  const changed = other(Number(before), random);
  parent[key] = typeof before === 'string' ? String(changed) : changed;
  const pattern = TIMES.find(([name]) => name.test(file.name))?.[1];
  return {
    place,
    isTime: pattern?.test(place) ?? false,
    file: { ...file, bytes: Buffer.from(JSON.stringify(root)) },
  };
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
  readonly place: string;
}

function numbersOf(value: unknown, prefix: string): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): Place[] => {
    const place = prefix === '' ? key : `${prefix}.${key}`;
    const isNumber =
      typeof inner === 'number' || (typeof inner === 'string' && /^\d+(?:\.\d+)?(?:e-?\d+)?$/iu.test(inner));
    return isNumber ? [{ parent: value as Record<string, unknown>, key, place }] : numbersOf(inner, place);
  });
}

/** Another number that JSON can hold: near, far, negative or nothing. */
function other(value: number, random: Random): number {
  const size = value === 0 ? 1 : value;
  return [size * 1.001, size * 10, size / 1000, -Math.abs(size), value === 0 ? 7 : 0, size * 1e300, size + 1][
    nextBelow(random, 7)
  ]!;
}

/** What is wrong with how a changed number was taken. */
export function wronglyTaken(original: FuzzFile, { place, isTime, file }: NumberChange): string | undefined {
  const before = readFuzzFile(original);
  let after;
  try {
    after = readFuzzFile(file);
  } catch (error) {
    if (error instanceof PawlError) return undefined;
    throw error;
  }
  if (isTime) {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return isSame ? `${place} is a time, and changing it changed nothing` : undefined;
  }
  const isSame = JSON.stringify(timesOf(before.measurements)) === JSON.stringify(timesOf(after.measurements));
  return isSame ? undefined : `${place} is no time, and changing it changed times`;
}
