/**
 * The tamper detectors: every way in which Pawl can find a kernel wrong or dishonest, by name. A name here is what
 * runners answer, reports show and documents list; docs/results/zoo.md says which trick each one catches.
 */

/** When a detector looks. `always`: in every check and every series. `verified`: where results decide something. */
type DetectorScope = 'always' | 'verified' | 'sanitize';

interface Detector {
  readonly scope: DetectorScope;
  /** What it means when it fires, in one line. */
  readonly explanation: string;
}

const detectors = {
  'wrong-result': {
    scope: 'always',
    explanation: 'an output differs from the oracle by more than the tolerance',
  },
  'precision-lowered': {
    scope: 'always',
    explanation: 'the error is a multiple of that of a trusted implementation in the same precision',
  },
  'unwritten-output': {
    scope: 'always',
    explanation: 'elements of an output still hold the poison that was written before the call',
  },
  'out-of-bounds-write': { scope: 'always', explanation: 'the guard bytes beside a buffer were overwritten' },
  'out-of-bounds-read': {
    scope: 'always',
    explanation: 'the result changes with the contents of the guard bytes beside the buffers',
  },
  'input-changed': { scope: 'always', explanation: 'an input holds other bytes after the call than before' },
  nondeterministic: { scope: 'always', explanation: 'the same inputs gave different outputs' },
  'aliased-output': { scope: 'always', explanation: 'an output lies in the memory of an input' },
  'cached-result': {
    scope: 'always',
    explanation:
      'new contents at the same addresses gave the old output, or repeated contents are much faster',
  },
  'late-write': {
    scope: 'always',
    explanation: 'an output changed after the call had returned and was synchronized',
  },
  'timed-result-wrong': {
    scope: 'verified',
    explanation: 'the output of a timed repetition is wrong although the check before passed',
  },
  'work-elsewhere': {
    scope: 'always',
    explanation: 'the device was still busy after the timed interval, or nothing ran on the timed stream',
  },
  'faster-than-floor': {
    scope: 'always',
    explanation: 'faster than the hardware can move the bytes or do the operations',
  },
  'library-fallback': {
    scope: 'verified',
    explanation: 'a library did the work that the kernel should do itself',
  },
  'environment-changed': {
    scope: 'verified',
    explanation:
      'environment variables, rounding mode, CPU set, limits, device settings or clocks were changed',
  },
  'file-access': {
    scope: 'verified',
    explanation: 'files, shared memory or sockets were used during a call',
  },
  'helper-process': { scope: 'verified', explanation: 'the kernel started another process' },
  'memory-leaked': { scope: 'verified', explanation: 'every call leaves memory allocated' },
  'timer-tampered': {
    scope: 'always',
    explanation: 'two independent clocks disagree, or the kernel replaces functions that read the time',
  },
  'clock-mismatch': {
    scope: 'always',
    explanation: "the clock in the kernel's process claims less time than the judge's own clock saw",
  },
  remembers: {
    scope: 'always',
    explanation: 'calls are faster on contents that the kernel has seen than on new ones',
  },
  'forged-result': {
    scope: 'always',
    explanation: 'the kernel printed or sent something that poses as a result',
  },
  sleeping: { scope: 'verified', explanation: 'calls spend their time asleep instead of computing' },
  sanitizer: { scope: 'sanitize', explanation: 'compute-sanitizer, AddressSanitizer or UBSan found a fault' },
} as const satisfies Record<string, Detector>;

export type DetectorName = keyof typeof detectors;

export const DETECTORS: Readonly<Record<DetectorName, Detector>> = detectors;
export const DETECTOR_NAMES = Object.keys(detectors) as [DetectorName, ...DetectorName[]];
