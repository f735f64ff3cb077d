import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { newNoteSchema, noteSchema, notesSchema } from '../../model/history/note.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { idSchema, notesQuerySchema } from './query-schemas.ts';
import { jsonRoute, type Route } from './route.ts';

/** The text of a note has 4,000 letters at most. */
const LIMITS = { wire_bytes: 2 ** 16, plain_bytes: 2 ** 16 };

/** What people say of changes. */
export const noteRoutes: readonly Route[] = [
  jsonRoute({
    name: 'notes',
    method: 'GET',
    path: '/api/v1/notes',
    summary: 'Notes on changes, newest first; a note without a part, such as a kernel, applies to all',
    access: 'read',
    query: notesQuerySchema,
    result: notesSchema,
    handle: ({ query }, { service }) => service.notes(defined(query)),
  }),
  jsonRoute({
    name: 'addNote',
    method: 'POST',
    path: '/api/v1/notes',
    summary: 'Adds a note to the change at a commit',
    access: 'note',
    body: { schema: newNoteSchema, limits: LIMITS },
    result: noteSchema,
    statuses: { 201: 'Kept' },
    status: () => 201,
    handle: ({ body, now }, { service }) => service.addNote(body, now),
  }),
  jsonRoute({
    name: 'removeNote',
    method: 'POST',
    path: '/api/v1/notes/{id}/removal',
    summary: 'Removes a note',
    access: 'note',
    params: z.strictObject({ id: idSchema }),
    result: z.object({ removed: z.string() }),
    handle: async ({ params: { id }, now }, { service }) => {
      if (!(await service.removeNote(id, now)))
        throw new HttpProblem(404, 'There is no such note in the store.');
      return { removed: id };
    },
  }),
];
