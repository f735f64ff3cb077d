import { RunnerFailure } from '../runner/runner-failure.ts';
import type { Target } from '../runner/target.ts';

/** Signals by which a program ends itself when its code is wrong. The others come from outside. */
const OWN_SIGNALS = new Set<string>(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP']);

/** By which the judge ends itself when the oracle has not answered in time. */
const HANGING = 'SIGALRM';

/**
 * A failure while results were compared, with the oracle named where it is the oracle's: once a kernel is loaded,
 * only the oracle can fail to load or refuse, and the judge, which loads no kernel, runs only the oracle's library.
 */
export function blamedOnOracle(error: RunnerFailure, oracle: Target['oracle']): RunnerFailure {
  if (error.reason === 'load-failed' || error.reason === 'import-timeout')
    return new RunnerFailure('oracle-failed', error.message, error.output);
  const { judgeSignal } = error;
  if (judgeSignal === HANGING) {
    const message = 'the oracle hangs: it was still at work when the time-out of the check was near';
    return new RunnerFailure('oracle-failed', message, error.output);
  }
  const isLibrary = oracle !== undefined && 'library' in oracle;
  if (!isLibrary || judgeSignal === undefined || !OWN_SIGNALS.has(judgeSignal)) return error;
  return new RunnerFailure(
    'oracle-failed',
    `the oracle crashed: the judge that called it was ended by ${judgeSignal}`,
    error.output,
  );
}
