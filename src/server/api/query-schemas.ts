import { z } from 'zod';

import { RUN_KINDS } from '../../model/history/run-kinds.ts';
import { VERDICTS } from '../../model/judge/verdict.ts';

/** Ids are hashes with short additions; what is not of this form is in no store. */
export const idSchema = z
  .string()
  .regex(/^[\w.:~-]{1,200}$/)
  .meta({ description: 'An id as other answers have it.' });

const nameSchema = z.string().min(1).max(500);

const timeSchema = z
  .string()
  .regex(/^(?:\d{1,4}[hdw]|\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d))?)$/)
  .meta({ description: 'A date, a time with its zone (ISO 8601), or how long ago: `12h`, `30d`, `8w`.' });

export const windowSchema = z.strictObject({
  since: timeSchema.optional(),
  until: timeSchema.optional().meta({ description: 'Not included.' }),
});

export const keyFilterSchema = z.strictObject({
  kernel: nameSchema.optional(),
  case: nameSchema.optional(),
  mode: nameSchema.optional(),
  device_class: nameSchema.optional(),
});

export const pageSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  cursor: z
    .string()
    .regex(/^[\w-]{1,500}$/)
    .optional()
    .meta({ description: '`next` of the previous page.' }),
});

/** Words with commas between them. */
function listOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  return z
    .string()
    .max(500)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(words)))
    .optional()
    .meta({ description: `Of ${words.join(', ')}; several with commas between them.` });
}

export const runFilterSchema = z.strictObject({
  ...keyFilterSchema.shape,
  ...windowSchema.shape,
  ...pageSchema.shape,
  kinds: listOf(RUN_KINDS),
  verdicts: listOf(VERDICTS),
  commit: z
    .string()
    .regex(/^[0-9a-f]{4,64}$/)
    .optional()
    .meta({ description: 'Whole, or its beginning.' }),
  device: nameSchema.optional().meta({ description: "A device's name, or a part of it." }),
  host: nameSchema.optional(),
  branch: nameSchema.optional(),
  search: nameSchema.optional().meta({
    description:
      'Words that all have to be in what a run is known by: id, kind, verdict, commits with subject and author, branch, pull request, host, device, kernels, cases.',
  }),
});

export const notesQuerySchema = z.strictObject({
  commit: z
    .string()
    .regex(/^[\w.+-]{4,200}$/)
    .optional()
    .meta({ description: 'Whole, or its beginning.' }),
  kernel: nameSchema.optional(),
  case: nameSchema.optional(),
  mode: nameSchema.optional(),
  device: nameSchema.optional(),
});

export const trendQuerySchema = z.strictObject({
  key: idSchema,
  ...windowSchema.shape,
  max_points: z.coerce
    .number()
    .int()
    .min(2)
    .max(10_000)
    .default(1000)
    .meta({ description: 'Fewer where there are more, spread evenly.' }),
});

export const compareQuerySchema = z.strictObject({
  a: idSchema.meta({ description: 'A measurement; or a run, with `key`. What `b` is judged against.' }),
  b: idSchema,
  key: idSchema.optional(),
});

const revisionSchema = nameSchema
  .optional()
  .meta({ description: 'A commit, whole or its beginning; or a branch: its newest measurements.' });
const deviceSchema = nameSchema
  .optional()
  .meta({ description: "A device's name, or a part that only one device has." });

export const sidesQuerySchema = z.strictObject({
  a: revisionSchema,
  a_device: deviceSchema,
  a_driver: nameSchema.optional(),
  b: revisionSchema,
  b_device: deviceSchema,
  b_driver: nameSchema.optional(),
});

export const commitsQuerySchema = z.strictObject({
  shas: z
    .string()
    .regex(/^[0-9a-f]{4,64}(?:,[0-9a-f]{4,64}){0,60}$/)
    .transform((text) => text.split(','))
    .meta({ description: 'Whole, at most 61, with commas between them.' }),
});
