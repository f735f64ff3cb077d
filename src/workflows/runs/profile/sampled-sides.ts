/** CPU kernels by line: the head and, beside it, the base, each called under a sampler. */
import type { ProfileComparison } from '../../../model/profile/diagnosis.ts';
import type { ProfileReport } from '../../../model/profile/profile-report.ts';
import { sampleKernel, type SampledKernel, type SampleRequest } from '../../../profile/cpu/sample-kernel.ts';
import { SourceFiles } from '../../../profile/lines/source-text.ts';
import type { LinesSide } from '../../../profile/lines/compare-lines.ts';
import type { PreparedSide } from '../../../rig/prepared-side.ts';
import { atLines } from './compare-at-lines.ts';

/** A revision that was built, and the folder of its project. */
export interface BuiltSide {
  readonly side: PreparedSide;
  readonly root: string;
}

interface SampledSide extends SampledKernel {
  readonly sources: SourceFiles;
}

export interface SampledSides {
  readonly head: SampledSide;
  readonly base?: SampledSide;
}

/** `main`: the project's folder where people work, from which the cache may have a base's binary. */
type Sampling = Omit<SampleRequest, 'target' | 'case'> & { readonly main: string };

/** Undefined where the head is not a compiled CPU kernel, or cannot be sampled. */
export async function sampleSides(
  head: BuiltSide,
  base: BuiltSide | undefined,
  sampling: Sampling,
): Promise<SampledSides | undefined> {
  const is = await sampleSide(head, sampling);
  if (is === undefined) return undefined;
  const was = base && (await sampleSide(base, sampling));
  return { head: is, ...(was === undefined ? {} : { base: was }) };
}

async function sampleSide(
  { side: { targets }, root }: BuiltSide,
  sampling: Sampling,
): Promise<SampledSide | undefined> {
  const [target] = targets;
  const plan = target?.plan.cases[0];
  if (target === undefined || plan === undefined || target.plan.device !== 'cpu') return undefined;
  const sources = new SourceFiles(root, sampling.main);
  const sampled = await sampleKernel({ ...sampling, target, case: plan }, sources);
  return sampled && { ...sampled, sources };
}

/** What two captures of the same binary differ by. */
const NOISE_PCT = 2;

/** What changed at the lines of a kernel that was sampled at both revisions; `counted`: what its counters say. */
export function comparedSamples(
  { head, base }: SampledSides,
  counted: string | undefined,
): Pick<ProfileReport, 'comparisons' | 'summary'> {
  if (base === undefined) return counted === undefined ? {} : { summary: counted };
  const [before_us, after_us] = [base.duration_us, head.duration_us];
  const change_pct = 100 * (1 - after_us / before_us);
  const plain: ProfileComparison = {
    kernel: head.hot.kernel,
    summary: counted ?? changeSentence(change_pct),
    before_us,
    after_us,
    change_pct,
    moved: [],
    appeared: [],
    vanished: [],
    persisted: [],
  };
  const comparison = atLines(plain, { was: linesSideOf(base), is: linesSideOf(head) });
  return { comparisons: [comparison], summary: comparison.summary };
}

function changeSentence(change_pct: number): string {
  if (Math.abs(change_pct) < NOISE_PCT) return 'A call takes as long as before, while it is sampled.';
  const word = change_pct < 0 ? 'longer' : 'less';
  return `A call takes ${Math.abs(change_pct).toFixed(0)} % ${word} than before, while it is sampled.`;
}

function linesSideOf({ hot, duration_us, sources }: SampledSide): LinesSide {
  return { hot, duration_us, sources };
}
