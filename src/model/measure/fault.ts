/** Why a measurement does not count: what is wrong with its kernel, and where that shows. */
import { z } from 'zod';

import { defined } from '../defined.ts';
import { verifiedTensorSchema, type Verification, type VerifiedTensor } from '../correctness/verification.ts';
import { DETECTORS, type DetectorName } from '../correctness/detector.ts';
import { lostBefore } from '../old-words.ts';
import { locateCommand, reproduceCommand } from './reproduce.ts';
import type { LostSeries, Measurement } from './samples.ts';

export const faultSchema = z.object({
  /** A detector's name, or how the kernel failed to run: `crashed`, `hung`, `build-failed` … */
  detector: z.string(),
  /** What was seen, in one sentence. */
  message: z.string(),
  during: z.enum(['build', 'check', 'timing']),
  /** The output that is furthest from right; its worst element has neighbours where the runner gives them. */
  tensor: verifiedTensorSchema.optional(),
  /** What the process printed last. */
  output: z.string().optional(),
  /** A command that shows it again. */
  reproduce: z.string().optional(),
  /** A command that finds the line of a crash. */
  locate: z.string().optional(),
});
export type Fault = z.infer<typeof faultSchema>;

/** How a kernel can fail to run by its own doing. That memory or the device ran out is not among them. */
const KERNELS_OWN = new Set([
  'load-failed',
  'import-timeout',
  'kernel-failed',
  'device-error',
  'hung',
  'crashed',
  'exited',
]);

export function isKernelsOwn(reason: string): boolean {
  return KERNELS_OWN.has(reason);
}

/**
 * A candidate that is right in its check and then crashes or hangs while it is timed. For a comparison of commits that
 * proves nothing; for a candidate or a try it is an answer, also where other processes of it were timed: one that ends
 * itself whenever it is slow would be measured by its lucky processes alone.
 */
export function failureWhileTimed({ lost = [] }: Measurement): LostSeries | undefined {
  return lost.find(({ reason, during }) => during === 'timing' && isKernelsOwn(reason));
}

/** The detector that a series was lost to, or undefined where it was lost to something else. */
export function detectorOf(reason: string): DetectorName | undefined {
  // Bytes on the result channel: the failure is older than the detectors' names.
  if (reason === 'forged') return 'forged-result';
  return Object.hasOwn(DETECTORS, reason) ? (reason as DetectorName) : undefined;
}

/** What is wrong with a measurement's kernel; undefined where nothing is known against it. */
export function faultOf(measurement: Measurement, seed?: string): Fault | undefined {
  const found = faultOfVerification(measurement.check) ?? faultOfSeries(measurement);
  if (found === undefined) return undefined;
  const reproduce = reproduceCommand(measurement, seed);
  const locate = found.detector === 'crashed' ? locateCommand(measurement) : undefined;
  return { ...found, ...defined({ reproduce, locate }) };
}

function faultOfVerification(check: Verification | undefined): Fault | undefined {
  if (check === undefined || check.passed) return undefined;
  const [tamper] = check.tampering;
  const tensor = worstTensor(check);
  return {
    detector: tamper?.detector ?? 'wrong-result',
    message: tamper?.message ?? wrongText(check, tensor),
    during: 'check',
    ...defined({ tensor }),
  };
}

/**
 * One series that a detector spoiled is enough: a kernel that cheats now and then cheats. A kernel that could not
 * even be checked is not right either; one that was right and crashed when timed is not known to be wrong.
 */
function faultOfSeries({ series, lost = [] }: Measurement): Fault | undefined {
  const caught = lost.find(({ reason }) => detectorOf(reason) !== undefined);
  if (caught !== undefined) return lostFault(caught);
  if (series.length > 0) return undefined;
  const own = lost.find((one) => isKernelsOwn(one.reason) && lossOf(one).during === 'check');
  return own && lostFault(own);
}

function lostFault(lost: LostSeries): Fault {
  const { reason, output } = lost;
  return {
    detector: detectorOf(reason) ?? reason,
    ...lossOf(lost),
    ...defined({ output }),
  };
}

/** During what a series was lost, and what happened. */
function lossOf({ during, message }: LostSeries): {
  readonly during: 'check' | 'timing';
  readonly message: string;
} {
  return during === undefined ? lostBefore(message) : { during, message };
}

/** A lost series in one clause: what happened, and that it was in the check where it was. */
export function lostText(lost: LostSeries): string {
  const { during, message } = lossOf(lost);
  return during === 'check' ? `in the correctness check: ${message}` : message;
}

/** Whether a fault says already what a lost series does. */
export function isToldBy(lost: LostSeries, fault: Fault): boolean {
  const { detector, during, message } = lostFault(lost);
  return detector === fault.detector && during === fault.during && message === fault.message;
}

/** Detectors that compare what was computed with what is right. */
const OF_RESULTS = new Set<string>(['wrong-result', 'timed-result-wrong', 'unwritten-output']);

/** Whether results were wrong, and not something else about the kernel. */
export function isWrongResult({ detector, tensor }: Fault): boolean {
  return OF_RESULTS.has(detector) || tensor !== undefined;
}

/** In what way a case can be incorrect: in what it computes, in how, or before it computes anything. */
export type IncorrectKind = 'wrong' | 'refused' | 'broken';

/** The way that all of them are incorrect in, or undefined where they differ. A case without a fault was wrong. */
export function incorrectKindOf(faults: readonly (Fault | undefined)[]): IncorrectKind | undefined {
  const [first, ...others] = new Set(faults.map(kindOf));
  return others.length === 0 ? first : undefined;
}

function kindOf(fault: Fault | undefined): IncorrectKind {
  if (fault === undefined || isWrongResult(fault)) return 'wrong';
  return fault.during === 'build' ? 'broken' : 'refused';
}

/** A fault in one clause: what found it, and what it saw. */
export function faultText({ detector, message, during }: Fault): string {
  if (during === 'build') return message;
  const text = `${detector}: ${message}`;
  if (during === 'timing') return `${text} (in a timed series)`;
  return detectorOf(detector) === undefined ? `its check could not run: ${text}` : text;
}

/** The output with the largest share of wrong elements. */
function worstTensor({ tensors }: Verification): VerifiedTensor | undefined {
  const share = ({ mismatches, elements }: VerifiedTensor): number => mismatches / Math.max(1, elements);
  const wrong = tensors.filter(({ mismatches }) => mismatches > 0);
  return wrong.toSorted((one, other) => share(other) - share(one))[0];
}

function wrongText({ oracle }: Verification, tensor: VerifiedTensor | undefined): string {
  return tensor === undefined ? `its results differ from ${oracle}` : mismatchText(oracle, tensor);
}

/** How an output differs from the oracle's, in the words of the runners. */
export function mismatchText(oracle: string, { worst, mismatches, elements, name }: VerifiedTensor): string {
  const at =
    worst === undefined
      ? ''
      : `; worst at [${worst.index.join(', ')}]: ${worst.got} where ${worst.want} is right`;
  return `${mismatches} of ${elements} elements of '${name}' differ from ${oracle}${at}`;
}
