/** `pawl.notes/1`: what people say of a change, kept in the history beside what was measured. */
import { z } from 'zod';

export const NOTES_SCHEMA = 'pawl.notes/1';

const nameSchema = z.string().min(1).max(500);

/**
 * What a note is put on: the change at a commit, by what it is known by. Changes are found again with every point, so a
 * note refers to none of them. Without a kernel it is on all that the commit changed; likewise case, mode and device.
 */
const notedSchema = z.object({
  commit: z.string().regex(/^[\w.+][\w./+-]{0,199}$/),
  kernel: nameSchema.optional(),
  case: nameSchema.optional(),
  mode: nameSchema.optional(),
  device: nameSchema.optional(),
});

/** Only addresses of web pages: a note is shown to everybody as a link. */
const linkSchema = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s<>"]+$/u);

export const newNoteSchema = notedSchema.extend({
  text: z.string().trim().min(1).max(4000),
  /** An issue, a pull request, a discussion. */
  link: linkSchema.optional(),
  author: z.string().trim().min(1).max(200).optional(),
});
/** A note to add to a commit, or to one kernel, case, mode or device at that commit. */
export type NewNote = z.infer<typeof newNoteSchema>;

export const noteSchema = newNoteSchema.extend({
  /** The hash of what it says: the same note twice is one note. */
  id: z.string().regex(/^[0-9a-f]{20}$/),
  created_at: z.iso.datetime(),
});
/** A stored note, with its id and the time at which it was added. */
export type Note = z.infer<typeof noteSchema>;

export const notesSchema = z.object({
  schema: z.literal(NOTES_SCHEMA),
  /** Newest first. */
  notes: z.array(noteSchema),
});
/** What `listNotes` returns (`pawl.notes/1`). */
export type Notes = z.infer<typeof notesSchema>;

/** What an export holds besides: that it was removed, so that a store that still has it learns of it. */
export const keptNoteSchema = noteSchema.extend({ removed_at: z.iso.datetime().optional() });
export type KeptNote = z.infer<typeof keptNoteSchema>;
