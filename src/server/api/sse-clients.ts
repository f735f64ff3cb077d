import type { ServerResponse } from 'node:http';

/** Open streams cost a connection each; a browser has at most six to one server. */
const MOST_CLIENTS = 100;
const MOST_PER_CLIENT = 12;

/** The streams that are open, so that they stay few and end with the server. */
export class SseClients {
  readonly #streams = new Map<ServerResponse, string>();

  get size(): number {
    return this.#streams.size;
  }

  hasRoomFor(client: string): boolean {
    const own = [...this.#streams.values()].filter((one) => one === client).length;
    return this.#streams.size < MOST_CLIENTS && own < MOST_PER_CLIENT;
  }

  add(response: ServerResponse, client: string): void {
    this.#streams.set(response, client);
    response.once('close', () => this.#streams.delete(response));
  }

  /** Clients connect again by themselves, after a while that lets a new server start. */
  endAll(): void {
    for (const response of this.#streams.keys()) response.end('event: stopping\nretry: 5000\ndata: {}\n\n');
  }
}
