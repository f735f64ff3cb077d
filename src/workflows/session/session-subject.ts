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
      `The goal does not say for which case of ${kernel}.`,
      `Say it: --goal "1.2x on CASE", with one of ${plan.cases.map(({ name }) => name).join(', ')}.`,
    );
  }
  return { kernel, case: first.name, kind: plan.problem, device: plan.device };
}

function onlyKernel(loaded: LoadedConfig, { case: wanted, reference }: SubjectAsked): string {
  const { kernels, problems } = loaded.config;
  const fitting = kernelNames(loaded).filter((name) => {
    const kernel = pick(kernels, name, 'kernel');
    const cases = kernelCases(kernel, pick(problems, kernel.problem, 'problem'));
    return name !== reference && (wanted === undefined || cases.has(wanted));
  });
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const where = wanted === undefined ? '' : ` that have a case ${wanted}`;
  throw new PawlError(
    'usage',
    only === undefined
      ? `pawl.yaml has no kernel with a case ${wanted ?? ''}.`
      : `pawl.yaml has ${fitting.length} kernels${where}.`,
    only === undefined
      ? 'See `pawl bench --help` and the cases in pawl.yaml.'
      : `Say which: --kernel NAME, one of ${fitting.join(', ')}.`,
  );
}
