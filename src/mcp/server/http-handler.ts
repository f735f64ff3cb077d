import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';

import { createServer, type ServerSetup } from './create-server.ts';
import { HttpSessions } from './http-sessions.ts';

/** As over standard input. */
export const MOST_BODY_BYTES = 1024 * 1024;

export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  /** Ends every session, and waits for the calls under way. */
  close(): Promise<void>;
}

/** MCP over HTTP for clients of either era. Who may ask is decided before. */
export function httpHandler(
  setup: Omit<ServerSetup, 'signal' | 'underWay'>,
  { now_ms, log }: { readonly now_ms: () => number; readonly log: (message: string) => void },
): HttpHandler {
  const ending = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const create = () => createServer({ ...setup, signal: ending.signal, underWay });
  const modern = createMcpHandler(create, {
    legacy: 'reject',
    // A call that takes minutes must be heard of meanwhile, or something on the way closes the connection.
    responseMode: 'sse',
    maxRequestBodySize: MOST_BODY_BYTES,
    onerror: (error) => log(error.message),
  });
  const sessions = new HttpSessions(create, MOST_BODY_BYTES, now_ms);
  return {
    async fetch(request) {
      const limits = { maxRequestBodySize: MOST_BODY_BYTES };
      const isLegacy = await isLegacyRequest(request, undefined, limits);
      return isLegacy ? sessions.fetch(request) : modern.fetch(request);
    },
    async close() {
      ending.abort();
      await Promise.all([modern.close(), sessions.close()]);
      await Promise.allSettled(underWay);
    },
  };
}
