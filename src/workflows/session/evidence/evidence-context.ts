import { defined } from '../../../model/defined.ts';
import { planKernel, type KernelPlan } from '../../../config/plan-kernel.ts';
import type { LoadedConfig } from '../../../config/load-config.ts';
import type { Session } from '../../../model/learn/session.ts';
import type { Profilers } from '../../../profile/capture/profilers.ts';
import type { QuickLooks } from './quick-looks.ts';
import { runContext, type ProcessContext } from '../../../os/run-context.ts';

/** What evidence is about, and how it is measured. */
export interface EvidenceContext extends Partial<ProcessContext> {
  /** Under the judge, where there is one. */
  readonly loaded: LoadedConfig;
  /** By whose judge everything is judged. Default: the project's own. */
  readonly judge?: LoadedConfig;
  readonly kernel: string;
  /** The case of the goal. */
  readonly case: string;
  /** Neither kernel nor commit: there is none. */
  readonly reference: Session['reference'];
  /** The speed-up aimed at. */
  readonly target: number;
  /** What `tries` is read from. */
  readonly session?: Pick<Session, 'tries' | 'phases' | 'cost'>;
  /** The idea that is about to be tried. Default: that of the last try. */
  readonly idea?: string;
  /** Processes a case. Default: few for a quick look, and what decides for validation. */
  readonly processes?: number;
  /** Cases that validation draws besides those that are declared. Default 50. */
  readonly fuzzCases?: number;
  /** Of the gates before, in the same run. */
  readonly looks?: QuickLooks;
  readonly gpu?: number;
  readonly wait_s?: number;
  readonly profilers?: Profilers;
}

/** Enough to see a factor, not to judge percents; on a noisy machine other rules would sample for minutes. */
export const QUICK_LOOK = { processes: 3, samples: 30, stopping: 'fixed' } as const;

/** How whatever is measured is told to go about it. */
export function workingOptions(context: EvidenceContext) {
  const { loaded, wait_s, gpu, signal, onProgress, now } = context;
  return {
    config: loaded.path,
    ...defined({ wait_s, gpu, signal, onProgress, now }),
  };
}

export function takenAt(context: EvidenceContext): Date {
  return runContext(context).now();
}

export function hasReference({ reference }: EvidenceContext): boolean {
  return reference.kernel !== undefined || reference.commit !== undefined;
}

export function planOf({ loaded, kernel }: EvidenceContext): KernelPlan {
  return planKernel(loaded, kernel);
}

/** Cases that the kernel and its reference both have. A commit is taken to have the same. */
export function sharedCases(context: EvidenceContext): KernelPlan['cases'] {
  const { cases } = planOf(context);
  const { kernel } = context.reference;
  if (kernel === undefined) return cases;
  const others = new Set(planKernel(context.loaded, kernel).cases.map(({ name }) => name));
  return cases.filter(({ name }) => others.has(name));
}

/** By operations, or where the problem does not tell them by bytes. */
export function smallestCase(cases: KernelPlan['cases']): KernelPlan['cases'][number] | undefined {
  const work = ({ operations, bytes }: KernelPlan['cases'][number]) => operations ?? bytes;
  return cases.toSorted((one, other) => work(one) - work(other))[0];
}
