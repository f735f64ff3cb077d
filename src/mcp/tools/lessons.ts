import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { lessonSchema, type Lesson } from '../../model/lesson.ts';
import { cutList, listSchema } from '../bounded.ts';
import { tool } from '../tool.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

const word = z.string().trim().min(1).max(200).optional();

export const lessonsTool = tool({
  name: 'pawl_lessons',
  title: 'What is known to go wrong',
  description:
    'Patterns of what goes wrong and what mends it, for a kind of kernel, a device or some words. Look before a change. Only people add lessons.',
  effect: 'reads',
  input: z.strictObject({
    text: word.describe('Every word of it occurs.'),
    kind: word.describe("The problem's name in pawl.yaml."),
    device: word,
    language: word,
    limit: z.int().min(1).max(50).default(15),
  }),
  output: z.object({
    lessons: listSchema(
      z.object({
        id: z.string(),
        source: lessonSchema.shape.source,
        title: untrustedSchema,
        cause: untrustedSchema,
        fix: untrustedSchema,
        rules: z.array(z.string()),
        devices: listSchema(untrustedSchema),
        kinds: listSchema(untrustedSchema),
        evidence: listSchema(
          z.object({
            date: z.string().optional(),
            device: untrustedSchema.optional(),
            speedup: z.number().optional(),
            note: untrustedSchema.optional(),
          }),
        ),
      }),
    ),
  }),
  async run({ text, kind, device, language, limit }, { project }) {
    const { listLessons } = await import('../../workflows/lessons.ts');
    const { lessons } = await listLessons({
      config: project.config,
      ...defined({ text, kind, device, language }),
    });
    return {
      summary: `${lessons.length} lessons.`,
      value: {
        lessons: cutList(
          lessons.map(lessonValue),
          limit,
          'Ask with text, kind or device, or read pawl://lessons.',
        ),
      },
    };
  },
});

function lessonValue({ id, source, title, cause, fix, symptom, scope, evidence }: Lesson) {
  return {
    id: own(id),
    source,
    title: untrusted(title),
    cause: untrusted(cause),
    fix: untrusted(fix),
    rules: symptom.rules ?? [],
    devices: names(scope.devices),
    kinds: names(scope.kinds),
    evidence: cutList(evidence.map(evidenceValue), 3, 'Read pawl://lessons.'),
  };
}

function names(all: readonly string[] = []) {
  return cutList(
    all.map((name) => untrusted(name, 100)),
    10,
    'Read pawl://lessons.',
  );
}

function evidenceValue({ date, device, speedup, note }: Lesson['evidence'][number]) {
  return {
    ...(date === undefined ? {} : { date: own(date) }),
    ...(device === undefined ? {} : { device: untrusted(device) }),
    ...defined({ speedup }),
    ...(note === undefined ? {} : { note: untrusted(note) }),
  };
}
