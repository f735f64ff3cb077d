import { didYouMean } from '../../model/text/did-you-mean.ts';
import { kernelCases } from '../../config/kernel-cases.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { kernelNames, pick, planKernel } from '../../config/plan-kernel.ts';
import { PawlError } from '../../model/pawl-error.ts';

export interface SubjectAsked {
  readonly kernel: string | undefined;
  readonly case: string | undefined;
  readonly reference: string | undefined;
}

export interface Subject {
  readonly kernel: string;
  readonly case: string;
  readonly kind: string;
  readonly device: 'cpu' | 'cuda';
}

/** What a session is about. What is not said is found where there is only one; a guess would be measured for hours. */
export function sessionSubject(loaded: LoadedConfig, asked: SubjectAsked): Subject {
  const kernel = asked.kernel ?? onlyKernel(loaded, asked);
  const plan = planKernel(loaded, kernel, asked.case === undefined ? {} : { cases: [asked.case] });
  const [first, ...others] = plan.cases;
  if (first === undefined || others.length > 0) {
    throw new PawlError(
      'usage',
      `The goal does not name a case of ${kernel}.`,
      `Give it: --goal "1.2x on CASE", with one of ${plan.cases.map(({ name }) => name).join(', ')}.`,
    );
  }
  return { kernel, case: first.name, kind: plan.problem, device: plan.device };
}

function onlyKernel(loaded: LoadedConfig, { case: wanted, reference }: SubjectAsked): string {
  const { kernels, problems } = loaded.config;
  const casesOf = (name: string) => {
    const kernel = pick(kernels, name, 'kernel');
    return kernelCases(kernel, pick(problems, kernel.problem, 'problem'));
  };
  const candidates = kernelNames(loaded).filter((name) => name !== reference);
  const fitting = candidates.filter((name) => wanted === undefined || casesOf(name).has(wanted));
  const [only, ...others] = fitting;
  if (only === undefined) {
    const known = [...new Set(candidates.flatMap((name) => Array.from(casesOf(name).keys())))];
    throw new PawlError(
      'usage',
      `pawl.yaml has no kernel with a case ${wanted ?? ''}${didYouMean(wanted ?? '', known)}.`,
      `Its cases are ${known.join(', ')}.`,
    );
  }
  if (others.length === 0) return only;
  const where = wanted === undefined ? '' : ` that have a case ${wanted}`;
  throw new PawlError(
    'usage',
    `pawl.yaml has ${fitting.length} kernels${where}.`,
    `Give --kernel NAME, one of ${fitting.join(', ')}.`,
  );
}
