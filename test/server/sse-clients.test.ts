import { describe, expect, it } from 'vitest';

import { SseClients } from '../../src/server/api/sse-clients.ts';

const LINE = `data: ${'x'.repeat(1000)}\n\n`;

describe('a stream of events', () => {
  function open(clients: SseClients) {
    const seen: { drops: number; stops: number; send: (line: string) => void } = {
      drops: 0,
      stops: 0,
      send: () => undefined,
    };
    const stream = clients.open({
      client: 'a',
      drop: () => {
        seen.drops += 1;
      },
      listen: async (send) => {
        seen.send = send;
        return () => {
          seen.stops += 1;
        };
      },
    });
    return { seen, stream };
  }

  it('is dropped, with its listener, where its client reads nothing', async () => {
    const clients = new SseClients();
    const { seen } = open(clients);
    await Promise.resolve();
    for (let count = 0; count < 1000; count += 1) seen.send(LINE);
    expect(seen).toMatchObject({ drops: 0, stops: 0 });
    for (let count = 0; count < 1000; count += 1) seen.send(LINE);
    expect(seen).toMatchObject({ drops: 1, stops: 1 });
    expect(clients.size).toBe(0);
  });

  it('goes on where its client reads', async () => {
    const clients = new SseClients();
    const { seen, stream } = open(clients);
    const reader = stream.getReader();
    for (let count = 0; count < 3000; count += 1) {
      await reader.read();
      seen.send(LINE);
    }
    expect(seen).toMatchObject({ drops: 0, stops: 0 });
    expect(clients.size).toBe(1);
    await reader.cancel();
    expect(seen.stops).toBe(1);
    expect(clients.size).toBe(0);
  });
});
