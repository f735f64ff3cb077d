/** A listening door for a handler that speaks the web's own Request and Response: `pawl mcp --http`. */
import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { admission } from './http/admission.ts';
import { Connections } from './http/connections.ts';
import { httpApp, problemHandler, type HttpEnv, type Middleware } from './http/http-app.ts';
import { HttpProblem, tooMany } from './http/http-problem.ts';
import { httpServer } from './http/http-server.ts';
import { isBearer } from './http/is-bearer.ts';
import { aborted, closed, listen, type Address } from './http/listening.ts';
import { RateLimiter } from './http/rate-limiter.ts';
import { securityHeaders } from './http/security-headers.ts';

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
  readonly onListening: (address: Address) => void;
  /** Ends what is under way, once nothing new is taken. */
  readonly onStopping: () => Promise<void>;
  readonly onBug: (error: unknown) => void;
}

const REQUESTS = { burst: 200, per_s: 50 };
const WRONG_TOKENS = { burst: 10, per_s: 0.1 };
const CONNECTIONS = { perClient: 64, inAll: 200 };
/** Streams send a line every 15 seconds. */
const TIMEOUTS = { headers_ms: 10_000, request_ms: 60_000, idle_ms: 120_000 };
const STOP_GRACE_MS = 5_000;

/** Runs until the signal. */
export async function serveFetch(options: FetchServerOptions): Promise<void> {
  const { host, port, path, signal } = options;
  const connections = new Connections(CONNECTIONS, options.origins.length > 0);
  const server = httpServer(fetchApp(options), TIMEOUTS, connections);
  const address = await listen(server, host, port, 'Another --port may be free; --port 0 takes any.');
  options.onListening({ ...address, url: `${address.url}${path}` });
  await aborted(signal);
  const ended = closed(server, STOP_GRACE_MS);
  await options.onStopping();
  server.closeAllConnections();
  await ended;
}

/** Lets in who is admitted, knows the address and has the token. */
function fetchApp({
  path,
  token,
  mostBodyBytes,
  fetch,
  onBug,
  ...options
}: FetchServerOptions): Hono<HttpEnv> {
  const app = httpApp(
    // What breaks because its client went away is not a bug.
    problemHandler((error, c) => {
      if (!c.req.raw.signal.aborted) onBug(error);
    }),
  );
  const requests = new RateLimiter(REQUESTS, () => performance.now());
  app.use(securityHeaders, admission({ ...options, requests }));
  app.use(path, withToken(token));
  app.use(
    path,
    bodyLimit({
      maxSize: mostBodyBytes,
      onError: () => {
        throw new HttpProblem(413, `A message may have ${mostBodyBytes} bytes.`);
      },
    }),
  );
  app.all(path, async (c) => {
    const response = await fetch(c.req.raw);
    response.headers.set('cache-control', 'no-store');
    return response;
  });
  return app.notFound(() => {
    throw new HttpProblem(404, `There is nothing here but ${path}.`);
  });
}

function withToken(token: string): Middleware {
  const attempts = new RateLimiter(WRONG_TOKENS, () => performance.now());
  return async (c, next) => {
    const client = c.get('client');
    const authorization = c.req.header('authorization');
    const locked_s = attempts.wait_s(client);
    if (locked_s !== undefined) throw tooMany('Too many wrong tokens.', locked_s);
    if (!isBearer(authorization, token)) {
      if (authorization !== undefined) attempts.take(client);
      throw new HttpProblem(401, 'This needs the token that the server was started with.', {
        headers: { 'www-authenticate': 'Bearer realm="pawl"' },
      });
    }
    await next();
  };
}
