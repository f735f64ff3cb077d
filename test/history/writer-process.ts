/**
 * Writes runs into a store one after another, and says so after each is acknowledged. The kill tests start it, end it
 * at any moment, and ask the store afterwards.
 *
 * argv: store, number of the first run, how many
 */
import process from 'node:process';

import { openStore } from '../../src/history/store/open-store.ts';
import { commitOf, storedRunOf } from './stored-run-of.ts';

const [place, first, count] = process.argv.slice(2);
const store = await openStore(place!, { patience_ms: 60_000 });
process.stdout.write('ready\n');
for (let at = Number(first); at < Number(first) + Number(count); at++) {
  const { id } = await store.put(storedRunOf({ at, cases: ['a', 'b', 'c', 'd'], verdict: 'maintained' }), {
    commits: [commitOf(at)],
  });
  process.stdout.write(`stored ${at} ${id}\n`);
}
await store.close();
