import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

import type { HeartbeatOptions } from './heartbeat.ts';
import { openStore } from './open-store.ts';

const { place, study, worker, every_ms } = workerData as HeartbeatOptions;
const store = await openStore(place, study);
for (;;) {
  await store.beat(worker);
  await sleep(every_ms);
}
