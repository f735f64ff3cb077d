/** Open streams cost a connection each; a browser has at most six to one server. */
const MOST_CLIENTS = 100;
const MOST_PER_CLIENT = 12;
/** Proxies close what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** A client that does not read what it is sent is dropped; it connects again and is told what it missed. */
const MOST_WAITING_BYTES = 2 ** 20;

interface StreamOptions {
  readonly client: string;
  readonly drop: () => void;
  /** Starts to send events. Returns how to stop. */
  readonly listen: (send: (text: string) => void) => Promise<() => void>;
}

/** The streams that are open, so that they stay few and end with the server. */
export class SseClients {
  /** Whose each is, by what ends it. */
  readonly #streams = new Map<(farewell: string) => void, string>();

  get size(): number {
    return this.#streams.size;
  }

  hasRoomFor(client: string): boolean {
    const own = [...this.#streams.values()].filter((one) => one === client).length;
    return this.#streams.size < MOST_CLIENTS && own < MOST_PER_CLIENT;
  }

  open({ client, drop, listen }: StreamOptions): ReadableStream<Uint8Array> {
    let stop: (() => void) | undefined;
    let over = (): void => undefined;
    const start = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      let isOver = false;
      const send = (text: string): void => {
        if (isOver) return;
        controller.enqueue(Buffer.from(text));
        if (controller.desiredSize! > 0) return;
        over();
        drop();
      };
      const end = (farewell: string): void => {
        send(farewell);
        if (isOver) return;
        over();
        controller.close();
      };
      const beat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
      over = () => {
        isOver = true;
        clearInterval(beat);
        this.#streams.delete(end);
        stop?.();
      };
      this.#streams.set(end, client);
      send('retry: 2000\n\n');
      stop = await listen(send);
      // It may have ended meanwhile.
      if (isOver) stop();
    };
    return new ReadableStream(
      { start, cancel: () => over() },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    );
  }

  /** Clients connect again by themselves, after a while that lets a new server start. */
  endAll(): void {
    for (const end of this.#streams.keys()) end('event: stopping\nretry: 5000\ndata: {}\n\n');
  }
}
