import type { IncomingMessage } from 'node:http';

import type { z } from 'zod';

import { HttpProblem } from '../http/http-problem.ts';
import { jsonBody } from '../http/json-body.ts';
import type { Match } from './match-route.ts';
import type { Ask } from './route.ts';

/** Everything of a request that a route may look at, checked against its schemas. */
export async function parseAsk(
  request: IncomingMessage,
  { route, params }: Match,
  search: string,
  now: Date,
): Promise<Ask<unknown, unknown, unknown>> {
  const { body } = route;
  return {
    params: route.params === undefined ? {} : checked(route.params, params, 'address', 404),
    query: checkedQuery(route.query, search),
    body:
      body === undefined
        ? undefined
        : checked(body.schema, await jsonBody(request, body.limits), 'body', 422),
    now,
    request,
  };
}

function checkedQuery(schema: z.ZodObject | undefined, search: string): unknown {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    // Not by assignment alone: `__proto__` is a name like any other.
    if (Object.hasOwn(query, name)) throw new HttpProblem(400, `«${short(name)}» is said twice.`);
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  if (schema === undefined) {
    const [first] = Object.keys(query);
    if (first !== undefined) throw new HttpProblem(400, `There is no «${short(first)}» to ask for here.`);
    return {};
  }
  return checked(schema, query, 'query', 400);
}

/** So many mistakes are named; the first ones explain the others. */
const MOST_NAMED = 5;

function checked(schema: z.ZodType, value: unknown, where: string, status: number): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  if (status === 404) throw new HttpProblem(404, 'There is nothing under this address.');
  const named = result.error.issues
    .slice(0, MOST_NAMED)
    .map(({ path, message }) => `${short([where, ...path].join('.'))}: ${short(message)}`);
  throw new HttpProblem(status, named.join('; '));
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
