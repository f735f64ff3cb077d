import { z } from 'zod';

import {
  leaderboardSchema,
  problemsPageSchema,
  sourcesSchema,
  submissionAnswerSchema,
  submissionRequestSchema,
  type SubmissionAnswer,
} from '../../model/queue/queue.ts';
import { workAnswerSchema, workRequestSchema } from '../../model/queue/queue-work.ts';
import type { Caller, Refusal } from '../../workflows/serve/queue-service.ts';
import { HttpProblem, tooMany } from '../http/http-problem.ts';
import { idSchema } from './query-schemas.ts';
import { jsonRoute, type Context, type Route } from './route.ts';

/** Sources are checked against a limit of their own, which is below this. */
const BODY = { wire_bytes: 8 * 2 ** 20, plain_bytes: 8 * 2 ** 20 };

/** Below the time after which a silent connection is cut, here and by most proxies. */
const LONGEST_WAIT_S = 50;

const waitSchema = z.strictObject({
  wait_s: z.coerce
    .number()
    .min(0)
    .max(LONGEST_WAIT_S)
    .default(LONGEST_WAIT_S)
    .meta({ description: 'How long to wait for the judgement; 0 answers at once.' }),
});
const submissionParams = z.strictObject({ id: idSchema });

const ANSWERS = {
  200: 'Its judgement (`pawl.judgement/1`), or why it cannot be judged (`pawl.judgement-error/1`)',
  202: 'It waits or is judged (`pawl.submission/1`): ask again for its id',
};
const statusOf = ({ schema }: Pick<SubmissionAnswer, 'schema'>): number =>
  schema === 'pawl.submission/1' ? 202 : 200;

const REFUSAL_STATUS: Readonly<Record<Refusal['limit'], number>> = {
  'unknown-tenant': 403,
  suspended: 403,
  'unknown-problem': 404,
  'other-sources': 409,
  'too-fast': 429,
  'queue-full': 429,
  'day-full': 429,
};

/** Candidates in, judgements out. */
export const judgeRoutes: readonly Route[] = [
  jsonRoute({
    name: 'judge',
    method: 'POST',
    path: '/api/judge',
    summary: 'Submits a candidate; waits for its judgement unless told otherwise',
    access: 'queue-submit',
    query: waitSchema,
    body: { schema: submissionRequestSchema, limits: BODY, mayWait: true },
    result: submissionAnswerSchema,
    statuses: ANSWERS,
    status: statusOf,
    conflicts: true,
    handle: async ({ body, query, caller }, context) => {
      const queue = queueOf(context);
      const taken = await queue.submit(callerOf(caller).tenant, body);
      if (taken.state === 'refused') throw refusal(taken);
      const found = await queue.wait(taken.id, query.wait_s);
      return found!.answer;
    },
  }),
  jsonRoute({
    name: 'judge-problems',
    method: 'GET',
    path: '/api/judge/problems',
    summary: 'Problems that may be submitted to, and what judges them',
    access: 'queue-board',
    result: problemsPageSchema,
    handle: async (_, context) => ({ items: await queueOf(context).problems() }),
  }),
  jsonRoute({
    name: 'judge-work',
    method: 'POST',
    path: '/api/judge/work',
    summary: 'For workers without database access: lease, renew, answer, give back',
    access: 'queue-work',
    body: { schema: workRequestSchema, limits: BODY, mayWait: true },
    result: workAnswerSchema,
    handle: ({ body }, context) => queueOf(context).work(body),
  }),
  jsonRoute({
    name: 'judgement',
    method: 'GET',
    path: '/api/judge/{id}',
    summary: 'The state of a submission',
    access: 'queue-read',
    params: submissionParams,
    query: waitSchema,
    result: submissionAnswerSchema,
    statuses: ANSWERS,
    status: statusOf,
    handle: async ({ params, query, caller }, context) => {
      const queue = queueOf(context);
      // Whose it is is known before anybody waits.
      const now = await queue.wait(params.id, 0);
      if (now === undefined || !maySee(caller, now.tenant)) throw noSubmission();
      return now.isFinished ? now.answer : (await queue.wait(params.id, query.wait_s))!.answer;
    },
  }),
  jsonRoute({
    name: 'judged-sources',
    method: 'GET',
    path: '/api/judge/{id}/sources',
    summary: 'The files of a submission, for its own tenant',
    access: 'queue-read',
    params: submissionParams,
    result: sourcesSchema,
    handle: async ({ params, caller }, context) => {
      const found = await queueOf(context).sources(params.id);
      if (found === undefined || !maySee(caller, found.tenant)) throw noSubmission();
      if (Object.keys(found.files).length === 0) {
        throw new HttpProblem(404, 'The sources of this submission were removed.');
      }
      return { id: params.id, files: found.files };
    },
  }),
  jsonRoute({
    name: 'judge-cancel',
    method: 'POST',
    path: '/api/judge/{id}/cancel',
    summary: 'Removes a waiting submission from the queue',
    access: 'queue-submit',
    params: submissionParams,
    result: z.object({ id: z.string(), cancelled: z.boolean() }),
    handle: async ({ params, caller }, context) => {
      const queue = queueOf(context);
      const found = await queue.wait(params.id, 0);
      if (found === undefined || !maySee(caller, found.tenant)) throw noSubmission();
      return { id: params.id, cancelled: await queue.cancel(params.id) };
    },
  }),
  jsonRoute({
    name: 'leaderboard',
    method: 'GET',
    path: '/api/leaderboard',
    summary: 'Candidates of a problem by speed-up, with ranks; no sources',
    access: 'queue-board',
    query: z.strictObject({
      problem: z.string().min(1).max(200),
      device_class: z.string().min(1).max(300).optional(),
    }),
    result: leaderboardSchema,
    handle: async ({ query }, context) => {
      const board = await queueOf(context).leaderboard(query.problem, query.device_class);
      if (board === undefined) throw new HttpProblem(404, 'The queue does not offer this problem.');
      return board;
    },
  }),
];

function queueOf({ queue }: Context) {
  if (queue === undefined) throw withoutQueue();
  return queue;
}

export function withoutQueue(): HttpProblem {
  return new HttpProblem(404, 'This server does not judge candidates.', { hint: 'Start it with --judge.' });
}

function callerOf(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new Error('a queue route was called without a caller');
  return caller;
}

/** Others' submissions are not there, rather than forbidden: an id tells nothing. */
function maySee(caller: Caller | undefined, tenant: string): boolean {
  const { tenant: own, roles } = callerOf(caller);
  return own === tenant || roles.includes('admin');
}

function noSubmission(): HttpProblem {
  return new HttpProblem(404, 'There is no such submission.');
}

function refusal({ limit, message, hint, wait_s }: Refusal): HttpProblem {
  const status = REFUSAL_STATUS[limit];
  return status === 429 ? tooMany(message, wait_s ?? 1) : new HttpProblem(status, message, { hint });
}
