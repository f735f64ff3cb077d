import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { builtAhead } from '../../../src/workflows/judge/built-ahead.ts';
import { readyTogether } from '../../../src/workflows/judge/ready-together.ts';

async function* counted(most: number, onRead: (at: number) => void = () => undefined) {
  for (let at = 0; at < most; at++) {
    onRead(at);
    await wait(0);
    yield at;
  }
}

/** Lines that somebody writes one by one, after the first, when told to. */
function written() {
  const lines = new TransformStream<number, number>();
  const writer = lines.writable.getWriter();
  return { items: lines.readable, write: (at: number) => void writer.write(at), end: () => writer.close() };
}

describe('what is built ahead', () => {
  const AHEAD = { parallel: 2, waiting: 2 };

  it('is handed on while the next item has not come', async () => {
    const { items, write, end } = written();
    const built = builtAhead(items, (at) => Promise.resolve(10 * at), AHEAD);
    for (const at of [1, 2, 3]) {
      write(at);
      const { value } = await built.next();
      expect(value).toEqual({ item: at, result: { status: 'fulfilled', value: 10 * at } });
    }
    const last = built.next();
    await end();
    expect((await last).done).toBe(true);
  });

  it('is worked on side by side, reads no more than may wait, and keeps failures', async () => {
    let [running, most, read] = [0, 0, 0];
    const work = async (at: number): Promise<number> => {
      most = Math.max(most, ++running);
      await wait(5);
      running -= 1;
      if (at === 3) throw new Error('the fourth');
      return at;
    };
    const found: unknown[] = [];
    const items = counted(9, () => (read += 1));
    for await (const { item, result } of builtAhead(items, work, AHEAD)) {
      expect(read).toBeLessThanOrEqual(found.length + AHEAD.parallel + AHEAD.waiting + 1);
      found.push(result.status === 'fulfilled' ? result.value : `${item} failed`);
      await wait(10);
    }
    expect(new Set(found)).toEqual(new Set([0, 1, 2, '3 failed', 4, 5, 6, 7, 8]));
    expect(most).toBe(2);
  });

  it('ends with the failure of what is read', async () => {
    async function* failing() {
      yield* counted(1);
      throw new Error('cannot be read');
    }
    const all = async () => {
      const found = [];
      for await (const one of builtAhead(failing(), (at) => Promise.resolve(at), AHEAD)) {
        found.push(one);
        await wait(20);
      }
      return found;
    };
    await expect(all()).rejects.toThrow('cannot be read');
  });
});

describe('what is ready together', () => {
  it('is one group, of no more than were asked for, and nothing is waited for', async () => {
    const { items, write, end } = written();
    const built = builtAhead(items, (at) => Promise.resolve(at), { parallel: 2, waiting: 8 });
    const groups: number[][] = [];
    write(0);
    const all = (async () => {
      for await (const group of readyTogether(built, 3)) {
        groups.push(group.map(({ item }) => item));
        // Those that come meanwhile are ready afterwards.
        if (groups.length === 1) for (const at of [1, 2, 3, 4]) write(at);
        await wait(50);
        if (groups.length === 2) await end();
      }
    })();
    await all;
    expect(groups).toEqual([[0], [1, 2, 3], [4]]);
  });
});
