import type { Verification } from '../model/correctness/verification.ts';
import { mismatchText } from '../model/measure/fault.ts';
import type { FuzzFinding } from '../model/correctness/fuzz-report.ts';

/** The first thing that is wrong with a result; undefined where nothing is. */
export function findingOf(result: Verification): FuzzFinding | undefined {
  const [tamper] = result.tampering;
  if (tamper !== undefined) return tamper;
  if (result.passed) return undefined;
  const tensor = result.tensors.find(({ mismatches }) => mismatches > 0);
  if (tensor === undefined) return { detector: 'wrong-result', message: 'the results are wrong' };
  return { detector: 'wrong-result', tensor: tensor.name, message: mismatchText(result.oracle, tensor) };
}

/** Findings of one kernel that are the same fault, as far as can be told from outside. */
export function findingKey({ detector, tensor }: Pick<FuzzFinding, 'detector' | 'tensor'>): string {
  return JSON.stringify([detector, tensor ?? '']);
}
