/**
 * How many candidates 1, 2, 4 and 8 workers answer in the same time, and what the queue itself takes of a candidate.
 * The workers are processes with the loop of `pawl queue work`; in the place of the judge is a stand-in that waits as
 * long as a candidate holds a device and measures nothing. So the figure is the queue's own share: real measurements
 * on one machine would take turns on its device.
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/queue-scaling.js [--judge 1000] [--seconds 20]
 */
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { openQueue } from '../src/queue/open-queue.ts';
import { textsHash } from '../src/adopt/candidate/candidate-sources.ts';
import { PostgresServer } from '../test/services/postgres-server.ts';
import { Restarted } from './queue/processes.ts';
import { STAND_IN } from './queue/stand-in.ts';

const { values } = parseArgs({
  options: {
    judge: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    workers: { type: 'string', default: '1,2,4,8' },
  },
});
const judge_ms = Number(values.judge);
const span_s = Number(values.seconds);
const counts = values.workers.split(',').map(Number);

const postgres = await PostgresServer.start();
let first: number | undefined;
console.log(
  `| workers | answers per second | of linear | idle between candidates, ms |\n| --: | --: | --: | --: |`,
);
for (const count of counts) {
  const rate = await rateOf(count, judge_ms);
  first ??= rate;
  const idle_ms = (1000 * count) / rate - judge_ms;
  const share = (100 * rate) / (count * first);
  console.log(`| ${count} | ${rate.toFixed(2)} | ${share.toFixed(1)} % | ${idle_ms.toFixed(0)} |`);
}
const limit = await rateOf(counts.at(-1)!, 0);
console.log(
  `\nWith judgements that take no time, ${counts.at(-1)} workers answer ${limit.toFixed(0)} per second.`,
);
await postgres.stop();

async function rateOf(count: number, wait_ms: number): Promise<number> {
  const place = await postgres.createDatabase();
  const queue = await openQueue(place);
  const free = { rate_per_s: 1e6, burst: 1e6, most_queued: 1e6, most_per_day: 1e6 };
  await queue.putTenant('blue', free);
  await queue.putTenant('red', free);
  await queue.offer([STAND_IN.problem]);
  const enough = wait_ms === 0 ? 3000 : Math.ceil((1.5 * count * span_s * 1000) / wait_ms) + 4 * count;
  for (let n = 0; n < enough; n++) {
    const files = { 'kernel.cpp': `kernel ${n} ${'x'.repeat(4000)}` };
    await queue.submit({
      tenant: n % 2 === 0 ? 'blue' : 'red',
      problem: STAND_IN.problem,
      files,
      sources_sha256: textsHash(files),
      priority: 0,
      fresh: false,
    });
  }
  const answers_ms: number[] = [];
  const script = fileURLToPath(new URL('queue-worker.js', import.meta.url));
  const workers = Array.from({ length: count }, (_, at) => {
    const args = ['--queue', place, '--name', `w${at}`, '--lease', '60', '--build', '100', '--ahead', '1'];
    const all = [script, ...args, '--judge', String(wait_ms)];
    return new Restarted(
      () => [process.execPath, all],
      () => answers_ms.push(performance.now()),
    );
  });
  await Promise.all(workers.map((worker) => worker.up()));
  // Until all are under way.
  await sleep(2000 + wait_ms);
  const started_ms = performance.now();
  const end_ms = started_ms + 1000 * (wait_ms === 0 ? 5 : span_s);
  while (performance.now() < end_ms) await sleep(20);
  const inSpan = answers_ms.filter((at) => at >= started_ms);
  // From answer to answer: a count over a span would be off by up to one.
  const rate = (1000 * (inSpan.length - 1)) / (inSpan.at(-1)! - inSpan[0]!);
  for (const worker of workers) await worker.kill('SIGTERM');
  await queue.close();
  return rate;
}
