import type { FuzzFinding } from '../model/correctness/fuzz-report.ts';
import type { Tamper, Verification } from '../model/correctness/verification.ts';

/** What became of one case. */
export type CaseOutcome =
  | { readonly status: 'passed'; readonly result: Verification }
  | {
      readonly status: 'failed';
      readonly finding: FuzzFinding;
      /** Absent where the runner did not live to tell. */
      readonly result?: Verification;
      /** What the process had printed. */
      readonly output?: string;
    }
  /** It says nothing about the kernel: too large for the device, or beyond the oracle or the runner. */
  | { readonly status: 'skipped'; readonly message: string }
  /** The kernel cannot be run at all. */
  | { readonly status: 'absent'; readonly reason: string; readonly message: string };

/** What tools beside the runner saw in a process that has ended (sanitizers write their last words then). */
export interface Afterthoughts {
  readonly tampering: readonly Tamper[];
  /** Where a tool itself failed: nothing found then proves nothing. */
  readonly problems: readonly string[];
}

/** What the tools found counts before what the runner says: a process that they ended only "exited". */
export function withAfterthoughts(outcome: CaseOutcome, { tampering, problems }: Afterthoughts): CaseOutcome {
  const [first] = tampering;
  if (first === undefined) {
    const [problem] = problems;
    // Under such a tool the judge's own context may be the one that is lost, as under initcheck on an H200. A kernel
    // that loses the device does so without the tool as well.
    if (outcome.status === 'failed' && outcome.finding.detector === 'device-lost')
      return {
        status: 'skipped',
        message: `device-lost under a tool that found nothing: ${outcome.finding.message}`,
      };
    const isSilent = problem !== undefined && outcome.status !== 'failed';
    return isSilent ? { status: 'skipped', message: problem } : outcome;
  }
  const result = outcome.status === 'passed' || outcome.status === 'failed' ? outcome.result : undefined;
  return {
    status: 'failed',
    finding: first,
    ...(result === undefined
      ? {}
      : { result: { ...result, passed: false, tampering: [...tampering, ...result.tampering] } }),
    ...(outcome.status === 'failed' && outcome.output !== undefined ? { output: outcome.output } : {}),
  };
}
