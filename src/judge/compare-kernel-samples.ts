import { isSameUpToVariant } from '../model/judge/case-key.ts';
import type { Comparison } from '../model/judge/comparison.ts';
import { omit } from '../model/omit.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { variantText } from '../model/problem/variant.ts';
import { samplesCalledAs } from './called-as.ts';
import { compareSamples } from './compare-measurements.ts';
import type { JudgePolicy } from './judge-policy.ts';
import { comparedKernels, kernelPair, noSharedCase, type KernelPair } from './kernel-pair.ts';
import { withCases } from './merge-comparisons.ts';
import { holdSameRecordings } from './same-recordings.ts';

interface TwoFiles {
  readonly base: Samples;
  readonly head: Samples;
}

/**
 * Which kernels of two files stand against each other: those that were asked for, or the only one of each file where
 * their names differ. Nothing where the files have kernels in common: those are compared by their names.
 */
export function pairInFiles(
  { base, head }: TwoFiles,
  asked: readonly string[] | undefined,
): KernelPair | undefined {
  const known = { candidate: kernelsOf(head), reference: kernelsOf(base) };
  if (asked !== undefined) {
    const pair = kernelPair(asked);
    for (const [name, side, names] of [
      [pair.candidate, 'candidate', known.candidate],
      [pair.reference, 'baseline', known.reference],
    ] as const) {
      if (!names.includes(name)) throw notInFile(name, side, names);
    }
    return pair;
  }
  const isNamed = [...base.measurements, ...head.measurements].every(({ kernel }) => kernel !== undefined);
  if (!isNamed || known.candidate.some((name) => known.reference.includes(name))) return undefined;
  const [[candidate, ...others], [reference, ...more]] = [known.candidate, known.reference];
  if (candidate === undefined || reference === undefined) return undefined;
  if (others.length > 0 || more.length > 0) {
    throw new PawlError(
      'bad-data',
      `The files have no kernel in common: the baseline has ${known.reference.join(', ')}, the candidate ${known.candidate.join(', ')}.`,
      'Choose one of each: --kernels CANDIDATE,REFERENCE',
    );
  }
  return { candidate, reference };
}

/** One kernel against another, each from its own file. */
export function compareKernelSamples(
  { base, head }: TwoFiles,
  pair: KernelPair,
  policy: JudgePolicy,
): { readonly comparison: Comparison; readonly samples: TwoFiles } {
  const samples = { base: ofKernel(base, pair.reference), head: ofKernel(head, pair.candidate) };
  const kernels = comparedKernels(pair, {
    candidate: problemOf(samples.head),
    reference: problemOf(samples.base),
  });
  refuseOtherCases(samples, pair);
  const { candidate, reference } = pair;
  const before = samplesCalledAs(samples.base, candidate);
  const comparison = compareSamples(before, samples.head, policy);
  // A wrong reference, or one without series, is not the absence of one: there is no answer.
  const cases = comparison.cases.map((row) =>
    row.verdict === 'new' && before.measurements.some((one) => isSameUpToVariant(one, row))
      ? { ...row, verdict: 'undecided' as const }
      : row,
  );
  const missing = comparison.missing.map((key) => ({ ...key, kernel: reference }));
  return { comparison: { ...withCases(comparison, cases), kernels, missing }, samples };
}

/** Two kernels have tunables of their own: where a kernel has one variant in the file, that is the one meant. */
function ofKernel(samples: Samples, kernel: string): Samples {
  const own = samples.measurements.filter((one) => one.kernel === kernel);
  const isOne = new Set(own.map(({ variant }) => variantText(variant ?? {}))).size === 1;
  return { ...samples, measurements: isOne ? own.map((one) => omit(one, 'variant')) : own };
}

function refuseOtherCases({ base, head }: TwoFiles, pair: KernelPair): void {
  const shared = head.measurements.flatMap((after) => {
    const before = base.measurements.find((one) => one.case === after.case);
    return before === undefined ? [] : [{ before, after }];
  });
  if (shared.length === 0) throw noSharedCase(pair);
  const other = shared.find(({ before, after }) => dimsDiffer(before, after));
  if (other === undefined) return;
  throw new PawlError(
    'bad-data',
    `Case ${other.after.case} has other dimensions or recorded inputs in ${pair.candidate} than in ${pair.reference}, so the times cannot be compared.`,
    'Measure both kernels in the same case.',
  );
}

function dimsDiffer(before: Measurement, after: Measurement): boolean {
  if (!holdSameRecordings(before, after)) return true;
  const [one, other] = [before.dims, after.dims];
  if (one === undefined || other === undefined) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].some((name) => one[name] !== other[name]);
}

function kernelsOf({ measurements }: Samples): string[] {
  return [...new Set(measurements.flatMap(({ kernel }) => kernel ?? []))];
}

function problemOf({ measurements }: Samples): string | undefined {
  return measurements.find(({ problem }) => problem !== undefined)?.problem;
}

function notInFile(name: string, side: string, names: readonly string[]): PawlError {
  return new PawlError(
    'bad-data',
    `The ${side} has no measurement of ${name}; it has ${names.join(', ') || 'no named kernel'}.`,
    'The first file is the reference: pawl compare REFERENCE.json MINE.json --kernels MINE,REFERENCE',
  );
}
