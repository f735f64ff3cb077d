import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { methodSchema } from '../../src/model/learn/gate.ts';
import { sessionsPageSchema } from '../../src/model/history/history-api.ts';
import { lessonsSchema } from '../../src/model/learn/lesson.ts';
import { sessionSchema } from '../../src/model/learn/session.ts';
import { sessionOf } from '../history/session-of.ts';
import { ServeRig } from './serve-rig.ts';

describe('sessions over HTTP', () => {
  let rig: ServeRig;
  const open = sessionOf({ at: 2, how: 'open', revision: 3 });

  beforeAll(async () => {
    rig = await ServeRig.start();
    const store = await openStore(rig.store);
    for (const session of [sessionOf({ at: 0, how: 'missed' }), sessionOf({ at: 1 }), open]) {
      await store.putSession(session);
    }
    await store.close();
  });
  afterAll(() => rig.stop());

  it('lists them newest first, page by page, with goal and prediction', async () => {
    const first = sessionsPageSchema.parse((await rig.ask('/api/v1/sessions?limit=2')).json);
    expect(first.items.map(({ state }) => state)).toEqual(['open', 'ended']);
    expect(first.items[1]).toMatchObject({
      goal: { speedup: 1.2 },
      reached: true,
      prediction: { minutes: 120 },
    });
    const rest = await rig.ask(`/api/v1/sessions?limit=2&cursor=${first.next}`);
    expect(sessionsPageSchema.parse(rest.json).items).toHaveLength(1);
  });

  it('gives a session whole, and 404 for one that is not there', async () => {
    const { json } = await rig.ask(`/api/v1/sessions/${open.id}`);
    expect(sessionSchema.parse(json)).toEqual(open);
    expect((await rig.ask('/api/v1/sessions/20261101-000000-none')).status).toBe(404);
  });

  it('gives the method, and lessons of the library together with what sessions taught', async () => {
    expect(methodSchema.safeParse((await rig.ask('/api/v1/method')).json).success).toBe(true);
    const { lessons } = lessonsSchema.parse((await rig.ask('/api/v1/lessons')).json);
    const ids = lessons.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['learnt-0', 'learnt-1']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tells listeners when a session went on, with its revision', async () => {
    const aborter = new AbortController();
    const response = await fetch(`${rig.url}/api/v1/live`, { signal: aborter.signal });
    const told = (async () => {
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const event = /event: session\ndata: (.*)\n/u.exec(text);
        if (event !== null) return JSON.parse(event[1]!) as unknown;
      }
      return undefined;
    })();
    const store = await openStore(rig.store);
    // What is there at the first look is no news, and nobody says when that was.
    const going = (async () => {
      for (let revision = open.revision + 1; !aborter.signal.aborted; revision++) {
        await store.putSession({ ...open, revision });
        await sleep(200);
      }
    })();
    try {
      expect(await told).toMatchObject({ type: 'session', session: open.id, revision: expect.any(Number) });
    } finally {
      aborter.abort();
      await going;
      await store.close();
    }
  });
});
