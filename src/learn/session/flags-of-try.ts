import type { Warning } from '../../model/learn/lesson.ts';
import { isWithoutProfiler } from '../../model/learn/session-progress.ts';
import { triesOnIdea, type Session, type Try, type TryFlag } from '../../model/learn/session.ts';

/** With these a try is not measured unless somebody says why it should be. */
export const STOPPING_FLAGS: readonly TryFlag[] = [
  'several-variables',
  'no-change',
  'repeats-failed-try',
  'no-profile',
  'idea-exhausted',
];

export interface FlagFacts {
  /** Things that changed independently of each other. */
  readonly changes: number;
  readonly rule: string | undefined;
  readonly idea: string;
  /** The session with the tries before this one. */
  readonly session: Pick<Session, 'tries' | 'gates'>;
  readonly warnings: readonly Warning[];
  readonly isAgainstLesson: boolean;
  /** Earlier tries by the ids that warnings name them with. */
  readonly earlier: ReadonlyMap<string, Try>;
  readonly triesPerIdea: number;
  /** Gates that look at a profile. */
  readonly profileGates: readonly string[];
}

export function flagsOfTry(facts: FlagFacts): TryFlag[] {
  const { changes, warnings, earlier } = facts;
  const repeats = warnings.some(({ kind, id }) => kind === 'earlier-try' && didNotHelp(earlier.get(id)));
  const flags: [TryFlag, boolean][] = [
    ['several-variables', changes > 1],
    ['no-change', changes === 0],
    ['repeats-failed-try', repeats],
    ['against-a-lesson', facts.isAgainstLesson],
    ['no-profile', !isProfiled(facts)],
    ['idea-exhausted', triesOnIdea(facts.session, facts.idea).length >= facts.triesPerIdea],
    ['guess', facts.rule === undefined],
  ];
  return flags.filter(([, holds]) => holds).map(([flag]) => flag);
}

/** A warning that refers to an unknown try counts as one of a failure: it was worth a warning. */
function didNotHelp(earlier: Try | undefined): boolean {
  return earlier === undefined || ['no-gain', 'worse', 'incorrect', 'failed'].includes(earlier.outcome ?? '');
}

/** A gate that looked at the kernel as it is, or found that nothing can look here. */
function isProfiled({ session, profileGates }: FlagFacts): boolean {
  return session.gates.some(
    (result) =>
      profileGates.includes(result.gate) &&
      // One that was passed before the last kept change is open again.
      (['passed', 'warned', 'overridden'].includes(result.state) || isWithoutProfiler(result)),
  );
}
