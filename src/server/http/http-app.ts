import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context, type ErrorHandler, type MiddlewareHandler } from 'hono';

import type { Caller } from '../../workflows/serve/queue-service.ts';
import { HttpProblem, problemOf } from './http-problem.ts';

/** What is known of a request besides the request itself. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Whom limits count for. */
    client: string;
    now: Date;
    /** Whose token it is, on routes of the queue. */
    caller: Caller | undefined;
    /** The pattern that matched, for metrics. */
    route: string;
  };
}

export type HttpContext = Context<HttpEnv>;
export type Middleware = MiddlewareHandler<HttpEnv>;

/** An application without routes. It never decodes or resolves a path, so `..` is a name that no route has. */
export function httpApp(onError: ErrorHandler<HttpEnv>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ getPath: pathAsSent });
  return app.onError(onError).use(closeUnread);
}

/** Answers errors as problems (RFC 9457). */
export function problemHandler(onBug: (error: unknown, c: HttpContext) => void): ErrorHandler<HttpEnv> {
  return (error, c) => {
    const problem = problemOf(error);
    if (problem.status === 500) onBug(error, c);
    return problem.toResponse();
  };
}

function pathAsSent(_: Request, options?: { readonly env?: HttpBindings }): string {
  const path = options?.env?.incoming.url?.split('?', 1)[0] ?? '';
  // Whole addresses are for proxies.
  if (!path.startsWith('/')) throw new HttpProblem(400, 'The address is not a path.');
  return path;
}

/** The rest of a body that was not read would be taken for the next request. */
const closeUnread: Middleware = async (c, next) => {
  await next();
  if (!c.env.incoming.complete) c.res.headers.set('connection', 'close');
};
