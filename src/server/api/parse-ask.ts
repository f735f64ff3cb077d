import type { z } from 'zod';

import type { HttpContext } from '../http/http-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { jsonBody } from '../http/json-body.ts';
import type { Ask, Route } from './route.ts';

/** Everything of a request that a route may look at, checked against its schemas. */
export async function parseAsk(
  c: HttpContext,
  { params, query, body }: Route,
): Promise<Ask<unknown, unknown, unknown>> {
  return {
    params: params === undefined ? {} : checkedParams(c, params),
    query: checkedQuery(query, new URL(c.req.url).searchParams),
    body: body === undefined ? undefined : checked(body.schema, await jsonBody(c, body.limits), 'body', 422),
    now: c.get('now'),
    caller: c.get('caller'),
  };
}

function checkedParams(c: HttpContext, schema: z.ZodObject): unknown {
  try {
    // Hono leaves what it cannot decode as it is.
    decodeURIComponent(c.req.path);
  } catch {
    throw new HttpProblem(400, 'The address is not encoded in UTF-8.');
  }
  return checked(schema, c.req.param(), 'address', 404);
}

function checkedQuery(schema: z.ZodObject | undefined, sent: URLSearchParams): unknown {
  const query: Record<string, string> = {};
  for (const [name, value] of sent) {
    // Not by assignment alone: `__proto__` is a name like any other.
    if (Object.hasOwn(query, name)) throw new HttpProblem(400, `"${short(name)}" is given twice.`);
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  if (schema === undefined) {
    const [first] = Object.keys(query);
    if (first !== undefined) throw new HttpProblem(400, `Unknown parameter "${short(first)}".`);
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
