import { randomUUID } from 'node:crypto';

import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  used_ms: number;
}

/** Each holds a few kilobytes; a team's assistants are fewer. */
const MOST_SESSIONS = 64;
const IDLE_MS = 60 * 60_000;
const LOOK_EVERY_MS = 60_000;

/**
 * Clients of protocol revisions before 2026 hold a session, in which they also cancel calls. There are so many at a
 * time: the one that was quiet for longest makes room, and its client starts another.
 */
export class HttpSessions {
  readonly #create: () => McpServer;
  readonly #now_ms: () => number;
  readonly #limit_bytes: number;
  /** In order of last use. */
  readonly #sessions = new Map<string, Session>();
  readonly #timer: NodeJS.Timeout;

  constructor(create: () => McpServer, limit_bytes: number, now_ms: () => number) {
    this.#create = create;
    this.#limit_bytes = limit_bytes;
    this.#now_ms = now_ms;
    this.#timer = setInterval(() => this.#endIdle(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#open(request);
    const session = this.#sessions.get(id);
    if (session === undefined) return unknownSession();
    session.used_ms = this.#now_ms();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  /** Only an `initialize` makes a session of it; anything else the transport refuses. */
  async #open(request: Request): Promise<Response> {
    const server = this.#create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: this.#limit_bytes,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { server, transport, used_ms: this.#now_ms() });
        const oldest = this.#sessions.keys().next().value;
        if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) void this.#end(oldest);
      },
      onsessionclosed: (id) => void this.#end(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #endIdle(): void {
    for (const [id, { used_ms }] of this.#sessions) {
      if (this.#now_ms() - used_ms > IDLE_MS) void this.#end(id);
    }
  }

  /** Aborts the calls under way in it. */
  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

function unknownSession(): Response {
  const error = { code: -32001, message: 'Unknown session: initialize a new one.' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
