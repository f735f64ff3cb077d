import type { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { parseAsk } from './api/parse-ask.ts';
import { isOfQueue, type Context, type Route } from './api/route.ts';
import { httpApp, problemHandler, type HttpContext, type HttpEnv, type Middleware } from './http/http-app.ts';
import { HttpProblem, tooMany } from './http/http-problem.ts';
import type { Metrics } from './http/metrics.ts';
import { accepts } from './http/negotiate.ts';
import { packed } from './http/packed.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { securityHeaders } from './http/security-headers.ts';
import { REVALIDATED } from './http/static-files.ts';
import { addPages, type PagesOptions } from './pages.ts';

export interface AppOptions extends PagesOptions {
  readonly routes: readonly Route[];
  readonly context: Context;
  readonly admission: Middleware;
  readonly uploads: RateLimiter;
  readonly now: () => Date;
  readonly onBug: (error: unknown) => void;
}

const LONGEST_ADDRESS = 4096;
/** Bodies are held whole while they are checked: so many at once, or memory is anybody's to fill. */
const MOST_UPLOADS = 4;
/** Candidates are small, and many come at once. */
const MOST_SUBMISSIONS = 32;
const TOO_MANY_UPLOADS = 'Too many requests at once.';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Answers every request: refuses what may not be asked, then routes, pages and files. */
export function serveApp(options: AppOptions): Hono<HttpEnv> {
  const { routes, context, admission, now } = options;
  const app = httpApp(problemHandler(options.onBug));
  app.use(measured(context.metrics), securityHeaders, packed);
  app.use(async (c, next) => {
    if (c.env.incoming.url!.length > LONGEST_ADDRESS) throw new HttpProblem(414, 'The address is too long.');
    await next();
    if (context.isStopping()) c.res.headers.set('connection', 'close');
  });
  app.use(admission);
  app.use(async (c, next) => {
    if (!METHODS.has(c.req.method)) throw new HttpProblem(501, 'This server does not know that method.');
    c.set('now', now());
    await next();
  });
  const limited = limitedUploads(options.uploads);
  const submissions = new BodySlots(MOST_SUBMISSIONS);
  for (const path of new Set(routes.map((route) => route.path))) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const here = routes.filter((route) => route.path === path);
    for (const route of here) {
      app.on(route.method, pattern, checked(route, options));
      if (route.body !== undefined && route.body.mayWait !== true) app.on(route.method, pattern, limited);
      if (isRevalidated(route)) app.on(route.method, pattern, etag({ weak: true }));
      app.on(route.method, pattern, (c) => give(c, route, context, submissions));
    }
    const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = [...methods, 'OPTIONS'].join(', ');
    app.options(pattern, (c) => c.body(null, 204, { allow }));
    app.all(pattern, () => {
      throw new HttpProblem(405, `Here one may ${allow}.`, { headers: { allow } });
    });
  }
  addPages(app, options);
  return app;
}

function measured(metrics: Metrics): Middleware {
  return async (c, next) => {
    const started_ms = performance.now();
    const { outgoing } = c.env;
    metrics.inFlight += 1;
    c.set('route', 'other');
    outgoing.once('close', () => {
      metrics.inFlight -= 1;
      const method = METHODS.has(c.req.method) ? c.req.method : 'other';
      const seconds = (performance.now() - started_ms) / 1000;
      metrics.request(c.get('route'), method, outgoing.statusCode, seconds);
    });
    await next();
  };
}

/** Who may ask, and in which form. */
function checked(route: Route, { access }: AppOptions): Middleware {
  return async (c, next) => {
    c.set('route', route.path);
    if (isOfQueue(route.access)) c.set('caller', await access.requireCaller(route.access, c));
    else access.require(route.access, c);
    if (!accepts(c.req.header('accept'), route.answer.type)) {
      throw new HttpProblem(406, `This is answered in ${route.answer.type} only.`);
    }
    await next();
  };
}

function limitedUploads(uploads: RateLimiter): Middleware {
  const slots = new BodySlots(MOST_UPLOADS);
  return async (c, next) => {
    const wait_s = uploads.take(c.get('client'));
    if (wait_s !== undefined) throw tooMany(TOO_MANY_UPLOADS, wait_s);
    await slots.hold(() => next());
  };
}

/** So many bodies are held at a time; who comes when all are taken comes again. */
class BodySlots {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free === 0) throw tooMany(TOO_MANY_UPLOADS, 1);
    this.#free -= 1;
    try {
      return await work();
    } finally {
      this.#free += 1;
    }
  }
}

function isRevalidated({ method, access, answer }: Route): boolean {
  // What a token of a tenant shows must not be cached.
  return method === 'GET' && access === 'read' && answer.type === 'application/json';
}

async function give(
  c: HttpContext,
  route: Route,
  context: Context,
  submissions: BodySlots,
): Promise<Response> {
  const { answer, body } = route;
  const ask =
    body?.mayWait === true ? await submissions.hold(() => parseAsk(c, route)) : await parseAsk(c, route);
  switch (answer.type) {
    case 'application/json': {
      const { status, value } = await answer.give(ask, context);
      return c.body(`${JSON.stringify(value)}\n`, status as ContentfulStatusCode, {
        'content-type': 'application/json; charset=utf-8',
        ...(isRevalidated(route) ? { 'cache-control': REVALIDATED } : {}),
        ...(isOfQueue(route.access) ? { 'cache-control': 'no-store' } : {}),
      });
    }
    case 'text/plain':
      return c.body(answer.give(context), 200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      });
    case 'text/event-stream': {
      const stream = answer.open(
        {
          client: c.get('client'),
          lastId: c.req.header('last-event-id'),
          drop: () => c.env.outgoing.destroy(),
        },
        context,
      );
      const isHead = c.req.method === 'HEAD';
      if (isHead) await stream.cancel();
      return c.newResponse(isHead ? null : stream, 200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        // A client that comes back right after the end must not find a server that stops.
        connection: 'close',
      });
    }
  }
}
