import { Expression } from '../../config/expression/expression.ts';
import { ExpressionError } from '../../config/expression/expression-error.ts';
import type { RuleId } from '../../model/profile/diagnosis-words.ts';
import type { Fact, GateResult } from '../../model/learn/gate.ts';
import { NEARNESS, SYMPTOMS, type Lesson, type Symptom, type Warning } from '../../model/learn/lesson.ts';
import type { Variable } from '../../model/learn/session.ts';
import { diffLines } from './diff-lines.ts';
import { directionOf, isMoved, moveText } from './direction.ts';
import { lessonText } from './lesson-text.ts';
import { nearnessOf } from './nearness.ts';
import { findLine, linesOf } from './pattern.ts';
import { isLike } from './wildcard.ts';

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** What is about to be tried, and what is known when it is. Whatever is not known matches nothing. */
export interface LessonQuestion {
  readonly lessons: readonly Lesson[];
  /** A unified diff, or what has one. */
  readonly change?: string | { readonly diff: string } | undefined;
  readonly variables?: readonly Variable[] | undefined;
  /** Findings of the profile of the state that the change starts from. */
  readonly rules?: readonly RuleId[] | undefined;
  readonly facts?: Readonly<Record<string, Fact>> | undefined;
  /** What failed builds and runs said. */
  readonly errors?: readonly string[] | undefined;
  /** The kernel's files. */
  readonly sources?: readonly SourceText[] | undefined;
  /** Of the session: an overridden one is the fact `overridden_ID` (`_` for `-`), and the reference has its age. */
  readonly gates?: readonly GateResult[] | undefined;
  readonly kind?: string | undefined;
  readonly device?: string | undefined;
  readonly language?: string | undefined;
  readonly hardware?: 'cpu' | 'cuda' | undefined;
  readonly now?: Date | undefined;
}

const MS_PER_MIN = 60_000;

/** Nearest first; of equal ones those that are about the change itself, then those with more evidence. */
export function matchLessons(question: LessonQuestion): Warning[] {
  const seen = look(question);
  return question.lessons
    .flatMap((lesson) => {
      if (lesson.withdrawn !== undefined || !speaksOf(lesson, question)) return [];
      const found = recognise(lesson, seen);
      if (found === undefined) return [];
      const nearness = nearnessOf(lesson, question);
      const warning: Warning = {
        kind: 'lesson',
        id: lesson.id,
        text: lessonText(lesson, question, nearness),
        matched: found.matched,
        matched_by: found.by,
        fix: lesson.fix,
        nearness,
      };
      return [{ warning, by: SYMPTOMS.indexOf(found.by), evidence: lesson.evidence.length }];
    })
    .toSorted(
      (one, other) =>
        NEARNESS.indexOf(one.warning.nearness) - NEARNESS.indexOf(other.warning.nearness) ||
        one.by - other.by ||
        other.evidence - one.evidence ||
        (one.warning.id < other.warning.id ? -1 : 1),
    )
    .map(({ warning }) => warning);
}

/** Whether a lesson speaks against what is about to be changed, and not only of where things stand. */
export function isAgainstChange({ kind, id, matched_by }: Warning, lessons: readonly Lesson[]): boolean {
  if (kind !== 'lesson' || (matched_by !== 'tunables' && matched_by !== 'change')) return false;
  const lesson = lessons.find((one) => one.id === id);
  return lesson === undefined || !hasHelped(lesson);
}

/** A lesson of what helped, wherever it was seen. */
function hasHelped({ evidence }: Lesson): boolean {
  return evidence.length > 0 && evidence.every(({ speedup }) => speedup !== undefined && speedup > 1);
}

interface Found {
  readonly by: Symptom;
  /** The rule, the line, the tunable. */
  readonly matched: string;
}

interface Seen {
  readonly errors: readonly string[];
  readonly added: readonly string[];
  readonly variables: readonly Variable[];
  readonly facts: Readonly<Record<string, Fact>>;
  readonly rules: readonly RuleId[];
  readonly sources: readonly { readonly file: string; readonly lines: readonly string[] }[];
}

