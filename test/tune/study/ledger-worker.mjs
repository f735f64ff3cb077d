// A worker of a study whose measuring is a short sleep: PLACE STUDY NAME SPACE SLEEP_MS. Prints a line a trial.
import { setTimeout as sleep } from 'node:timers/promises';

import { Heartbeat, beatEvery_ms } from '../../../dist/tune/study/heartbeat.js';
import { openStore } from '../../../dist/tune/study/open-store.js';

const [where, study, worker, space, sleep_ms] = process.argv.slice(2);
const place = where.startsWith('postgresql:') ? { url: where } : { folder: where };
const store = await openStore(place, study);
const { lease_s } = await store.study();
const heartbeat = new Heartbeat({ place, study, worker, every_ms: beatEvery_ms(lease_s) });
await store.join({ worker, host: 'here', device: `GPU-${worker}` });
for (let next = 0; ;) {
  let lease = await store.reclaim(worker);
  // Everybody walks the same variants in the same order, so that they meet at each of them.
  while (lease === undefined && next < Number(space)) {
    lease = await store.propose({ variant: { N: next++ }, phase: 'search' }, worker);
  }
  if (lease === undefined) {
    const trials = await store.trials();
    if (trials.length > 0 && trials.every(({ outcome }) => outcome !== undefined)) break;
    await sleep(100);
    continue;
  }
  process.stdout.write(`holds ${lease.token}\n`);
  await sleep(Number(sleep_ms));
  const time_ms = 1 + lease.trial.variant.N;
  const isTold = await store.tell(
    lease,
    { status: 'measured', time_ms, median_ms: time_ms, samples: 1, processes: 1, stopped_early: false },
    { device: `GPU-${worker}` },
  );
  process.stdout.write(`${isTold ? 'told' : 'refused'} ${lease.token}\n`);
}
await heartbeat.stop();
await store.leave(worker);
await store.close();
