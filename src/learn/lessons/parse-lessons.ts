import { Expression } from '../../config/expression/expression.ts';
import { ExpressionError } from '../../config/expression/expression-error.ts';
import { mistakesError, type Mistake, type Path } from '../../config/mistake.ts';
import { schemaMistakes } from '../../config/schema-mistakes.ts';
import { placeMistakes, readYaml } from '../../config/yaml-file.ts';
import { lessonSchema, lessonsSchema, type Lesson } from '../../model/learn/lesson.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { patternMistake } from './pattern.ts';

const HINT = 'docs/lessons.md in the Pawl repository describes every key, with examples.';
const PATTERNS = ['change', 'code', 'error'] as const;

/**
 * The lessons of a file.
 *
 * @param label how the file is called in messages
 * @throws {PawlError} of kind `configuration`, with one line for every mistake and its place
 */
export function parseLessons(text: string, label: string): Lesson[] {
  const yaml = readYaml(text);
  if (!yaml.usable) throw hinted(mistakesError(label, yaml.mistakes));
  const schema = schemaMistakes(lessonsSchema, yaml.value);
  const own = schema.length > 0 ? [] : lessonsSchema.parse(yaml.value).lessons.flatMap(mistakesOf);
  const ids = schema.length > 0 ? [] : repeatedIds(lessonsSchema.parse(yaml.value).lessons);
  const mistakes = [...yaml.mistakes, ...placeMistakes([...schema, ...own, ...ids], yaml)];
  if (mistakes.length > 0) throw hinted(mistakesError(label, mistakes));
  return lessonsSchema.parse(yaml.value).lessons;
}

/** One lesson that comes from elsewhere than a lessons file: an annotation, a door. */
export function checkLesson(value: unknown, label: string): Lesson {
  const schema = schemaMistakes(lessonSchema, value);
  const found = schema.length > 0 ? schema : mistakesOf(lessonSchema.parse(value), undefined);
  if (found.length === 0) return lessonSchema.parse(value);
  const lines = found.map(({ path, message }) => `${label}: ${path.join('.')}: ${message}`);
  throw new PawlError('bad-data', lines.join('\n'), HINT);
}

function hinted(error: PawlError): PawlError {
  return new PawlError(error.kind, error.message, HINT);
}

function mistakesOf(lesson: Lesson, index: number | undefined): Mistake[] {
  const { symptom } = lesson;
  const at: Path = index === undefined ? ['symptom'] : ['lessons', index, 'symptom'];
  const mistakes: Mistake[] = [];
  for (const key of PATTERNS) {
    for (const [position, source] of (symptom[key] ?? []).entries()) {
      const mistake = patternMistake(source);
      if (mistake === undefined) continue;
      mistakes.push({ path: [...at, key, position], message: mistake.text, offset: mistake.offset });
    }
  }
  for (const key of ['facts', 'when'] as const) {
    const mistake = symptom[key] === undefined ? undefined : formulaMistake(symptom[key]);
    if (mistake !== undefined) {
      mistakes.push({ path: [...at, key], message: mistake.reason, offset: mistake.offset });
    }
  }
  const { when, ...symptoms } = symptom;
  if (Object.values(symptoms).every((value) => value === undefined || Object.keys(value).length === 0)) {
    const message = `no symptom to recognise it by${when === undefined ? '' : '; `when` alone is not enough'}`;
    mistakes.push({ path: at, at: 'key', message });
  }
  return mistakes;
}

function formulaMistake(source: string): ExpressionError | undefined {
  try {
    Expression.parse(source);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

function repeatedIds(lessons: readonly Lesson[]): Mistake[] {
  const seen = new Set<string>();
  return lessons.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: ['lessons', index, 'id'], message: `\`${id}\` is here for the second time` }];
  });
}
