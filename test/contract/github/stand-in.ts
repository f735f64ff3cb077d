/** A stateful GitHub of one repository, in this process (README.md). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ROUTES, type Answer, type Route, type Scope } from './routes.ts';
import type { GitHubState, User } from './state.ts';

export type { Artifact, Pull, WorkflowRun } from './state.ts';

/** Whom a workflow's own token acts as. */
const ACTIONS_BOT: User = { login: 'github-actions[bot]', type: 'Bot' };

export const TOKEN = 'ghs_standInToken0123456789';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
  /** What was answered; 0 where the connection was cut instead. */
  status: number;
}

/** Something that goes wrong with the next requests it matches. */
export interface Failure {
  readonly method?: string;
  readonly path?: RegExp;
  /** How many requests; default 1. */
  readonly times?: number;
  /** What is answered instead; absent where the connection is cut. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** `before`: nothing happened yet. `after`: it was done, and only the answer is lost. Default `before`. */
  readonly when?: 'before' | 'after';
}

export interface StandInOptions {
  /** `owner/name`. */
  readonly repository?: string;
  readonly actor?: User;
  readonly now?: () => Date;
}

export class StandIn {
  readonly state: GitHubState;
  readonly requests: RecordedRequest[] = [];
  /** What the token must not do answers 403, as for a fork's token. */
  readonly permissions: Record<Scope, boolean> = {
    comments: true,
    checks: true,
    pulls: true,
    contents: true,
    actions: true,
  };
  actor: User;
  /** What links in answers begin with; the contract proxy puts its own address here. */
  publicUrl = '';
  url = '';
  readonly #failures: (Failure & { left: number })[] = [];
  readonly #now: () => Date;
  #lastId = 1_000_000_000;
  #server: Server | undefined;

  constructor(options: StandInOptions) {
    this.actor = options.actor ?? ACTIONS_BOT;
    this.#now = options.now ?? (() => new Date());
    this.state = emptyState(options.repository ?? 'acme/kernels');
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ message: `stand-in: ${String(error)}` }));
      });
    });
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.publicUrl = this.url;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((done) => {
      this.#server?.close(() => done());
    });
  }

  /** Forgets everything, faults and permissions included: each test begins with an empty repository. */
  reset(): void {
    Object.assign(this.state, emptyState(this.state.repository.full_name));
    Object.assign(this.permissions, {
      comments: true,
      checks: true,
      pulls: true,
      contents: true,
      actions: true,
    });
    this.requests.length = 0;
    this.#failures.length = 0;
    this.actor = ACTIONS_BOT;
  }

  fail(failure: Failure): void {
    this.#failures.push({ ...failure, left: failure.times ?? 1 });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    const text = await bodyText(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { authorization } = request.headers;
    const record: RecordedRequest = {
      method,
      path: decodeURIComponent(url.pathname),
      query: url.search,
      authorization,
      body,
      status: 0,
    };
    this.requests.push(record);
    const blob = /^\/_blobs\/(\d+)$/u.exec(url.pathname)?.[1];
    if (blob !== undefined) {
      record.status = 200;
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.end(this.state.artifacts.find(({ id }) => id === Number(blob))?.zip);
      return;
    }

    const failure = this.#failures.find(
      (each) =>
        each.left > 0 &&
        (each.method ?? method) === method &&
        (each.path === undefined || each.path.test(url.pathname)),
    );
    if (failure !== undefined) failure.left -= 1;
    if (failure?.when === 'after') this.#answer(method, url, body, authorization);
    if (failure !== undefined) {
      if (failure.status === undefined) {
        response.destroy();
        return;
      }
      record.status = failure.status;
      send(response, {
        status: failure.status,
        body: { message: failure.message ?? 'planted failure' },
        headers: failure.headers ?? {},
      });
      return;
    }
    const answer = this.#answer(method, url, body, authorization);
    record.status = answer.status;
    send(response, this.#page(answer, url));
  }

  #answer(method: string, url: URL, body: unknown, authorization: string | undefined): Answer {
    if (!/^(?:Bearer|token) .+/iu.test(authorization ?? '')) {
      return { status: 401, body: { message: 'Requires authentication' } };
    }
    for (const route of ROUTES) {
      const params = route.method === method ? matchPath(route, url.pathname) : undefined;
      if (params === undefined) continue;
      const named = params['owner'] === undefined ? undefined : `${params['owner']}/${params['repo']}`;
      if (named !== undefined && named !== this.state.repository.full_name)
        return { status: 404, body: { message: 'Not Found' } };
      if (route.scope !== undefined && !this.permissions[route.scope]) {
        return { status: 403, body: { message: 'Resource not accessible by integration' } };
      }
      return route.answer({
        params,
        query: url.searchParams,
        body: (body ?? {}) as Record<string, unknown>,
        state: this.state,
        actor: this.actor,
        now: this.#now,
        nextId: () => (this.#lastId += 1),
      });
    }
    return { status: 404, body: { message: `the stand-in has no ${method} ${url.pathname}` } };
  }

  /** GitHub: 30 items a page unless asked, 100 at most, and a link to the next page. */
  #page(answer: Answer, url: URL): Answer {
    if (answer.list === undefined) return answer;
    const perPage = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
    const page = Number(url.searchParams.get('page') ?? 1);
    const items = answer.list.slice((page - 1) * perPage, page * perPage);
    const last = Math.max(1, Math.ceil(answer.list.length / perPage));
    const link = (to: number, rel: string): string => {
      const target = new URL(url.pathname + url.search, this.publicUrl);
      target.searchParams.set('page', String(to));
      return `<${target.href}>; rel="${rel}"`;
    };
    const links = page < last ? [link(page + 1, 'next'), link(last, 'last')] : [];
    return {
      status: answer.status,
      body: answer.wrap === undefined ? items : answer.wrap(items, answer.list.length),
      headers: links.length === 0 ? {} : { link: links.join(', ') },
    };
  }
}

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const standIn = new StandIn(options);
  await standIn.start();
  return standIn;
}

function emptyState(repository: string): GitHubState {
  return {
    repository: { id: 4242, full_name: repository, default_branch: 'main' },
    comments: [],
    checkRuns: [],
    pulls: [],
    runs: [],
    artifacts: [],
    labels: [],
    refs: new Map(),
    files: new Map(),
  };
}

/** `:name` is one part of a path, `*name` all the rest of it. */
function matchPath({ path }: Route, actual: string): Record<string, string> | undefined {
  const [pattern, parts] = [path.split('/'), actual.split('/')];
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    if (expected.startsWith('*')) {
      params[expected.slice(1)] = parts.slice(index).map(decodeURIComponent).join('/');
      return params;
    }
    const part = parts[index];
    if (part === undefined) return undefined;
    if (expected.startsWith(':')) params[expected.slice(1)] = decodeURIComponent(part);
    else if (expected !== part) return undefined;
  }
  return pattern.length === parts.length ? params : undefined;
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4999',
    ...headers,
  });
  response.end(text);
}
