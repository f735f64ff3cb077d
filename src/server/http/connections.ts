import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { isLoopbackName } from './allowed-hosts.ts';
import { subscriberOf } from './client-of.ts';

export interface ConnectionLimits {
  readonly perClient: number;
  readonly inAll: number;
}

interface Connection {
  readonly client: string;
  /** Counts connections and requests: the lowest number was quiet for longest. */
  used: number;
  request?: IncomingMessage;
  response?: ServerResponse;
}

/**
 * Bounds the open connections of a server, per client address and in all. At a limit the new connection is taken and
 * the oldest one that still waits for its request is cut: half-open connections cannot keep a client out, not even a
 * client that shares the address with the one that opens them.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #isBehindProxy: boolean;
  readonly #open = new Map<Socket, Connection>();
  #uses = 0;
  #cuts = 0;

  /** @param isBehindProxy whether connections of this machine are those of a proxy, and so of many clients */
  constructor(limits: ConnectionLimits, isBehindProxy: boolean) {
    this.#limits = limits;
    this.#isBehindProxy = isBehindProxy;
  }

  get size(): number {
    return this.#open.size;
  }

  /** How many were cut or refused so far. */
  get cuts(): number {
    return this.#cuts;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket));
    server.on('request', (request, response) => {
      const connection = this.#open.get(request.socket);
      if (connection === undefined) return;
      this.#uses += 1;
      Object.assign(connection, { request, response, used: this.#uses });
    });
  }

  #add(socket: Socket): void {
    const client = subscriberOf(socket.remoteAddress ?? 'unknown');
    if (!this.#makeRoom(client)) {
      this.#cut(socket);
      return;
    }
    this.#uses += 1;
    this.#open.set(socket, { client, used: this.#uses });
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Whether the client may have one more connection, now that others may have been cut for it. */
  #makeRoom(client: string): boolean {
    const { perClient, inAll } = this.#limits;
    const isShared = this.#isBehindProxy && isLoopbackName(client);
    if (!isShared && this.#held(client).length >= perClient && !this.#cutOldestWaiting(client)) return false;
    return this.#open.size < inAll || this.#cutOldestWaiting(this.#greediest());
  }

  #held(client: string): [Socket, Connection][] {
    return [...this.#open].filter(([, connection]) => connection.client === client);
  }

  /** The client with the most connections that wait: under pressure, who holds most gives way first. */
  #greediest(): string {
    const counts = new Map<string, number>();
    for (const connection of this.#open.values()) {
      if (isWaiting(connection)) counts.set(connection.client, (counts.get(connection.client) ?? 0) + 1);
    }
    return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as const)[0];
  }

  #cutOldestWaiting(client: string): boolean {
    const oldest = this.#held(client)
      .filter(([, connection]) => isWaiting(connection))
      .reduce<[Socket, Connection] | undefined>(
        (first, one) => (first === undefined || one[1].used < first[1].used ? one : first),
        undefined,
      );
    if (oldest === undefined) return false;
    this.#cut(oldest[0]);
    return true;
  }

  #cut(socket: Socket): void {
    this.#cuts += 1;
    // Now, not when it has closed: the next connection may come before that.
    this.#open.delete(socket);
    socket.destroy();
  }
}

/** For its first request, for the rest of one, or for the next. */
function isWaiting({ request, response }: Connection): boolean {
  return request?.complete !== true || response?.writableFinished !== false;
}
