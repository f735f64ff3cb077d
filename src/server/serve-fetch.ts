/** A listening door for a handler that speaks the web's own Request and Response: `pawl mcp --http`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Admission } from './http/admission.ts';
import { answerClientError } from './http/client-error.ts';
import { Connections } from './http/connections.ts';
import { HttpProblem, problemOf, tooMany } from './http/http-problem.ts';
import { isBearer } from './http/is-bearer.ts';
import { aborted, closed, listen } from './http/listening.ts';
import { RateLimiter } from './http/rate-limiter.ts';
import { readBody } from './http/read-body.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';

export interface FetchServerOptions {
  readonly host: string;
  readonly port: number;
  /** The one address that is answered: `/mcp`. */
  readonly path: string;
  /** Addresses under which a proxy shows the server. */
  readonly origins: readonly string[];
  /** Every request has to carry it. */
  readonly token: string;
  readonly mostBodyBytes: number;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly signal: AbortSignal;
  readonly onListening: (address: {
    readonly url: string;
    readonly host: string;
    readonly port: number;
  }) => void;
  /** Ends what is under way, once nothing new is taken. */
  readonly onStopping: () => Promise<void>;
  readonly onBug: (error: unknown) => void;
}

const REQUESTS = { burst: 200, per_s: 50 };
const WRONG_TOKENS = { burst: 10, per_s: 0.1 };
const CONNECTIONS = { perClient: 64, inAll: 200 };
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** Streams send a line every 15 seconds. */
const IDLE_MS = 120_000;
const STOP_GRACE_MS = 5_000;

/** Runs until the signal. */
export async function serveFetch(options: FetchServerOptions): Promise<void> {
  const { host, port, signal } = options;
  const gate = new Gate(options);
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: HEADERS_MS / 2,
      maxHeaderSize: 16_384,
    },
    (request, response) => void answer(request, response, gate, options),
  );
  server.on('clientError', answerClientError);
  new Connections(CONNECTIONS, options.origins.length > 0).watch(server);
  server.setTimeout(IDLE_MS);
  const address = await listen(server, host, port, 'Another --port may be free; --port 0 takes any.');
  const shown = host.includes(':') ? `[${host}]` : host;
  options.onListening({ url: `http://${shown}:${address.port}${options.path}`, host, port: address.port });
  await aborted(signal);
  const ended = closed(server, STOP_GRACE_MS);
  await options.onStopping();
  server.closeAllConnections();
  await ended;
}

/** Who may ask at all: who is admitted, knows the address and has the token. */
class Gate {
  readonly #options: FetchServerOptions;
  readonly #admission: Admission;
  readonly #attempts = new RateLimiter(WRONG_TOKENS, () => performance.now());

  constructor(options: FetchServerOptions) {
    this.#options = options;
    const requests = new RateLimiter(REQUESTS, () => performance.now());
    this.#admission = new Admission({ ...options, requests });
  }

  /** @throws {HttpProblem} where this request may not */
  admit(request: IncomingMessage): void {
    const { token, path } = this.#options;
    const client = this.#admission.admit(request);
    const { authorization } = request.headers;
    if ((request.url ?? '').split('?', 1)[0] !== path) {
      throw new HttpProblem(404, `There is nothing here but ${path}.`);
    }
    const locked_s = this.#attempts.wait_s(client);
    if (locked_s !== undefined) throw tooMany('Too many wrong tokens.', locked_s);
    if (isBearer(authorization, token)) return;
    if (authorization !== undefined) this.#attempts.take(client);
    throw new HttpProblem(401, 'This needs the token that the server was started with.', {
      headers: { 'www-authenticate': 'Bearer realm="pawl"' },
    });
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  gate: Gate,
  { fetch, mostBodyBytes, onBug }: FetchServerOptions,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    gate.admit(request);
    await send(response, await fetch(await webRequest(request, mostBodyBytes, gone.signal)));
  } catch (error) {
    const problem = problemOf(error);
    if (gone.signal.aborted) return;
    if (problem.status === 500) onBug(error);
    // An answer that has begun cannot become another.
    if (response.headersSent) response.destroy();
    else refuse(request, response, problem);
  }
}

async function webRequest(
  request: IncomingMessage,
  limit_bytes: number,
  signal: AbortSignal,
): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = request;
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) given.set(name, String(value));
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await readBody(request, limit_bytes) : undefined;
  if (body === 'too-large') throw new HttpProblem(413, `A message may have ${limit_bytes} bytes.`);
  if (body === 'cut-off') throw new HttpProblem(400, 'The body was cut off.');
  // Where it was sent to plays no part: the gate has looked at it.
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: given,
    signal,
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  });
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  headers.forEach((value, name) => response.setHeader(name, value));
  response.setHeader('cache-control', 'no-store');
  response.writeHead(status);
  if (body === null) response.end();
  else {
    response.flushHeaders();
    await pipeline(Readable.fromWeb(body as never), response);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: HttpProblem): void {
  // What was not read of a body would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  const body = `${JSON.stringify(problem.body)}\n`;
  response.writeHead(problem.status, {
    ...problem.headers,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
