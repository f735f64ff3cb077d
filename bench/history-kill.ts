/**
 * Kills writers with SIGKILL at random moments, 200 times on each store, and looks for what was acknowledged and lost
 * and for what is there in part.
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/history-kill.js [--kills 200] [--store sqlite,postgres]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { openStore } from '../src/history/store/open-store.ts';
import { verifyStore } from '../src/history/store/verify-store.ts';
import { Xoshiro128 } from '../src/stats/random.ts';
import { killWriters, writerProgram } from '../test/history/kill-writers.ts';
import { PostgresServer } from '../test/services/postgres-server.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    store: { type: 'string', default: 'sqlite,postgres' },
    seed: { type: 'string', default: '1' },
  },
});
const program = writerProgram(fileURLToPath(new URL('history-writer.js', import.meta.url)));

for (const kind of values.store.split(',')) {
  if (kind === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-kill-'));
    await report('SQLite', join(folder, 'history.db'));
    await rm(folder, { recursive: true, force: true });
  } else {
    const postgres = await PostgresServer.start();
    await report('PostgreSQL', await postgres.createDatabase());
    await postgres.stop();
  }
}

async function report(name: string, place: string): Promise<void> {
  const random = new Xoshiro128(Number(values.seed));
  const kills = Number(values.kills);
  const acknowledged = await killWriters(program, place, { kills, random: () => random.nextOpen() });
  const store = await openStore(place);
  try {
    const known = await store.known(acknowledged);
    const { runs, problems } = await verifyStore(store);
    console.log(
      JSON.stringify({
        store: name,
        kills,
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((id) => !known.has(id)).length,
        runs_stored: runs,
        half_written: problems.length,
      }),
    );
  } finally {
    await store.close();
  }
}
