import type { ElementValue, VerifiedTensor } from '../../model/correctness/verification.ts';
import { DETECTORS, type DetectorName } from '../../model/correctness/detector.ts';
import { FUZZ_SOURCES, OWN_VALUES, type FuzzCase } from '../../model/problem/fuzz-case.ts';
import type { FuzzCounts, FuzzedKernel, FuzzFailure } from '../../model/correctness/fuzz-report.ts';

/** How a runner can fail, for those who meet the word for the first time. Detectors explain themselves. */
const FAILURES: Readonly<Record<string, string>> = {
  hung: 'no answer in time',
  'import-timeout': 'its Python module was not imported in time',
  crashed: 'the process was ended by a signal',
  exited: 'the process exited',
  'kernel-failed': 'the kernel returned an error',
  'device-error': 'a call of the device failed',
  'device-lost': 'the device gave up after an error',
};

export function explanationOf(detector: string): string {
  if (Object.hasOwn(DETECTORS, detector)) return DETECTORS[detector as DetectorName].explanation;
  return FAILURES[detector] ?? '';
}

/** `wrong-result in o`. */
export function failureTitle({ detector, tensor }: Pick<FuzzFailure, 'detector' | 'tensor'>): string {
  return tensor === undefined ? detector : `${detector} in ${tensor}`;
}

/** `B=2 S=17 · f16 · q:huge k:normal`. */
export function caseText({ dims, dtype, values }: FuzzCase): string {
  const sizes = Object.entries(dims).map(([name, value]) => `${name}=${value}`);
  const kinds = Object.entries(values).filter(([, kind]) => kind !== OWN_VALUES);
  const [first] = kinds;
  const isShared = first !== undefined && kinds.length > 1 && kinds.every(([, kind]) => kind === first[1]);
  const filled = isShared
    ? [`all ${first[1]}`]
    : kinds.length === 0
      ? []
      : [kinds.map(([name, kind]) => `${name}:${kind}`).join(' ')];
  return [sizes.join(' '), ...(dtype === undefined ? [] : [dtype]), ...filled].join(' · ');
}

/** `attention-cuda (memcheck)`. */
export function kernelTitle({ kernel, sanitizers }: Pick<FuzzedKernel, 'kernel' | 'sanitizers'>): string {
  return sanitizers === undefined ? kernel : `${kernel} (${sanitizers.join(', ')})`;
}

/** Of all sources together. */
export function totalCounts({ counts }: Pick<FuzzedKernel, 'counts'>): FuzzCounts {
  const total: FuzzCounts = { passed: 0, failed: 0, skipped: 0 };
  for (const each of Object.values(counts)) {
    total.passed += each.passed;
    total.failed += each.failed;
    total.skipped += each.skipped;
  }
  return total;
}

/** `27 matrix, 4 named, 200 generated`: the cases that were run. */
export function sourcesText({ counts }: Pick<FuzzedKernel, 'counts'>): string {
  return FUZZ_SOURCES.flatMap((source) => {
    const own = counts[source];
    const ran = own === undefined ? 0 : own.passed + own.failed;
    return ran === 0 ? [] : [`${ran} ${source}`];
  }).join(', ');
}

/** An element as a person reads it: seven digits tell any two f32 apart in most places. */
function elementText(value: ElementValue): string {
  if (typeof value === 'number') return value === 0 ? '0' : String(Number(value.toPrecision(7)));
  return value === 'nan' ? 'NaN' : value === 'inf' ? '+Inf' : value === '-inf' ? '-Inf' : '?';
}

export interface ElementRow {
  readonly index: string;
  readonly got: string;
  readonly want: string;
  readonly error: string;
  readonly isWorst: boolean;
}

/** The worst element of an output among its neighbours, in the order in which they lie in memory. */
export function elementRows({ worst }: VerifiedTensor): ElementRow[] {
  if (worst === undefined) return [];
  return [worst, ...(worst.neighbours ?? [])]
    .map((element) => ({ element, isWorst: element === worst }))
    .sort((a, b) => compareIndices(a.element.index, b.element.index))
    .map(({ element: { index, got, want }, isWorst }) => ({
      index: `[${index.join(', ')}]`,
      got: elementText(got),
      want: elementText(want),
      error: typeof got === 'number' && typeof want === 'number' ? (got - want).toExponential(2) : '',
      isWorst,
    }));
}

function compareIndices(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((value, at) => value !== b[at]);
  return axis < 0 ? 0 : (a[axis] ?? 0) - (b[axis] ?? 0);
}

export interface ErrorBin {
  readonly label: string;
  readonly count: number;
}

/** How many elements are wrong by how much, from exact to not a number. Empty decades between others are shown. */
export function errorBins({ spread }: VerifiedTensor): ErrorBin[] {
  if (spread === undefined) return [];
  const { exact, decades, nonfinite } = spread;
  const [first, last] = [decades[0]?.exponent ?? 0, decades.at(-1)?.exponent ?? -1];
  const counts = new Map(decades.map(({ exponent, count }) => [exponent, count]));
  const bins: ErrorBin[] = [];
  // Runs of hundreds of empty decades (denormals beside ones) would only push the rest out of sight.
  const shown = last - first > MOST_DECADES ? [...counts.keys()] : rangeOf(first, last);
  for (const exponent of shown) bins.push({ label: `1e${exponent}`, count: counts.get(exponent) ?? 0 });
  return [
    { label: 'exact', count: exact },
    ...bins,
    ...(nonfinite === 0 ? [] : [{ label: 'NaN, Inf', count: nonfinite }]),
  ];
}

const MOST_DECADES = 40;

function rangeOf(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
}

/** The outputs worth showing of a failure: those that differ, the one it is about first. */
export function shownTensors({ check, tensor }: FuzzFailure): VerifiedTensor[] {
  const wrong = (check?.tensors ?? []).filter(({ mismatches, name }) => mismatches > 0 || name === tensor);
  return wrong.sort((a, b) => Number(b.name === tensor) - Number(a.name === tensor));
}
