import { joinRuns } from '../../src/adapters/join-runs.ts';
import { samplesSchema, type Measurement } from '../../src/model/measure/samples.ts';
import type { ReadSource } from '../../src/adapters/readers/read-source.ts';
import type { FuzzFile } from './corpus.ts';

/** Milliseconds in the units that each format may be in. */
const FACTORS: Readonly<Record<ReadSource['format'], readonly number[]>> = {
  nvbench: [1e3],
  'google-benchmark': [1e-6, 1e-3, 1, 1e3],
  'pytest-benchmark': [1e3],
  hyperfine: [1e3],
  criterion: [1e-6],
  triton: [1e-6, 1e-3, 1, 1e3],
  tritonbench: [1],
  'torch-profiler': [1e-3],
  nsys: [1e-6, 1e-3, 1, 1e3],
  bencher: [1e-6],
  kernelbench: [1],
  'seed-current': [1],
  'seed-comprehensive': [1],
  pawl: [1],
};

/** Formats whose rates become the time of one unit of work. */
const WITH_RATES: ReadonlySet<ReadSource['format']> = new Set(['triton', 'tritonbench', 'bencher'] as const);

/** What is wrong with a reading, joined with itself as two runs would be. Shares no code with the readers. */
export function violations(file: FuzzFile, reading: ReadSource): string[] {
  const found: string[] = [];
  const run = { name: file.name, readings: [reading] };
  const parsed = samplesSchema.safeParse(joinRuns([run, run], {}).samples);
  if (!parsed.success) found.push(`not pawl.samples/1: ${parsed.error.issues[0]?.path.join('.')}`);
  const known = numbersOf(file);
  const times = timesOf(reading.measurements);
  for (const time of times) {
    if (!(Number.isFinite(time) && time > 0)) found.push(`${time} is no time`);
    else if (!isIn(known, time, reading.format)) found.push(`${time} ms stands nowhere in the file`);
  }
  return found;
}

/** Every time of a result, in order. */
export function timesOf(measurements: readonly Measurement[]): number[] {
  return measurements.flatMap(({ series, summaries = [] }) => [
    ...series.flatMap(({ samples_ms }) => samples_ms),
    ...summaries.flatMap(({ median_ms, mean_ms, unstated_ms }) =>
      [median_ms, mean_ms, unstated_ms].filter((each) => each !== undefined),
    ),
  ]);
}

interface Known {
  readonly ascending: readonly number[];
  /** In the order of the file: Criterion's two lists are divided place by place. */
  readonly inOrder: readonly number[];
}

/** Every number in the file and beside it, by a pattern and not by a parser. */
function numbersOf({ bytes, beside }: FuzzFile): Known {
  const inOrder = textsOf(bytes).flatMap((text) => numbersIn(text));
  const floats = [...beside].flatMap(([name, content]) => (name.endsWith('.bin') ? floatsOf(content) : []));
  return { ascending: Float64Array.from([...inOrder, ...floats]).sort() as unknown as number[], inOrder };
}

/** In every encoding that the bytes could be in, also where the first byte was lost. */
function textsOf(bytes: Buffer): string[] {
  const wide = [bytes, bytes.subarray(1)].flatMap((each) => {
    const even = each.subarray(0, each.length - (each.length % 2));
    return [even.toString('utf16le'), Buffer.from(even).swap16().toString('utf16le')];
  });
  return [bytes.toString('utf8'), ...wide];
}

function numbersIn(text: string): number[] {
  const plain = [...text.matchAll(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/giu)].map(([number]) =>
    Number(number),
  );
  const withComma = [...text.matchAll(/[+-]?\d+,\d+(?:e[+-]?\d+)?/giu)].map(([number]) =>
    Number(number.replace(',', '.')),
  );
  return [...plain, ...withComma];
}

function floatsOf(content: Buffer): number[] {
  return Array.from({ length: Math.floor(content.length / 4) }, (_, at) => content.readFloatLE(4 * at));
}

const CLOSE = 1e-9;

function isIn({ ascending, inOrder }: Known, time_ms: number, format: ReadSource['format']): boolean {
  if (FACTORS[format].some((factor) => has(ascending, time_ms / factor))) return true;
  if (WITH_RATES.has(format) && has(ascending, 1000 / time_ms)) return true;
  return (
    format === 'criterion' &&
    inOrder.some((divisor) => divisor > 0 && has(ascending, (time_ms / 1e-6) * divisor))
  );
}

function has(ascending: readonly number[], value: number): boolean {
  let low = 0;
  let high = ascending.length;
  const least = value * (1 - CLOSE);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low < ascending.length && ascending[low]! <= value * (1 + CLOSE);
}
