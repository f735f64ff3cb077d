/**
 * Submissions over HTTP into a queue on PostgreSQL, with workers and the server killed by SIGKILL at random moments:
 * does each have one answer, the right one, and is none lost or counted twice?
 *
 * The server is `pawl serve --judge` and the workers' loop is that of `pawl queue work`; in the place of the judge is a
 * stand-in that waits and measures nothing, because what is asked here is about the queue.
 *
 *   npm run build && npx tsc -p tsconfig.bench.json && node .bench/bench/queue-kill.js [--submissions 10000] [--workers 6]
 */
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Client } from 'pg';

import { openQueue } from '../src/queue/open-queue.ts';
import { Xoshiro128 } from '../src/stats/random.ts';
import { freePorts } from '../test/services/free-ports.ts';
import { PostgresServer } from '../test/services/postgres-server.ts';
import { Restarted } from './queue/processes.ts';
import { rewardOf, STAND_IN } from './queue/stand-in.ts';

const { values } = parseArgs({
  options: {
    submissions: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '6' },
    /** Between two kills, about, in milliseconds. */
    pause: { type: 'string', default: '1500' },
    /** Then no more are sent, and what was sent is waited for. */
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const TOTAL = Number(values.submissions);
const TENANTS = ['blue', 'red', 'green'];
/** Every so many has the sources of one before it. */
const REPEATED = 20;
const CLIENTS = 12;

const random = new Xoshiro128(Number(values.seed));
const postgres = await PostgresServer.start();
const place = await postgres.createDatabase();
const queue = await openQueue(place, { patience_ms: 60_000 });
const free = { rate_per_s: 1e6, burst: 1e6, most_queued: 1e6, most_per_day: 1e6 };
const tokens: string[] = [];
for (const tenant of TENANTS) {
  await queue.putTenant(tenant, free);
  tokens.push((await queue.createToken({ tenant, roles: ['submit', 'read'] })).token);
}
await queue.offer([STAND_IN.problem]);

const port = await freePorts(1);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const pawl = file('../../bin/pawl');
const server = new Restarted(
  () => [
    pawl,
    ['serve', '--judge', '--queue', place, '--store', '/tmp/none.db', '--port', String(port), '--json'],
  ],
  () => undefined,
);
const accepted = new Map<string, number>();
let refused = 0;
const workers = Array.from(
  { length: Number(values.workers) },
  (_, at) =>
    new Restarted(
      (generation) => [
        process.execPath,
        [file('queue-worker.js'), '--queue', place, '--name', `w${at}-${generation}`],
      ],
      (line) => {
        const [, what, id] = /^(counts|refused) (.*)$/.exec(line) ?? [];
        if (what === 'counts') accepted.set(id!, (accepted.get(id!) ?? 0) + 1);
        if (what === 'refused') refused += 1;
      },
    ),
);
const started_ms = performance.now();
await server.up();
await Promise.all(workers.map((worker) => worker.up()));

const over = new AbortController();
const killing = (async () => {
  while (!over.signal.aborted) {
    await sleep(Number(values.pause) * (0.3 + 1.4 * random.nextOpen()));
    if (over.signal.aborted) return;
    // What is still starting has nothing to lose.
    const up = workers.filter(({ isUp }) => isUp);
    const victim = random.nextOpen() < 0.1 ? server : up[Math.floor(random.nextOpen() * up.length)];
    if (victim?.isUp !== true) continue;
    await victim.kill('SIGKILL');
    void victim.up();
  }
})();

/** Client ids, and the submissions that the server said they are. */
const told = new Map<string, Set<string>>();
let retries = 0;
let next = 0;
await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
const submitted_s = seconds();
for (;;) {
  const { tenants } = await queue.status();
  if (tenants.every(({ queued, leased }) => queued + leased === 0)) break;
  process.stderr.write(`\r${seconds().toFixed(0)} s: ${accepted.size} answered `);
  await sleep(2000);
}
const done_s = seconds();
over.abort();
await killing;
await sleep(500);
for (const worker of workers) await worker.kill('SIGTERM');
await server.kill('SIGTERM');

await report();
await queue.close();
await postgres.stop();

async function client(at: number): Promise<void> {
  for (let n = next++; n < TOTAL && seconds() < 60 * Number(values.minutes); n = next++) {
    const text = `kernel ${n % REPEATED === 0 ? Math.floor(n / 2) : n}`;
    const body = { problem: STAND_IN.problem, files: { 'kernel.cpp': text }, id: `c${n}` };
    for (;;) {
      const answer = await post(`127.0.0.${2 + at}`, tokens[n % TENANTS.length]!, body);
      if (answer !== undefined) {
        const key = `${TENANTS[n % TENANTS.length]!} c${n}`;
        told.set(key, (told.get(key) ?? new Set()).add(answer));
        // Every seventh is sent once more, as by a client whose answer was lost.
        if (n % 7 === 0 && told.get(key)!.size === 1 && Math.random() < 0.5) continue;
        break;
      }
      retries += 1;
      await sleep(100 + 200 * Math.random());
    }
  }
}

/** The id of the submission; undefined where it is not known whether the server has it. */
function post(localAddress: string, token: string, body: object): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = {
      host: '127.0.0.1',
      port,
      path: '/api/judge?wait_s=0',
      method: 'POST',
      headers,
      localAddress,
    };
    const sent = request({ ...asked, timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        if (response.statusCode !== 200 && response.statusCode !== 202) {
          resolve(undefined);
          return;
        }
        resolve((JSON.parse(Buffer.concat(chunks).toString()) as { readonly id: string }).id);
      });
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(JSON.stringify(body));
  });
}

