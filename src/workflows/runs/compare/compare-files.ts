import { compareKernelSamples, pairInFiles } from '../../../judge/compare-kernel-samples.ts';
import { compareSamples } from '../../../judge/compare-measurements.ts';
import { JUDGE_DEFAULTS, type JudgePolicy } from '../../../judge/judge-policy.ts';
import { readSamples } from '../../../judge/read-samples.ts';
import type { Comparison } from '../../../model/judge/comparison.ts';
import type { Samples } from '../../../model/measure/samples.ts';

export interface CompareFilesOptions {
  /** A samples file, or a folder of them. */
  readonly baseline: string;
  readonly candidate: string;
  /** A kernel of the candidate, and one of the baseline to compare it with. Default: kernels of the same name. */
  readonly kernels?: readonly string[];
  /** Symbolic links may not lead out of this folder. Its own path has no links in it. */
  readonly within?: string;
  readonly policy?: Partial<JudgePolicy>;
}

export interface ComparedFiles {
  readonly comparison: Comparison;
  readonly samples: { readonly base: Samples; readonly head: Samples };
}

/**
 * Compares two samples files, or folders of them, without measuring.
 *
 * @throws {PawlError} of kind `usage` if a file does not exist; `bad-data` if it is not a samples file, or the two have
 * no kernel in common
 * @example
 * ```ts
 * import { compareFiles } from 'pawl';
 *
 * const { comparison } = await compareFiles({ baseline: 'before.json', candidate: 'after.json' });
 * console.log(comparison.verdict);
 * ```
 */
export async function compareFiles({
  baseline,
  candidate,
  kernels,
  within,
  policy: own,
}: CompareFilesOptions): Promise<ComparedFiles> {
  const [base, head] = await Promise.all([
    readSamples(baseline, { within }),
    readSamples(candidate, { within }),
  ]);
  const policy = { ...JUDGE_DEFAULTS, ...own };
  const pair = pairInFiles({ base, head }, kernels);
  if (pair !== undefined) return compareKernelSamples({ base, head }, pair, policy);
  return { comparison: compareSamples(base, head, policy), samples: { base, head } };
}
