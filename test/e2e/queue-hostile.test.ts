import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openQueue } from '../../src/queue/open-queue.ts';
import { work } from '../../src/workflows/queue.ts';
import { textsHash } from '../../src/adopt/candidate/candidate-sources.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

const ZOO = resolve(import.meta.dirname, '../zoo');
/** The last one is right in every declared case, and faster. */
const CHEATS = ['cached-by-pointer', 'clock-interposed', 'forked-helper', 'max-not-subtracted'];
const TENANTS = ['blue', 'red', 'flood'];
/** What one tenant sends besides, which does not even build. */
const FLOOD = 60;

describe('a hostile fleet', () => {
  it(
    'has no reward, and one that floods makes the others wait no longer than their share',
    { timeout: 600_000 },
    async () => {
      const place = join(await temporaryFolder(), 'queue.db');
      const queue = await openQueue(place);
      await queue.offer(['softmax']);
      const submit = async (tenant: string, text: string): Promise<string> => {
        const files = { 'kernel.cpp': text };
        const asked = {
          tenant,
          problem: 'softmax',
          files,
          sources_sha256: textsHash(files),
          priority: 0,
          fresh: false,
        };
        const taken = await queue.submit(asked);
        if (taken.state !== 'taken') throw new Error(taken.message);
        return taken.id;
      };
      for (const tenant of TENANTS) await queue.putTenant(tenant, {});
      for (let at = 0; at < FLOOD; at++) await submit('flood', `#error ${at}`);
      const cheats: { readonly tenant: string; readonly id: string }[] = [];
      for (const cheat of CHEATS) {
        const source = await readFile(join(ZOO, 'animals', `${cheat}.cpp`), 'utf8');
        // Each tenant's own, so that none has its answer from another's.
        for (const tenant of TENANTS)
          cheats.push({ tenant, id: await submit(tenant, `// ${tenant}\n${source}`) });
      }
      const order: string[] = [];
      await work({
        queue: place,
        config: ZOO,
        problems: ['softmax'],
        reference: 'honest-workspace',
        cases: ['small'],
        modes: ['hot'],
        ahead: 0,
        idle_s: 1,
        onEvent: (event) => {
          if (event.event === 'judged') order.push(event.id);
        },
      });
      for (const { id } of cheats) {
        const { answer } = (await queue.find(id))!;
        expect(answer).toMatchObject({ verdict: 'incorrect', correct: false, reward: 0 });
      }
      // By turns the others have theirs while most of the flood still waits.
      const last = Math.max(
        ...cheats.filter(({ tenant }) => tenant !== 'flood').map(({ id }) => order.indexOf(id)),
      );
      expect(order).toHaveLength(FLOOD + cheats.length);
      expect(last).toBeLessThan(order.length / 2);
      await queue.close();
    },
  );
});
