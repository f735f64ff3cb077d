import { speedupOf } from '../../model/judge/comparison.ts';
import { RULE_IDS } from '../../model/profile/diagnosis-words.ts';
import { NEARNESS, type Warning } from '../../model/learn/lesson.ts';
import { speedupText } from '../../model/text/number-text.ts';
import type { Session, Try, Variable } from '../../model/learn/session.ts';
import { isMoved, moveText } from './direction.ts';
import { isSameIdea } from './idea-words.ts';
import { nearnessBetween } from './nearness.ts';
import { changedLines, sharedLines } from './shared-lines.ts';
import { isSameMove } from './same-move.ts';
import { dayText, sentence } from './when-text.ts';

export interface TryQuestion {
  /** Earlier ones; also the one that is under way, for what it tried before. */
  readonly sessions: readonly Session[];
  /** A unified diff, or what has one. */
  readonly change?: string | { readonly diff: string } | undefined;
  readonly variables?: readonly Variable[] | undefined;
  readonly idea?: string | undefined;
  readonly kind?: string | undefined;
  readonly device?: string | undefined;
  readonly now?: Date | undefined;
}

/** Of a diff's lines, so many must have been changed before in the same way: "mostly". */
const MOSTLY = 0.6;
/** More than anybody reads before a try. */
const MOST_WARNINGS = 8;

/** Earlier tries that what is about to be tried resembles, and how they came out. Nearest first, failures first. */
export function matchTries(question: TryQuestion): Warning[] {
  const { sessions, change = '', kind, device, now } = question;
  const lines = changedLines(typeof change === 'string' ? change : change.diff);
  const found = sessions.flatMap((session) =>
    session.tries.flatMap((earlier) => {
      const outcome = OUTCOME_TEXT[earlier.outcome ?? 'undecided'];
      if (outcome === undefined) return [];
      const nearness = nearnessBetween(session, { kind, device });
      const likeness = likenessOf(earlier, question, lines, nearness === 'other-kind');
      if (likeness === undefined) return [];
      const warning: Warning = {
        kind: 'earlier-try',
        id: `${session.id}/try-${earlier.number}`,
        text: tryText(session, earlier, outcome, { kind, device, now }),
        matched: likeness.matched,
        matched_by: likeness.by,
        nearness,
      };
      return [
        {
          warning,
          strength: likeness.strength,
          helped: earlier.outcome === 'improved',
          at: earlier.opened_at,
        },
      ];
    }),
  );
  return found
    .toSorted(
      (one, other) =>
        NEARNESS.indexOf(one.warning.nearness) - NEARNESS.indexOf(other.warning.nearness) ||
        Number(one.helped) - Number(other.helped) ||
        other.strength - one.strength ||
        (one.at > other.at ? -1 : 1),
    )
    .slice(0, MOST_WARNINGS)
    .map(({ warning }) => warning);
}

/** How a try that counts came out. What was never measured, or said nothing, teaches nothing. */
const OUTCOME_TEXT: Readonly<Record<NonNullable<Try['outcome']>, string | undefined>> = {
  improved: 'it helped',
  corrected: undefined,
  'no-gain': 'tried',
  worse: 'tried',
  incorrect: 'tried',
  undecided: undefined,
  failed: undefined,
};

interface Likeness {
  readonly by: NonNullable<Warning['matched_by']>;
  readonly matched: string;
  readonly strength: number;
}

/**
 * The same lines changed in the same way; or the same variable moved the same way; or the same idea by name. Of another kind of kernel only the lines count: names and ideas mean other things
 * there.
 */
function likenessOf(
  earlier: Try,
  { variables = [], idea }: TryQuestion,
  lines: ReadonlySet<string>,
  isOtherKind: boolean,
): Likeness | undefined {
  const share = sharedLines(changedLines(earlier.change.diff), lines);
  if (share >= MOSTLY) {
    return {
      by: 'change',
      matched: `change: ${Math.round(100 * share)} % of the changed lines are the same`,
      strength: 2 + share,
    };
  }
  if (isOtherKind) return undefined;
  const before = earlier.change.variables.filter(isMoved);
  const now = variables.filter(isMoved);
  const helped = earlier.outcome === 'improved';
  const same = before.filter((each) => now.some((other) => isSameMove(each, other, helped)));
  // A try that moved much says little of one part of it: half of what it moved has to be what is moved now. One that
  // changed several things says nothing of one of them.
  const isEnough = isOfSeveral(earlier)
    ? same.length === earlier.change.variables.length
    : 2 * same.length >= before.length;
  if (same.length > 0 && isEnough) {
    const others = before.filter((each) => !same.includes(each)).map(({ name }) => name);
    const together = others.length === 0 ? '' : ` (then together with ${others.join(', ')})`;
    return {
      by: 'tunables',
      matched: `tunable: ${same.map(moveText).join(', ')}${together}`,
      strength: 1 + same.length / before.length,
    };
  }
  if (idea === undefined || !isNamed(idea, variables) || !isNamed(earlier.idea, earlier.change.variables)) {
    return undefined;
  }
  // Where both moved the same knob, the moves have been compared, and say more than words.
  if (before.some((each) => now.some((other) => other.name === each.name))) return undefined;
  return isSameIdea(earlier.idea, idea)
    ? { by: 'idea', matched: `idea: ${earlier.idea}`, strength: 1 }
    : undefined;
}

function isOfSeveral({ flags }: Try): boolean {
  return flags.includes('several-variables');
}

/** A finding, or the name of what is changed, stands for an unnamed idea: quite different ideas share it. */
function isNamed(idea: string, variables: readonly Variable[]): boolean {
  const isRule = (RULE_IDS as readonly string[]).includes(idea);
  return !isRule && !variables.some(({ name }) => name === idea);
}

/** "tried on 3 Nov on NVIDIA L4, 0.75×, because …". */
function tryText(
  session: Session,
  earlier: Try,
  outcome: string,
  here: Pick<TryQuestion, 'kind' | 'device' | 'now'>,
): string {
  const { measured, learnt, hypothesis } = earlier;
  const where = session.device === undefined ? '' : ` on ${session.device}`;
  const because = learnt ?? measured?.reason;
  const parts = [
    `${outcome} on ${dayText(measured?.at ?? earlier.opened_at, here.now)}${where}`,
    figure(earlier),
  ];
  const text = `${parts.filter((part) => part !== '').join(', ')}${because === undefined ? '' : `, because ${because}`}`;
  const of = session.kind === here.kind ? '' : ` It was a different kind of kernel, ${session.kind}.`;
  return `${sentence(`${text} ("${hypothesis}")`)}${of}`;
}

function figure({ outcome, measured }: Try): string {
  if (outcome === 'incorrect') return 'wrong results';
  const speedup = measured?.change_pct === undefined ? undefined : speedupOf(measured.change_pct);
  return speedup === undefined ? '' : speedupText(speedup);
}
