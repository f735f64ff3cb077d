import type { BlindAnswer } from '../model/correctness/verification.ts';
import type { CaseComparison } from '../model/judge/comparison.ts';
import type { Fault } from '../model/measure/fault.ts';
import { buildCommand } from '../model/measure/reproduce.ts';
import type { Verdict } from '../model/judge/verdict.ts';

/** What is known of a case without timing it. */
export interface Settlement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly fault?: Fault;
  readonly blind?: BlindAnswer[];
  /** What is wrong with the baseline in this case, or why that could not be decided. */
  readonly baseline_fault?: NonNullable<CaseComparison['baseline_fault']>;
}

/** What does not build gives no result at all. */
export function buildFault(kernel: string, message: string): Settlement {
  const reproduce = buildCommand({ kernel });
  const fault: Fault = { detector: 'build-failed', message, during: 'build' };
  return {
    verdict: 'incorrect',
    reason: `${message}.`.replace(/\.\.$/u, '.'),
    fault: reproduce === undefined ? fault : { ...fault, reproduce },
  };
}
