import type { DetectorName } from '../model/correctness/detector.ts';
import type { RunnerErrorCode } from '../model/measure/protocol.ts';

/**
 * How a runner can fail: what it answered, or what became of its process.
 * `hung`: no answer in time. `import-timeout`: a Python module was not imported in the time that imports have. `crashed`: ended by a signal. `exited`: ended by itself without an answer.
 * `forged`: something that does not hold the key wrote to the result channel.
 * `oracle-failed`: what says what is right could not say it; nothing is known about the kernel.
 * A detector's name: the kernel answered, and what it did was not right.
 */
export type RunnerFailureReason =
  | RunnerErrorCode
  | 'hung'
  | 'import-timeout'
  | 'not-started'
  | 'oracle-failed'
  | 'throttled'
  | DetectorName;

/** Failures after which the process cannot be asked again. */
const FATAL = new Set<RunnerFailureReason>([
  'hung',
  'import-timeout',
  'crashed',
  'exited',
  'forged',
  'not-started',
  'device-lost',
  'internal',
]);

/** A runner did not do what it was asked. It costs one series, not the run. */
export class RunnerFailure extends Error {
  readonly reason: RunnerFailureReason;
  /** What the process had printed, where it is known. */
  readonly output: string | undefined;

  /** The signal that ended the judge itself, which loads no kernel. */
  readonly judgeSignal: string | undefined;

  constructor(reason: RunnerFailureReason, message: string, output?: string, judgeSignal?: string) {
    super(message);
    this.name = 'RunnerFailure';
    this.reason = reason;
    this.output = output;
    this.judgeSignal = judgeSignal;
  }

  withOutput(output: string): RunnerFailure {
    return new RunnerFailure(this.reason, this.message, output, this.judgeSignal);
  }

  get fatal(): boolean {
    return FATAL.has(this.reason);
  }
}
