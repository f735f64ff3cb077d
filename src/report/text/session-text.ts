/** What all renderings of a session say in the same words. */
import { changeText } from '../../model/text/change-text.ts';
import { speedupText as numberText } from '../../model/text/number-text.ts';
import type { PhaseId } from '../../model/learn/gate.ts';
import type { Session, Try, TryFlag, Variable } from '../../model/learn/session.ts';

/** For phases without a recorded title: the titles of the method that Pawl ships. */
const PHASE_NAMES: Readonly<Record<PhaseId, string>> = {
  'pre-flight': 'Pre-flight',
  assessment: 'Assessment',
  build: 'Build',
  baseline: 'Baseline',
  optimise: 'Profile and optimise',
  validate: 'Validate',
};

export interface TitledPhase {
  readonly phase: PhaseId;
  readonly title?: string | undefined;
}

/** What the method of a session calls a phase: a project may have its own titles. */
export function phaseTitle(phase: PhaseId, phases: readonly TitledPhase[]): string {
  return phases.find((one) => one.phase === phase)?.title ?? PHASE_NAMES[phase];
}

export const FLAG_TEXT: Readonly<Record<TryFlag, string>> = {
  'several-variables': 'more than one variable changed: the effect cannot be attributed to one of them',
  'no-change': 'nothing changed since the state it is compared with',
  'repeats-failed-try': 'it was tried before and did not help',
  'against-a-lesson': 'a lesson warns against it',
  'no-profile': 'the state it starts from was not profiled',
  'idea-exhausted': 'enough tries were spent on this idea',
  guess: 'it names no finding',
};

/** What to do about flags that stop, each in a few words. */
export const FLAG_REMEDY: Readonly<Partial<Record<TryFlag, string>>> = {
  'several-variables': 'change one thing at a time',
  'no-change': 'make the change first, or name a value: --set NAME=VALUE',
  'repeats-failed-try': 'try what the advice ranks next: pawl advise',
  'no-profile': 'profile first: pawl session check',
  'idea-exhausted': 'continue with the next finding: pawl advise',
};

/** `1.23×`. */
export function speedupText(speedup: number | undefined): string {
  return speedup === undefined ? 'unknown' : numberText(speedup);
}

/** What a try changed, as far as it is known. */
export function triedChange({ measured }: Pick<Try, 'measured'>): string {
  if (measured?.change_pct === undefined) return '–';
  return changeText({ change_pct: measured.change_pct, ci_pct: measured.ci_pct });
}

/** `WORK 8 → 4`, `softmax_row`. */
export function variableText({ name, from, to }: Variable): string {
  if (from === undefined && to === undefined) return name;
  return `${name} ${from ?? 'none'} → ${to ?? 'none'}`;
}

export function referenceText({ reference }: Pick<Session, 'reference'>): string {
  const { kernel, revision = 'the state it started from', commit = 'unknown' } = reference;
  return kernel ?? `${revision} (${commit.slice(0, 10)})`;
}
