import type { Verification } from '../../model/correctness/verification.ts';
import { detectorOf } from '../../model/measure/fault.ts';
import { withThousands } from '../../model/text/number-text.ts';
import type { Rejection } from '../../model/tune/rejection.ts';
import type { RunnerFailureReason } from '../../runner/runner-failure.ts';
import type { GateRejection } from './gate.ts';

/** How a run can fail by the variant's doing. What is missing here is the machine's: nothing is concluded from it. */
const FAILURES: Readonly<Partial<Record<RunnerFailureReason, Rejection>>> = {
  'out-of-memory': 'oom_risk',
  'load-failed': 'run_failed',
  'kernel-failed': 'run_failed',
  'device-error': 'run_failed',
  'device-lost': 'run_failed',
  crashed: 'run_failed',
  exited: 'run_failed',
  unsupported: 'run_failed',
  hung: 'timed_out',
  'import-timeout': 'timed_out',
};

/** Why a variant that ran does not count: a failure of its runner, in the check or in a timed series. */
export function failedRunGate(failure: {
  readonly reason: string;
  readonly message: string;
}): GateRejection | undefined {
  const { reason, message } = failure;
  const detector = detectorOf(reason);
  if (detector !== undefined) {
    return { gate: 'run', reason: 'numerics', message: `${detector}: ${message}` };
  }
  const rejection = Object.hasOwn(FAILURES, reason) ? FAILURES[reason as RunnerFailureReason] : undefined;
  return rejection && { gate: 'run', reason: rejection, message: `${reason}: ${message}` };
}

/** Why a variant whose check has run does not count. */
export function verificationGate(check: Verification): GateRejection | undefined {
  if (check.passed) return undefined;
  const [tamper] = check.tampering;
  if (tamper !== undefined) {
    return { gate: 'run', reason: 'numerics', message: `${tamper.detector}: ${tamper.message}` };
  }
  const wrong = check.tensors.filter(({ mismatches }) => mismatches > 0);
  const parts = wrong.map(
    ({ name, mismatches, elements }) =>
      `${withThousands(mismatches)} of ${withThousands(elements)} elements of ${name}`,
  );
  return {
    gate: 'run',
    reason: 'numerics',
    message: `wrong-result: ${parts.join(', ') || 'the check failed'} beyond the tolerance`,
  };
}
