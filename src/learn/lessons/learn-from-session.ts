import { defined } from '../../model/defined.ts';
import { JUDGE_DEFAULTS } from '../../judge/judge-policy.ts';
import { speedupOf } from '../../model/judge/comparison.ts';
import type { Lesson } from '../../model/learn/lesson.ts';
import { speedupText } from '../../model/text/number-text.ts';
import type { Session, Try, Variable } from '../../model/learn/session.ts';
import { diffLines } from './diff-lines.ts';
import { directionOf, moveText } from './direction.ts';
import { overriddenFact } from './match-lessons.ts';
import { linesOf, patternMistake } from './pattern.ts';

/** From here on an improvement is worth telling others: where it is worth a new baseline. */
const TELLING_PCT = JUDGE_DEFAULTS.improvementPct;
/** Lines that a change is recognised by: the longest say most. */
const TELLING_LINES = 3;
const SHORTEST_TELLING_LINE = 12;

/**
 * What a session teaches, by rule: tries that made it slower or wrong, overridden gates after which nothing got
 * better, and tries that helped. One that changed several things at once teaches nothing: it is not known which did it.
 * The ids come from what was done, not from the session, so that the same experience is evidence for the same lesson.
 */
export function lessonsOf(session: Session): Lesson[] {
  const lessons = [
    ...session.tries
      .filter(({ flags }) => !flags.includes('several-variables'))
      .flatMap((attempt) => failureOf(session, attempt) ?? gainOf(session, attempt) ?? []),
    ...overridesOf(session),
  ];
  const byId = new Map<string, Lesson>();
  for (const lesson of lessons) {
    const known = byId.get(lesson.id);
    byId.set(
      lesson.id,
      known === undefined ? lesson : { ...known, evidence: [...known.evidence, ...lesson.evidence] },
    );
  }
  return [...byId.values()];
}

function failureOf(session: Session, attempt: Try): Lesson | undefined {
  if (attempt.outcome !== 'worse' && attempt.outcome !== 'incorrect') return undefined;
  const symptom = symptomOf(attempt);
  if (symptom === undefined) return undefined;
  const isWrong = attempt.outcome === 'incorrect';
  const what = whatOf(attempt);
  return {
    id: idOf(session.kind, isWrong ? 'wrong' : 'slower', what.words),
    title: `${what.title} ${isWrong ? 'gives wrong results' : 'makes it slower'}`,
    symptom,
    cause:
      attempt.learnt ?? attempt.measured?.reason ?? `it was tried and was ${isWrong ? 'wrong' : 'slower'}`,
    fix: isWrong
      ? 'Leave it as it was, or find out first why the results change.'
      : `Leave it as it was${attempt.rule === undefined ? ' and profile before the next try' : `: it is not a remedy for ${attempt.rule} here`}.`,
    scope: scopeOf(session),
    evidence: [evidenceOf(session, attempt)],
    source: 'session',
    ...by(session),
  };
}

/** Recognised by the finding that it followed; else by what it moved, or by the code that it replaced. */
function gainOf(session: Session, attempt: Try): Lesson | undefined {
  const { rule, outcome, measured } = attempt;
  if (outcome !== 'improved' || (measured?.change_pct ?? 0) < TELLING_PCT) return undefined;
  const symptom: Lesson['symptom'] | undefined =
    rule === undefined ? symptomOf(attempt, 'removed') : { rules: [rule] };
  if (symptom === undefined) return undefined;
  const what = whatOf(attempt);
  const [remedy, words] = rule === undefined ? ['makes it faster', 'faster'] : [`a remedy for ${rule}`, rule];
  return {
    id: idOf(session.kind, words, rule === undefined ? what.words : attempt.idea),
    title: rule === undefined ? `${what.title} ${remedy}` : `${attempt.idea}: ${remedy}`,
    symptom,
    cause: attempt.learnt ?? attempt.hypothesis,
    fix: `${attempt.idea} (${what.title})`,
    scope: scopeOf(session),
    evidence: [evidenceOf(session, attempt)],
    source: 'session',
    ...by(session),
  };
}

