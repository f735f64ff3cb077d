import type { Session } from '../../model/learn/session.ts';
import { shellWord } from '../../model/text/shell-word.ts';

export interface GateSubject {
  readonly kernel: string;
  readonly case: string;
  readonly reference: Session['reference'];
}

/** What texts of gates may name besides facts and settings, and what each means. */
export const NAMES = {
  kernel: 'the kernel',
  case: 'the case of the goal',
  reference: 'the reference: a kernel, or a short commit',
  measure_reference: 'a command that measures the reference',
  compare_case: 'a command that compares kernel and reference at the goal’s case',
  compare_all: 'the same at all cases',
} as const;
export type GateNames = Readonly<Record<keyof typeof NAMES, string>>;

/** Where the value is a command already. */
export const COMMAND_NAMES: readonly string[] = [
  'measure_reference',
  'compare_case',
  'compare_all',
] satisfies readonly (keyof GateNames)[];

const SHORT_COMMIT = 10;

/** A reference kernel is measured by `bench`; a commit only beside the files as they are. */
export function gateNames({ kernel, case: caseName, reference }: GateSubject): GateNames {
  const names = { kernel, case: caseName };
  const [subject, atCase] = [shellWord(kernel), `--case ${shellWord(caseName)}`];
  if (reference.kernel !== undefined) {
    const other = shellWord(reference.kernel);
    const both = `pawl bench --only ${subject} --only ${other}`;
    return {
      ...names,
      reference: reference.kernel,
      measure_reference: `pawl bench --only ${other} ${atCase}`,
      compare_case: `${both} ${atCase}`,
      compare_all: both,
    };
  }
  const commit = reference.commit?.slice(0, SHORT_COMMIT);
  const compare = `pawl compare --base ${commit === undefined ? 'REVISION' : shellWord(commit)} --only ${subject}`;
  return {
    ...names,
    reference: commit ?? 'a reference',
    measure_reference: `${compare} ${atCase}`,
    compare_case: `${compare} ${atCase}`,
    compare_all: compare,
  };
}
