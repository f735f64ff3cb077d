import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { lessonEvidenceSchema, lessonSchema, type Lesson } from '../../model/learn/lesson.ts';
import { cutList } from '../bounded.ts';
import { limitField, wordField } from '../inputs.ts';
import { list, pick, said } from '../told.ts';
import { tool, workOf } from '../tool.ts';

const MOST_LESSONS = 50;
const MORE = 'Ask with text, kind or device, or read pawl://lessons.';

const lessonTold = z.object({
  ...pick(lessonSchema, 'id', 'source', 'scope'),
  title: said(),
  cause: said(),
  fix: said(),
  symptom: z.object(pick(lessonSchema.shape.symptom, 'rules')),
  evidence: list(
    z.object(pick(lessonEvidenceSchema, 'date', 'device', 'speedup', 'note')),
    3,
    'Read pawl://lessons.',
  ),
});

export const lessonsTool = tool({
  name: 'pawl_lessons',
  title: 'Known problems',
  description:
    'Known problems and their fixes, for the devices of this project, or by kind of kernel, device or words. Read them before a change. Only people add lessons. Returns lessons, each with cause, fix, scope and evidence.',
  effect: 'reads',
  input: z.strictObject({
    text: wordField.describe('Words that all occur.'),
    kind: wordField.describe("The problem's name in pawl.yaml."),
    device: wordField,
    language: wordField,
    limit: limitField(MOST_LESSONS, 15),
  }),
  output: z.object({ lessons: list(lessonTold, MOST_LESSONS, MORE) }),
  async run({ limit, ...asked }, call) {
    const { listLessons } = await import('../../workflows/list-lessons.ts');
    const { isThere } = await import('../../workflows/project.ts');
    // Before there is a project there are Pawl's own.
    const config = (await isThere(call.project.config)) ? workOf(call) : {};
    const { device, language } = asked;
    const ofProject = device === undefined && language === undefined;
    const { lessons, project } = await listLessons({ ...config, ...defined(asked), ofProject });
    // Those of the project are others' words, also where they replace one of Pawl's.
    const told = lessons.map((lesson) =>
      project.includes(lesson.id) ? lesson : { ...lesson, ...ownWords(lesson) },
    );
    return { summary: `${lessons.length} lessons.`, value: { lessons: cutList(told, limit, MORE) } };
  },
});

function ownWords({ title, cause, fix }: Lesson) {
  return { title: { own: title }, cause: { own: cause }, fix: { own: fix } };
}
