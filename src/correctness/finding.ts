import type { CheckResult } from '../model/check.ts';
import type { FuzzFinding } from '../model/fuzz-report.ts';

/** The first thing that is wrong with a result; undefined where nothing is. */
export function findingOf(result: CheckResult): FuzzFinding | undefined {
  const [tamper] = result.tampering;
  if (tamper !== undefined) return tamper;
  if (result.passed) return undefined;
  const tensor = result.tensors.find(({ mismatches }) => mismatches > 0);
  if (tensor === undefined) return { detector: 'wrong-result', message: 'the results are wrong' };
  const { name, mismatches, elements, worst } = tensor;
  const at =
    worst === undefined
      ? ''
      : `; worst at [${worst.index.join(', ')}]: ${worst.got} where ${worst.want} is right`;
  const message = `${mismatches} of ${elements} elements of ${name} differ from ${result.oracle}${at}`;
  return { detector: 'wrong-result', tensor: name, message };
}

/** Findings of one kernel that are the same fault, as far as can be told from outside. */
export function findingKey({ detector, tensor }: Pick<FuzzFinding, 'detector' | 'tensor'>): string {
  return JSON.stringify([detector, tensor ?? '']);
}
