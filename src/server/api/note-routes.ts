import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { newNoteSchema, noteSchema, notesSchema } from '../../model/note.ts';
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
    summary: 'Notes on changes, newest first; those that leave an asked part out are on it, too',
    access: 'read',
    query: notesQuerySchema,
    result: notesSchema,
    handle: ({ query }, { service }) => service.notes(defined(query)),
  }),
  jsonRoute({
    name: 'addNote',
    method: 'POST',
    path: '/api/v1/notes',
    summary: 'Puts a note on the change at a commit',
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
    summary: 'Takes a note off',
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
