import { defined } from '../../model/defined.ts';
import type { GateResult } from '../../model/learn/gate.ts';

/** What the evidence of gates says of the kernel at the goal's case. */
export interface TargetFacts {
  /** Time of the reference over that of the kernel. */
  readonly speedup?: number;
  readonly reference_ms?: number;
}

/** Evidence is taken at several cases; only what is about the goal's counts here. */
export function targetFacts({ evidence }: Pick<GateResult, 'evidence'>, goalCase: string): TargetFacts {
  if (evidence === undefined) return {};
  const { facts } = evidence;
  const number = (name: string): number | undefined => {
    const fact = facts[name];
    return typeof fact === 'number' && fact > 0 ? fact : undefined;
  };
  const speedups = [
    number('speedup_target'),
    number('speedup_now'),
    facts['smallest'] === goalCase ? number('speedup') : undefined,
    facts['size_first'] === goalCase ? number('speedup_smallest') : undefined,
    facts['size_last'] === goalCase ? number('speedup_largest') : undefined,
  ];
  const speedup = speedups.find((each) => each !== undefined);
  const reference_ms = number('reference_target_ms');
  return {
    ...defined({ speedup, reference_ms }),
  };
}
