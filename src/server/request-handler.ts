import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AccessControl } from './access.ts';
import { RouteTable, type Match } from './api/match-route.ts';
import { parseAsk } from './api/parse-ask.ts';
import type { Context, Route } from './api/route.ts';
import type { Admission } from './http/admission.ts';
import { HttpProblem, problemOf, tooMany } from './http/http-problem.ts';
import { accepts } from './http/negotiate.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';
import { send, type Content } from './http/send.ts';
import type { Pages } from './pages.ts';

export interface HandlerOptions {
  readonly routes: readonly Route[];
  readonly context: Context;
  readonly access: AccessControl;
  readonly pages: Pages;
  readonly admission: Admission;
  readonly uploads: RateLimiter;
  readonly now: () => Date;
  readonly onBug: (error: unknown) => void;
}

const LONGEST_ADDRESS = 4096;
/** Bodies are held whole while they are checked: so many at once, or memory is anybody's to fill. */
const MOST_UPLOADS = 4;
const TOO_MANY_UPLOADS = 'Too many requests at once.';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Answers every request: refuses what may not be asked, then routes, pages and files. */
export class RequestHandler {
  readonly #options: HandlerOptions;
  readonly #table: RouteTable;
  #uploads = 0;

  constructor(options: HandlerOptions) {
    this.#options = options;
    this.#table = new RouteTable(options.routes);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { metrics, isStopping } = this.#options.context;
    const started_ms = performance.now();
    let route = 'other';
    metrics.inFlight += 1;
    response.once('close', () => {
      metrics.inFlight -= 1;
      const method = METHODS.has(request.method ?? '') ? request.method! : 'other';
      metrics.request(route, method, response.statusCode, (performance.now() - started_ms) / 1000);
    });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (isStopping()) response.setHeader('connection', 'close');
    try {
      await this.#answer(request, response, (name) => {
        route = name;
      });
    } catch (error) {
      await this.#refuse(request, response, error);
    }
  }

  async #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): Promise<void> {
    const problem = problemOf(error);
    if (problem.status === 500) this.#options.onBug(error);
    // An answer that has begun cannot become another.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const name of ['content-encoding', 'etag']) response.removeHeader(name);
    await send(request, response, {
      status: problem.status,
      type: 'application/problem+json',
      body: Buffer.from(`${JSON.stringify(problem.body)}\n`),
      headers: problem.headers,
    });
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    routed: (name: string) => void,
  ): Promise<void> {
    const { access, admission, pages, now: clock } = this.#options;
    const { path, search } = addressOf(request);
    const client = admission.admit(request);
    const method = request.method ?? '';
    if (!METHODS.has(method)) throw new HttpProblem(501, 'This server does not know that method.');
    const match = this.#table.match(method, path);
    const now = clock();
    if (match === undefined) {
      if (method === 'OPTIONS') throw new HttpProblem(404, 'There is nothing under this address.');
      routed('page');
      await send(request, response, await pages.answer({ request, path, client, now }));
      return;
    }
    if ('allow' in match) {
      const headers = { allow: match.allow.join(', ') };
      if (method !== 'OPTIONS') throw new HttpProblem(405, `Here one may ${headers.allow}.`, { headers });
      response.writeHead(204, headers).end();
      return;
    }
    const { route } = match;
    routed(route.path);
    access.require(route.access, request, client, now);
    if (!accepts(request.headers.accept, route.answer.type)) {
      throw new HttpProblem(406, `This is answered in ${route.answer.type} only.`);
    }
    if (route.body === undefined) await this.#give(request, response, match, { search, now, client });
    else await this.#take(client, () => this.#give(request, response, match, { search, now, client }));
  }

  async #take(client: string, action: () => Promise<void>): Promise<void> {
    const wait_s = this.#options.uploads.take(client);
    if (wait_s !== undefined) throw tooMany(TOO_MANY_UPLOADS, wait_s);
    if (this.#uploads >= MOST_UPLOADS) throw tooMany(TOO_MANY_UPLOADS, 1);
    this.#uploads += 1;
    try {
      await action();
    } finally {
      this.#uploads -= 1;
    }
  }

  async #give(
    request: IncomingMessage,
    response: ServerResponse,
    match: Match,
    { search, now, client }: { readonly search: string; readonly now: Date; readonly client: string },
  ): Promise<void> {
    const { context } = this.#options;
    const { answer, method } = match.route;
    const ask = await parseAsk(request, match, search, now);
    switch (answer.type) {
      case 'application/json': {
        const { status, value } = await answer.give(ask, context);
        const body = Buffer.from(`${JSON.stringify(value)}\n`);
        const isRevalidated = method === 'GET' && match.route.access !== 'open';
        await send(request, response, { status, type: JSON_TYPE, body, revalidated: isRevalidated });
        return;
      }
      case 'text/plain':
        await send(request, response, textContent(answer.give(context)));
        return;
      case 'text/event-stream':
        await answer.open({ request, response, client }, context);
        return;
    }
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

function textContent(text: string): Content {
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: Buffer.from(text) };
}

/** Path and query as they were sent; nothing is resolved or decoded, so `..` is a name that no file has. */
function addressOf({ url = '' }: IncomingMessage): { readonly path: string; readonly search: string } {
  if (url.length > LONGEST_ADDRESS) throw new HttpProblem(414, 'The address is too long.');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  // `*` and whole addresses are for proxies.
  if (!path.startsWith('/')) throw new HttpProblem(400, 'The address is no path.');
  return { path, search: mark < 0 ? '' : url.slice(mark + 1) };
}