async function report(): Promise<void> {
  const db = new Client(place);
  await db.connect();
  const count = async (query: string): Promise<number> =>
    Number((await db.query<{ n: string }>(`select count(*) as n from ${query}`)).rows[0]!.n);
  const q = 'pawl_queue';
  const rows = await db.query<{ id: string; sources_sha256: string; reward: number; own: boolean }>(
    `select s.id, s.sources_sha256, j.reward, j.submission_n = s.n as own
     from ${q}.submissions s join ${q}.judgements j on j.n = s.judgement_n where s.state = 'judged'`,
  );
  const wrong = rows.rows.filter(({ sources_sha256, reward }) => reward !== rewardOf(sources_sha256)).length;
  const lines: [string, number][] = [
    ['submissions that clients sent', told.size],
    ['… that the queue has', await count(`${q}.submissions`)],
    ['client ids with two submissions', [...told.values()].filter((ids) => ids.size > 1).length],
    ['submissions with a judgement', rows.rows.length],
    ['… of them judged by a worker', rows.rows.filter(({ own }) => own).length],
    ['… of them with the judgement of the same sources', rows.rows.filter(({ own }) => !own).length],
    ['… with the judgement of other sources', wrong],
    ['submissions with an error for an answer', await count(`${q}.submissions where state = 'failed'`)],
    [
      'submissions without an answer',
      await count(
        `${q}.submissions where state not in ('judged', 'failed') or (state = 'judged' and judgement_n is null)`,
      ),
    ],
    [
      'submissions with two judgements',
      await count(`(select submission_n from ${q}.judgements group by 1 having count(*) > 1) twice`),
    ],
    [
      'submissions with two leases that answered',
      await count(
        `(select submission_n from ${q}.leases where how = 'answered' group by 1 having count(*) > 1) twice`,
      ),
    ],
    [
      'submissions that two workers were told they answered',
      [...accepted.values()].filter((n) => n > 1).length,
    ],
    ['leases', await count(`${q}.leases`)],
    ['… lost with their workers', await count(`${q}.leases where how = 'lost'`)],
    ['answers refused, because the lease was over', refused],
    ['kills of workers', workers.reduce((sum, { kills }) => sum + kills, 0)],
    ['kills of the server', server.kills],
    ['requests that clients repeated', retries],
  ];
  await db.end();
  console.log('| | |\n| --- | --: |');
  for (const [name, value] of lines) console.log(`| ${name} | ${value.toLocaleString('en')} |`);
  console.log(
    `\n${submitted_s.toFixed(0)} s until the last submission was taken, ${done_s.toFixed(0)} s until the last answer.`,
  );
}

function seconds(): number {
  return (performance.now() - started_ms) / 1000;
}
