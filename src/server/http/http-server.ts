import { createServer, type Server } from 'node:http';

import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';

import { answerClientError } from './client-error.ts';
import type { Connections } from './connections.ts';
import type { HttpEnv } from './http-app.ts';
import { HttpProblem, problemOf } from './http-problem.ts';

export interface Timeouts {
  readonly headers_ms: number;
  readonly request_ms: number;
  /** Of a connection on which nothing moves. */
  readonly idle_ms: number;
}

const MOST_HEADER_BYTES = 16_384;
const MOST_HEADERS = 100;
const KEEP_ALIVE_MS = 10_000;

/** A server for an application, with limits on connections, headers and time. It does not listen yet. */
export function httpServer(app: Hono<HttpEnv>, timeouts: Timeouts, connections: Connections): Server {
  const { headers_ms, request_ms, idle_ms } = timeouts;
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    // Stands in for a `Host` that is missing; admission looks at what was sent.
    hostname: 'localhost',
    errorHandler: (error) => {
      const isMalformed = error instanceof RequestError;
      return (
        isMalformed ? new HttpProblem(400, 'This is not an HTTP request.') : problemOf(error)
      ).toResponse();
    },
  });
  const server = createServer(
    {
      headersTimeout: headers_ms,
      requestTimeout: request_ms,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
      connectionsCheckingInterval: Math.min(5000, headers_ms / 2),
    },
    (request, response) => void answer(request, response),
  );
  server.on('clientError', answerClientError);
  server.maxHeadersCount = MOST_HEADERS;
  server.setTimeout(idle_ms);
  connections.watch(server);
  return server;
}
