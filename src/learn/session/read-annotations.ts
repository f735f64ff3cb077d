import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { lessonSchema, reviveWarnings } from '../../model/learn/lesson.ts';
import { jsonFault } from '../../model/json-fault.ts';
import { PawlError } from '../../model/pawl-error.ts';
import {
  annotationSchema,
  SESSION_SCHEMA,
  type Annotation,
  type Session,
} from '../../model/learn/session.ts';

/** As an expert writes one: who and when are known when it is taken in, and so is the lesson's source. */
const writtenSchema = annotationSchema.extend({
  by: z.string().optional(),
  at: z.string().optional(),
  comment: z.string().min(1),
  lesson: lessonSchema.extend({ source: lessonSchema.shape.source.optional() }).optional(),
});

const fileSchema = z.looseObject({
  schema: z.literal(SESSION_SCHEMA),
  id: z.string(),
  revision: z.int().positive(),
  annotations: z.array(z.unknown()),
});
export type AnnotatedFile = z.infer<typeof fileSchema>;

/** An exported session that somebody edited. */
export function parseAnnotated(text: string, label: string): AnnotatedFile {
  let value: unknown;
  try {
    value = JSON.parse(text, reviveWarnings);
  } catch (error) {
    throw refused(label, `it is not JSON: ${jsonFault(error, text)}`);
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(label, `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'unreadable'}`);
}

/**
 * What the expert added. Everything else must be as it was exported: a session tells what happened, and is not
 * corrected afterwards.
 *
 * @param exported the session at the file's revision
 */
export function newAnnotations(
  file: AnnotatedFile,
  exported: Session,
  { by, at, label }: { readonly by: string | undefined; readonly at: Date; readonly label: string },
): Annotation[] {
  const { annotations, ...rest } = file;
  const { annotations: known, ...before } = JSON.parse(JSON.stringify(exported)) as Session;
  const place = firstDifference(before, rest, '');
  if (place !== undefined) {
    throw refused(label, `${place} differs from what was exported; only annotations are imported`);
  }
  return annotations.flatMap((written, index): Annotation[] => {
    if (known.some((each) => isDeepStrictEqual(each, written))) return [];
    return [annotationOf(written, `annotations.${index}`)];
  });

  function annotationOf(written: unknown, where: string): Annotation {
    const parsed = writtenSchema.safeParse(written);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw refused(label, `${[where, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'unreadable'}`);
    }
    const { lesson, ...annotation } = parsed.data;
    if (!isAbout(annotation.about, exported)) {
      const hint = 'gate:ID, try:NUMBER or session';
      throw refused(
        label,
        `${where}.about: there is no ${annotation.about.slice(0, 100)} in the session (${hint})`,
      );
    }
    const author = annotation.by ?? by;
    if (author === undefined) throw refused(label, `${where}.by: the author is missing; give --by NAME`);
    return {
      ...annotation,
      by: author,
      at: annotation.at ?? at.toISOString(),
      ...(lesson === undefined
        ? {}
        : {
            lesson: {
              ...lesson,
              source: 'expert' as const,
              by: author,
              evidence:
                lesson.evidence.length > 0
                  ? lesson.evidence
                  : [{ date: at.toISOString().slice(0, 10), session: exported.id, note: annotation.comment }],
            },
          }),
    };
  }
}

function isAbout(about: string, { gates, tries }: Session): boolean {
  const [kind, name] = about.split(':', 2);
  if (kind === 'gate') return gates.some(({ gate }) => gate === name);
  if (kind === 'try') return tries.some(({ number }) => String(number) === name);
  return about === 'session';
}

/** Where two values first differ, as a path. */
function firstDifference(one: unknown, other: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (isObject(one) && isObject(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const found = firstDifference(one[key], other[key], path === '' ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return path;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function refused(label: string, what: string): PawlError {
  return new PawlError(
    'bad-data',
    `${label} cannot be imported: ${what}.`,
    'Annotate what `pawl session export` writes: add to its `annotations`, and leave the rest as it is.',
  );
}
