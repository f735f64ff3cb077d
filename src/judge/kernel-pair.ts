import type { ComparedKernels } from '../model/judge/comparison.ts';
import { PawlError } from '../model/pawl-error.ts';

export interface KernelPair {
  readonly candidate: string;
  readonly reference: string;
}

/** Who is to stand against whom: the last name is the reference's. */
export function kernelPair(names: readonly string[]): KernelPair {
  const [candidate, reference, ...more] = names;
  if (candidate === undefined || reference === undefined || more.length > 0) {
    throw new PawlError(
      'usage',
      `--kernels takes two kernels, not ${names.length}.`,
      'Give the kernel and its reference: --kernels mine,reference. For more than two: pawl race',
    );
  }
  if (candidate === reference) {
    throw new PawlError(
      'usage',
      `${candidate} cannot be compared with itself.`,
      'Give two kernels. `pawl compare --base HEAD --head HEAD --identical` measures the same code twice.',
    );
  }
  return { candidate, reference };
}

/** How two kernels belong together. Refuses those of different problems. */
export function comparedKernels(
  { candidate, reference }: KernelPair,
  problems: { readonly candidate: string | undefined; readonly reference: string | undefined },
): ComparedKernels {
  const named = { baseline: reference, candidate };
  if (problems.candidate === undefined || problems.reference === undefined) {
    return { ...named, matched_by: 'cases' };
  }
  if (problems.candidate === problems.reference) {
    return { ...named, problem: problems.candidate, matched_by: 'problem' };
  }
  throw new PawlError(
    'bad-data',
    `${candidate} solves the problem ${problems.candidate}, and ${reference} solves ${problems.reference}: the times cannot be compared.`,
    'Give two kernels of one problem.',
  );
}

export function noSharedCase({ candidate, reference }: KernelPair, why?: string): PawlError {
  return new PawlError(
    'bad-data',
    `${candidate} and ${reference} have no case in common${why === undefined ? '' : `: ${why}`}.`,
    'Both need a case with the same name, device, dimensions and tensor types.',
  );
}
