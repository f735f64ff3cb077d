import { uploadedSchema, uploadSchema } from '../../model/history/history-api.ts';
import { jsonRoute } from './route.ts';

/** A run of 500 cases with a thousand samples each has 10 MB. */
const LIMITS = { wire_bytes: 16 * 2 ** 20, plain_bytes: 48 * 2 ** 20 };

export const uploadRoute = jsonRoute({
  name: 'upload',
  method: 'POST',
  path: '/api/v1/runs',
  summary: 'Keeps a run (pawl.run/1); the same run twice is one run',
  access: 'write',
  body: { schema: uploadSchema, limits: LIMITS },
  result: uploadedSchema,
  statuses: { 201: 'Stored', 200: 'It was there already' },
  status: ({ stored }) => (stored ? 201 : 200),
  handle: ({ body }, { service }) => service.upload(body),
});
