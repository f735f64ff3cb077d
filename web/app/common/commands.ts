/** Commands that pages tell their readers to run; test/web/commands.test.ts has the CLI take each of them. */
import { shellWord } from '../../../src/model/text/shell-word.ts';

export const MEASURE = 'pawl bench';
export const SHOW_LESSONS = 'pawl lessons';

// What only the reader knows is in capitals.
export const PROFILE_ANY = 'pawl profile KERNEL --case CASE';
export const TUNE_ANY = 'pawl tune KERNEL';
export const SERVE_JUDGE = 'pawl serve --judge';
export const WORK_ANY = 'pawl queue work --problem PROBLEM';
export const START_SESSION = 'pawl session start --goal "1.2x on CASE" --kernel KERNEL';
export const TRY_CHANGE = 'pawl session try --hypothesis "WHAT IS EXPECTED, AND WHY"';

/** Ways to fill a store that is empty, with what each does. */
export const FILL_HISTORY: readonly (readonly [command: string, does: string])[] = [
  [MEASURE, 'measure every kernel of pawl.yaml'],
  ['pawl check', 'measure and judge against the baseline'],
  ['pawl history import .pawl/runs', 'import older runs'],
];

export interface NamedCase {
  readonly kernel: string;
  readonly case: string;
}

export function measureCase({ kernel, case: name }: NamedCase): string {
  return `pawl bench --only ${shellWord(kernel)} --case ${shellWord(name)}`;
}

export function profileCase({ kernel, case: name }: NamedCase): string {
  return `pawl profile ${shellWord(kernel)} --case ${shellWord(name)}`;
}

interface NamedSide {
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly device?: string | undefined;
  readonly driver?: string | undefined;
}

/** What makes the table of two sides in a terminal. */
export function compareSides({ a, b }: { readonly a: NamedSide; readonly b: NamedSide }): string {
  const [one, other] = [a, b].map(({ commit, branch }) => commit ?? branch ?? '') as [string, string];
  const where = ([letter, { device, driver }]: readonly [string, NamedSide]): string[] => [
    ...(device === undefined ? [] : [`--${letter}-device ${shellWord(device)}`]),
    ...(driver === undefined ? [] : [`--${letter}-driver ${shellWord(driver)}`]),
  ];
  return [
    'pawl history compare',
    ...(one === '' && other === '' ? [] : [shellWord(one), shellWord(other)]),
    ...where(['a', a]),
    ...where(['b', b]),
  ].join(' ');
}
