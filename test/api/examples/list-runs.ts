import { listRuns, showRun } from '../../../src/index.ts';

const { items } = await listRuns({ filter: { kinds: ['bench'] }, page: { limit: 10 } });
for (const { id, started_at, cases } of items) console.log(id, started_at, cases);
const latest = items[0] && (await showRun({ run: items[0].id }));
console.log(latest?.measurements.length);