function look(question: LessonQuestion): Seen {
  const { change = '', variables = [], rules = [], errors = [], sources = [], gates = [] } = question;
  const diff = typeof change === 'string' ? change : change.diff;
  return {
    errors: errors.flatMap(linesOf),
    added: linesOf(diffLines(diff).added.join('\n')),
    variables,
    rules,
    sources: sources.map(({ file, text }) => ({ file, lines: linesOf(text) })),
    facts: {
      changed_variables: variables.filter(isMoved).length,
      profiled: rules.length > 0,
      ...question.facts,
      ...factsOfGates(gates, question.now),
    },
  };
}

/** That gates were overridden, and how old the reference is. */
function factsOfGates(gates: readonly GateResult[], now: Date | undefined): Record<string, Fact> {
  const overridden = gates.filter(({ override }) => override !== undefined);
  const facts: Record<string, Fact> = Object.fromEntries(
    overridden.map(({ gate }) => [overriddenFact(gate), true]),
  );
  const reference = gates.find(({ evidence }) => evidence?.kind === 'reference')?.evidence;
  if (reference !== undefined && now !== undefined) {
    facts['reference_age_min'] = (now.getTime() - Date.parse(reference.taken_at)) / MS_PER_MIN;
  }
  return facts;
}

/** The name of the fact that a gate was overridden. */
export function overriddenFact(gate: string): string {
  return `overridden_${gate.replaceAll('-', '_')}`;
}

/** A lesson about another language, or for GPUs where this is a CPU, is about other code altogether. */
function speaksOf({ scope }: Lesson, { language, hardware }: LessonQuestion): boolean {
  const isOfLanguage =
    language === undefined || scope.languages === undefined || scope.languages.includes(language);
  return (
    isOfLanguage &&
    (hardware === undefined || scope.hardware === undefined || scope.hardware.includes(hardware))
  );
}

function recognise({ symptom }: Lesson, seen: Seen): Found | undefined {
  if (symptom.when !== undefined && !holds(symptom.when, seen.facts)) return undefined;
  for (const by of SYMPTOMS) {
    const matched = RECOGNISERS[by](symptom, seen);
    if (matched === undefined) continue;
    const besides = symptom.when === undefined ? '' : valuesOf(symptom.when, seen.facts);
    return { by, matched: besides === '' ? matched : `${matched}, with ${besides}` };
  }
  return undefined;
}

const RECOGNISERS: Readonly<Record<Symptom, (symptom: Lesson['symptom'], seen: Seen) => string | undefined>> =
  {
    error: ({ error = [] }, { errors }) => {
      const found = findLine(error, errors, 'iu');
      return found && `error: ${found.line}`;
    },
    tunables: ({ tunables = {} }, { variables }) => {
      for (const [pattern, direction] of Object.entries(tunables)) {
        const moved = variables.find(
          (variable) =>
            (variable.kind === 'tunable' || variable.kind === 'constant') &&
            isLike(variable.name, pattern) &&
            (direction === 'any' || directionOf(variable) === direction),
        );
        if (moved !== undefined) return `tunable: ${moveText(moved)}`;
      }
      return undefined;
    },
    change: ({ change = [] }, { added }) => {
      const found = findLine(change, added);
      return found && `change: ${found.line}`;
    },
    facts: ({ facts }, seen) =>
      facts !== undefined && holds(facts, seen.facts)
        ? `fact: ${facts} (${valuesOf(facts, seen.facts)})`
        : undefined,
    rules: ({ rules = [] }, seen) => {
      const rule = rules.find((each) => seen.rules.includes(each));
      return rule && `finding: ${rule}`;
    },
    code: ({ code = [] }, { sources }) => {
      for (const { file, lines } of sources) {
        const found = findLine(code, lines);
        if (found !== undefined) return `code: ${file}:${found.number}: ${found.line}`;
      }
      return undefined;
    },
  };

function holds(formula: string, facts: Readonly<Record<string, Fact>>): boolean {
  try {
    return Expression.parse(formula).holds(facts);
  } catch (error) {
    // A fact that is not known, or is of another type than the formula takes it for, says nothing.
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

function valuesOf(formula: string, facts: Readonly<Record<string, Fact>>): string {
  return Expression.parse(formula)
    .names.filter(({ name }) => Object.hasOwn(facts, name))
    .map(({ name }) => `${name} = ${shown(facts[name]!)}`)
    .join(', ');
}

function shown(fact: Fact): string {
  return typeof fact === 'number' ? String(Number(fact.toPrecision(4))) : String(fact);
}