/** A gate that was overridden, after which tries made it worse or wrong and none made it better. */
function overridesOf(session: Session): Lesson[] {
  return session.gates.flatMap((result) => {
    const { gate, title, override, reason, next, evidence } = result;
    // What could not be known here warned of nothing, and doing it first is not advice.
    if (override === undefined || evidence?.missing?.some(({ why }) => why === reason) === true) return [];
    const after = session.tries.filter(({ opened_at }) => opened_at >= override.at);
    const failed = after.filter(({ outcome }) => outcome === 'worse' || outcome === 'incorrect');
    const [first] = failed;
    if (first === undefined || after.some(({ outcome }) => outcome === 'improved')) return [];
    const lesson: Lesson = {
      id: idOf(session.kind, 'override', gate),
      title: `Going on past "${title}"`,
      symptom: { facts: overriddenFact(gate) },
      cause: `${reason.replace(/[.\s]+$/u, '')}; it was overridden ("${override.reason}"), and ${failed.length} of ${after.length} tries after it made things worse`,
      fix:
        next === undefined ? 'Do what the gate asks for first.' : `Do what the gate asks for first: ${next}`,
      scope: scopeOf(session),
      evidence: [evidenceOf(session, failed.toSorted(byChange)[0] ?? first)],
      source: 'session',
      ...by(session),
    };
    return [lesson];
  });
}

function byChange(one: Try, other: Try): number {
  return (one.measured?.change_pct ?? 0) - (other.measured?.change_pct ?? 0);
}

/**
 * By the one knob that moved; else by the lines it adds, if they are long enough to be told apart. Of several knobs
 * it is not clear which did it, and a warning of each would be wrong for most.
 */
function symptomOf({ change }: Try, by: 'added' | 'removed' = 'added'): Lesson['symptom'] | undefined {
  const [moved, ...others] = change.variables.filter(isMoved);
  if (moved !== undefined && others.length === 0) {
    return { tunables: { [moved.name]: directionOf(moved) ?? 'any' } };
  }
  const lines = linesOf(diffLines(change.diff)[by].join('\n'))
    .filter(
      (line) => line.length >= SHORTEST_TELLING_LINE && /\w/u.test(line) && !/^(?:\/\/|\/?\*)/u.test(line),
    )
    .toSorted((one, other) => other.length - one.length)
    .map((line) => escaped(line.slice(0, 120)))
    .filter((pattern) => patternMistake(pattern) === undefined);
  if (lines.length === 0) return undefined;
  const telling = [...new Set(lines)].slice(0, TELLING_LINES);
  // What was replaced is looked for in the code, and what failed in what is about to be added.
  return by === 'removed' ? { code: telling } : { change: telling };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

function isMoved({ kind, from, to }: Variable): boolean {
  return (kind === 'tunable' || kind === 'constant') && from !== to && to !== undefined;
}

/** What a try did: in words for its title, and for its id without the values, which differ from session to session. */
function whatOf({ change, idea }: Try): { readonly title: string; readonly words: string } {
  const moved = change.variables.filter(isMoved);
  if (moved.length === 0) return { title: capitalised(idea), words: idea };
  return {
    title: moved.map(moveText).join(', '),
    words: moved.map((each) => `${each.name} ${directionOf(each) ?? `to ${each.to}`}`).join(' '),
  };
}

function evidenceOf(session: Session, attempt: Try): Lesson['evidence'][number] {
  const { measured, outcome } = attempt;
  const speedup =
    outcome === 'incorrect' || measured?.change_pct === undefined
      ? undefined
      : speedupOf(measured.change_pct);
  return {
    date: (measured?.at ?? attempt.opened_at).slice(0, 10),
    ...defined({ device: session.device }),
    kernel: session.kernel,
    session: session.id,
    ...(speedup === undefined ? {} : { speedup: Number(speedup.toPrecision(4)) }),
    note: `try ${attempt.number}: ${attempt.hypothesis}${outcome === 'incorrect' ? ' (wrong results)' : ''}${
      speedup === undefined ? '' : ` (${speedupText(speedup)} at ${measured?.case ?? ''})`
    }`,
  };
}

function scopeOf({ kind, device }: Session): Lesson['scope'] {
  return { ...(device === undefined ? {} : { devices: [device] }), kinds: [kind] };
}

function by(session: Session): { by?: string } {
  return defined({ by: session.by });
}

const LONGEST_ID = 80;

function idOf(...parts: readonly string[]): string {
  const slug = parts
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, LONGEST_ID)
    .replace(/-+$/u, '');
  // An id begins with a letter.
  return /^[a-z]/u.test(slug) ? slug : `lesson-${slug}`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
