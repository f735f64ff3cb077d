import { defined } from '../../model/defined.ts';
import { didYouMean } from '../../model/text/did-you-mean.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { planFuzz } from '../../config/plan-fuzz.ts';
import type { FuzzCase } from '../../model/problem/fuzz-case.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { selectKernels } from '../select-kernels.ts';
import type { Subject } from '../../correctness/fuzz/reference-targets.ts';

export interface SubjectSelection {
  readonly only: readonly string[] | undefined;
  readonly variant: Variant | undefined;
  /** Names of declared cases. */
  readonly cases: readonly string[] | undefined;
  readonly replay: FuzzCase | undefined;
}

/** The kernels that were asked for, with what their cases are drawn from. */
export function fuzzSubjects(loaded: LoadedConfig, selection: SubjectSelection): Subject[] {
  const { only, variant, cases, replay } = selection;
  const plans = selectKernels(loaded, {
    ...defined({ only, variant }),
  });
  const all = plans.map((plan): Subject => ({ plan, space: planFuzz(loaded, plan.name) }));
  const subjects =
    cases === undefined
      ? all
      : all.filter((subject) => namesOf(subject).some((name) => cases.includes(name)));
  for (const name of cases ?? []) refuseUnknown(name, all);
  if (replay === undefined) return subjects;
  const able = subjects.filter(({ space }) => space.plan('replay', replay.dims, replay.dtype) !== undefined);
  if (able.length > 0) return able;
  throw new PawlError(
    'usage',
    'No kernel selected has the dimensions of the case to replay.',
    'Give the kernel it was found with: --only KERNEL.',
  );
}

function namesOf({ plan, space }: Subject): string[] {
  return [...plan.cases, ...space.parts.edges].map(({ name }) => name);
}

function refuseUnknown(name: string, subjects: readonly Subject[]): void {
  const known = [...new Set(subjects.flatMap(namesOf))];
  if (known.includes(name)) return;
  throw new PawlError(
    'usage',
    `No kernel selected has a case "${name}"${didYouMean(name, known)}.`,
    `Cases: ${known.join(', ')}`,
  );
}
