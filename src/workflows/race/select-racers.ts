import { didYouMean } from '../../model/text/did-you-mean.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { kernelNames, planKernel, type KernelPlan } from '../../config/plan-kernel.ts';
import { comparedKernels, noSharedCase } from '../../judge/kernel-pair.ts';
import { caseDifference } from '../../judge/settle-cases.ts';
import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Race } from '../../model/judge/race.ts';
import { findCase } from '../../rig/prepared-side.ts';
import { selectKernels } from '../../rig/select-kernels.ts';

export interface RacersAsked {
  /** Default: all kernels of the problem. */
  readonly kernels?: readonly string[];
  /** Default: that of the kernels, or the project's only one. */
  readonly problem?: string;
  /** Default: the first kernel. */
  readonly reference?: string;
  readonly cases?: readonly string[];
}

export interface Racers {
  readonly problem: string;
  /** The reference first; each with the cases that it shares with the reference. */
  readonly plans: readonly KernelPlan[];
  readonly left_out: Race['left_out'];
}

export function selectRacers(loaded: LoadedConfig, asked: RacersAsked): Racers {
  const named = asked.kernels?.length === 0 ? undefined : asked.kernels;
  const names = named ?? kernelsOfProblem(loaded, asked);
  const reference = asked.reference ?? names[0]!;
  const all = [...new Set([reference, ...names])];
  const problems = new Map(all.map((name) => [name, planKernel(loaded, name).problem]));
  const problem = problems.get(reference)!;
  for (const name of all) {
    comparedKernels({ candidate: name, reference }, { candidate: problems.get(name), reference: problem });
  }
  if (asked.problem !== undefined && asked.problem !== problem) {
    throw new PawlError(
      'bad-data',
      `${reference} solves the problem ${problem}, not ${asked.problem}.`,
      'Remove --problem, or give kernels of that problem.',
    );
  }
  const selected = selectKernels(loaded, { only: all, ...defined({ cases: asked.cases }) });
  const first = selected.find((plan) => plan.name === reference);
  const left_out: Race['left_out'] = [];
  const others = all.slice(1).flatMap((name): KernelPlan[] => {
    const plan = selected.find((each) => each.name === name);
    const cases = plan?.cases.filter((each) => first !== undefined && isShared(first, plan, each.name)) ?? [];
    if (plan !== undefined && cases.length > 0) return [{ ...plan, cases }];
    if (named !== undefined) throw noSharedCase({ candidate: name, reference });
    left_out.push({ kernel: name, reason: `it has no case in common with ${reference}` });
    return [];
  });
  if (first === undefined || others.length === 0) {
    throw new PawlError(
      'bad-data',
      `Nothing to race: no other kernel of ${problem} has a case in common with ${reference}.`,
      'Two kernels need a case with the same name, device, dimensions and tensor types. --reference chooses another reference.',
    );
  }
  return { problem, plans: [first, ...others], left_out };
}

function isShared(reference: KernelPlan, plan: KernelPlan, name: string): boolean {
  const difference = caseDifference(
    findCase([reference], reference.name, name),
    findCase([plan], plan.name, name),
  );
  return difference === undefined;
}

function kernelsOfProblem(loaded: LoadedConfig, { problem, reference }: RacersAsked): string[] {
  const { kernels } = loaded.config;
  const own = reference === undefined ? undefined : planKernel(loaded, reference).problem;
  const known = [...new Set(Object.values(kernels).map((kernel) => kernel.problem))];
  const [first, ...more] = problem === undefined ? (own === undefined ? known : [own]) : [problem];
  if (more.length > 0) {
    throw new PawlError(
      'usage',
      'A race needs kernels of one problem, and pawl.yaml has several problems.',
      `Give kernels, or a problem: --problem ${known.join(' | ')}`,
    );
  }
  const names = kernelNames(loaded).filter((name) => kernels[name]?.problem === first);
  if (names.length > 0) return names;
  throw new PawlError(
    'usage',
    `pawl.yaml has no kernel of a problem "${first}"${didYouMean(first ?? '', known)}.`,
    `Problems with kernels: ${known.join(', ')}`,
  );
}
