import type { Lesson, Warning } from '../../model/learn/lesson.ts';
import { speedupText } from '../../model/text/number-text.ts';
import { painter, type Paint } from './paint.ts';
import { hanging, padEnd, plainText, truncate } from '../text/plain-text.ts';

export interface LessonsTerminalOptions {
  readonly color?: boolean;
  readonly columns?: number;
  /** Ids of those that stand in the project's own file. */
  readonly project?: readonly string[];
}

interface View {
  readonly paint: Paint;
  readonly columns: number;
}

const MAX_COLUMNS = 110;
const LABEL_COLUMNS = 10;

/** A list to choose from: a line each, with where it holds and how it came out. */
export function renderLessons(lessons: readonly Lesson[], options: LessonsTerminalOptions = {}): string {
  const { paint, columns } = viewOf(options);
  if (lessons.length === 0) return 'No matching lesson. `pawl lessons` lists all of them.\n';
  const own = new Set(options.project ?? []);
  const width = Math.min(42, Math.max(...lessons.map(({ id }) => id.length)));
  const lines = lessons.flatMap((lesson) => {
    const mark = lesson.withdrawn === undefined ? (own.has(lesson.id) ? '•' : ' ') : '×';
    const head = `${mark} ${paint('bold', padEnd(lesson.id, width))}`;
    const place = [scopeText(lesson.scope), figuresText(lesson)].filter((part) => part !== '').join(' · ');
    const indent = ' '.repeat(width + 4);
    return [
      `${head}  ${truncate(plainText(lesson.title), Math.max(20, columns - width - 4))}`,
      ...(place === '' ? [] : [paint('dim', truncate(`${indent}${place}`, columns))]),
    ];
  });
  const legend = [
    ...(lessons.some(({ id, withdrawn }) => own.has(id) && withdrawn === undefined)
      ? ["• the project's own"]
      : []),
    ...(lessons.some(({ withdrawn }) => withdrawn !== undefined) ? ['× withdrawn'] : []),
  ];
  const count = `${lessons.length} ${lessons.length === 1 ? 'lesson' : 'lessons'}`;
  return [...lines, '', paint('dim', [count, ...legend, 'pawl lessons show ID'].join(' · ')), ''].join('\n');
}

/** One lesson, all of it. */
export function renderLesson(lesson: Lesson, options: LessonsTerminalOptions = {}): string {
  const view = viewOf(options);
  const { paint } = view;
  const { symptom, scope, evidence, source, by, withdrawn } = lesson;
  const scoped = scopeText(scope);
  return [
    paint('bold', plainText(lesson.title)),
    paint('dim', lesson.id),
    '',
    ...(withdrawn === undefined ? [] : field('withdrawn', withdrawn, view)),
    ...symptomLines(symptom, view),
    ...field('cause', lesson.cause, view),
    ...field('fix', lesson.fix, view),
    ...field('holds', scoped === '' ? 'everywhere' : scoped, view),
    ...evidence.flatMap((each, index) => field(index === 0 ? 'evidence' : '', evidenceText(each), view)),
    ...field('source', by === undefined ? source : `${source}, ${by}`, view),
    '',
  ].join('\n');
}

/** What is about to be tried reminds of these. */
export function renderWarnings(warnings: readonly Warning[], options: LessonsTerminalOptions = {}): string {
  const view = viewOf(options);
  const { paint, columns } = view;
  if (warnings.length === 0) return 'No known lesson warns against it.\n';
  const lines = warnings.flatMap(({ id, text, matched, fix, nearness }) => [
    ...hanging(`${paint(nearness === 'same-device' ? 'yellow' : 'dim', '!')} `, 2, text, columns),
    ...hanging('  → ', 4, fix ?? '', columns),
    paint('dim', truncate(`  ${plainText(matched)} (${plainText(id)})`, columns)),
    '',
  ]);
  return lines.join('\n');
}

function viewOf({ color = false, columns = 100 }: LessonsTerminalOptions): View {
  return { paint: painter(color), columns: Math.max(40, Math.min(columns, MAX_COLUMNS)) };
}

function field(label: string, text: string, { paint, columns }: View): string[] {
  return hanging(paint('cyan', padEnd(label, LABEL_COLUMNS)), LABEL_COLUMNS, text, columns);
}

function symptomLines(
  { rules = [], facts, change = [], code = [], error = [], tunables = {}, when }: Lesson['symptom'],
  view: View,
): string[] {
  const parts = [
    ...rules.map((rule) => `the finding ${rule}`),
    ...(facts === undefined ? [] : [`the fact ${facts}`]),
    ...Object.entries(tunables).map(
      ([name, direction]) => `${name} moved${direction === 'any' ? '' : ` ${direction}`}`,
    ),
    ...change.map((pattern) => `a change that adds /${pattern}/`),
    ...code.map((pattern) => `/${pattern}/ in the sources`),
    ...error.map((pattern) => `a failure that says /${pattern}/`),
  ];
  const lines = parts.flatMap((part, index) => field(index === 0 ? 'symptom' : '', part, view));
  return when === undefined ? lines : [...lines, ...field('', `and only when ${when}`, view)];
}

function scopeText({ devices, kinds, languages }: Lesson['scope']): string {
  return [kinds, languages, devices]
    .flatMap((names) =>
      names === undefined ? [] : [names.map((name) => plainText(name.replaceAll('*', ''))).join(', ')],
    )
    .join(' · ');
}

function figuresText({ evidence }: Lesson): string {
  const figures = evidence.flatMap(({ speedup }) => (speedup === undefined ? [] : [speedup]));
  const seen = `seen ${evidence.length === 1 ? 'once' : `${evidence.length} times`}`;
  if (figures.length === 0) return evidence.length === 0 ? '' : seen;
  const [low, high] = [Math.min(...figures), Math.max(...figures)];
  return `${seen}, ${low === high ? speedupText(low) : `${speedupText(low)} to ${speedupText(high)}`}`;
}

function evidenceText({ date, device, kernel, session, speedup, note }: Lesson['evidence'][number]): string {
  return [
    date,
    device,
    kernel,
    session === undefined ? undefined : `session ${session}`,
    speedup === undefined ? undefined : speedupText(speedup),
    note,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}
