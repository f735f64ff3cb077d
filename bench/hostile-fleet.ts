/**
 * A hostile fleet: every cheat of the zoo that runs on a CPU, submitted over HTTP by three tenants at once, one of which
 * floods the queue. Does any of them have a reward, and do the others wait longer than their share says?
 *
 * Server, queue, workers and judge are the real ones: `pawl serve --judge`, PostgreSQL (or SQLite), `pawl queue work`.
 *
 *   npm run build && npx tsc -p tsconfig.bench.json && node .bench/bench/hostile-fleet.js [--workers 2] [--only a,b] [--minutes 60] [--sqlite] [--out FILE.json]
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { omit } from '../src/model/omit.ts';
import { PawlError } from '../src/model/pawl-error.ts';
import { openQueue } from '../src/queue/open-queue.ts';
import { median, quantile, Xoshiro128 } from '../src/stats/index.ts';
import { Judge } from '../src/workflows/runs/judge.ts';
import { freePorts } from '../test/services/free-ports.ts';
import { PostgresServer } from '../test/services/postgres-server.ts';
import { table } from './gate-quality/markdown.ts';
import { Client } from './hostile-fleet/client.ts';
import { laterThanShare } from './hostile-fleet/fair-share.ts';
import { MODES, zooFleet, type Candidate, type Nature } from './hostile-fleet/fleet.ts';
import { outcomesOf, type Outcome } from './hostile-fleet/outcomes.ts';
import { Restarted } from './queue/processes.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    /** Animals of the zoo. */
    only: { type: 'string' },
    sqlite: { type: 'boolean', default: false },
    /** Then nothing more is sent, and what was judged by then is reported. */
    minutes: { type: 'string', default: '60' },
    /** Of `pawl queue work`: at most so many per side. */
    processes: { type: 'string', default: '24' },
    /** Every submission, as JSON. */
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const POLITE = ['blue', 'red'] as const;
const FLOOD = 'flood';
const TENANTS = [...POLITE, FLOOD];
/** A polite tenant waits for answers: so many of its submissions are open at a time. */
const OPEN = 3;
/** The flood sends this often, whatever it is answered. */
const FLOOD_MS = 25;
const LIMITS = { most_queued: 300, rate_per_s: 5, burst: 50 };

const TENANT_HEAD = [
  'tenant',
  'sent',
  'refused by a limit',
  'judged',
  'cheats with a reward',
  'waited, s: median',
  '95 %',
  'of the time, %',
  'later than by its share, s: median',
  'most',
];
const NATURE_HEAD = ['candidates', 'kinds', 'judged', 'incorrect', 'with a reward', 'highest reward'];
const NATURES: Readonly<Record<Nature, string>> = {
  cheat: 'cheats',
  defused: 'tricks without effect here',
  unseen: 'honest work, with a fault that a sanitizer sees',
  honest: 'honest',
};

const random = new Xoshiro128(Number(values.seed));
const folder = await mkdtemp(join(tmpdir(), 'pawl-hostile-fleet-'));
const { problems, candidates: all } = await zooFleet(folder);
// What some animals look for: a checkout, and a token in the environment.
spawnSync('git', ['init', '--quiet', folder]);
process.env['GITHUB_TOKEN'] = 'what the zoo may not see';
const refused = await refusedProblems();
const offered = problems.filter((name) => !refused.has(name));
const only = values.only?.split(',');
const candidates = all.filter(
  ({ animal, problem }) => !refused.has(problem) && (only === undefined || only.includes(animal)),
);

const postgres = values.sqlite ? undefined : await PostgresServer.start();
const place = (await postgres?.createDatabase()) ?? join(folder, 'queue.db');
const queue = await openQueue(place);
await queue.offer(offered);
const port = await freePorts(1);
const clients = new Map<string, Client>();
for (const [at, tenant] of TENANTS.entries()) {
  await queue.putTenant(tenant, tenant === FLOOD ? LIMITS : {});
  const { token } = await queue.createToken({ tenant, roles: ['submit', 'read'] });
  clients.set(tenant, new Client(port, `127.0.0.${2 + at}`, token));
}
const pawl = fileURLToPath(new URL('../../bin/pawl', import.meta.url));
const common = ['--queue', place, '--config', folder, '--json'];
const none = () => undefined;
const server = new Restarted(
  () => [
    pawl,
    ['serve', '--judge', '--store', join(folder, 'history.db'), '--port', String(port)].concat(common),
  ],
  none,
);
const workers = Array.from(
  { length: Number(values.workers) },
  (_, at) =>
    new Restarted(
      () => [
        pawl,
        [
          'queue',
          'work',
          '--problem',
          offered.join(','),
          '--mode',
          MODES.join(','),
          '--processes',
          values.processes,
          '--name',
          `worker-${at}`,
          '--quiet',
        ].concat(common),
      ],
      none,
    ),
);
process.once('exit', () => {
  for (const one of [server, ...workers]) void one.kill('SIGKILL');
});
await server.up();
await Promise.all(workers.map((worker) => worker.up()));
for (const [problem, why] of refused) process.stderr.write(`${problem}: ${why}\n`);
process.stderr.write(`${candidates.length} candidates, ${offered.length} problems\n`);

const counts = new Map(TENANTS.map((tenant) => [tenant, { sent: 0, taken: 0, limited: 0, other: 0 }]));
const started = performance.now();
const over = new AbortController();
const flooding = flood();
await Promise.all(POLITE.map(polite));
await floodJudgedOnce();
over.abort();
await flooding;
for (const worker of workers) await worker.kill('SIGTERM');
await server.kill('SIGTERM');
const outcomes = await outcomesOf(place);
await queue.close();
await postgres?.stop();
await rm(folder, { recursive: true, force: true });
await report();

/** Which problems no judge takes, and why: what is right there cannot be told from what is not. */
async function refusedProblems(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const problem of problems) {
    try {
      await (await Judge.open(problem, { config: folder, wait_s: 600, modes: MODES })).close();
    } catch (error) {
      if (!(error instanceof PawlError) || error.kind !== 'bad-data') throw error;
      found.set(problem, error.message.replaceAll(folder, '.'));
    }
  }
  return found;
}

/** Each tenant's own text: none has its answer from another's. */
function sent(tenant: string, count: number, { animal, problem, files }: Candidate): object {
  const marked = Object.entries(files).map(([name, text]) => {
    const comment = name.endsWith('.py') ? '#' : '//';
    return [name, `${text}\n${comment} ${tenant} ${count}\n`];
  });
  const id = `${animal}.${count}`;
  const priority = tenant === FLOOD ? 10 : 0;
  return { problem, files: Object.fromEntries(marked), id, author: tenant, priority };
}

async function submit(tenant: string, count: number, candidate: Candidate): Promise<string | undefined> {
  const own = counts.get(tenant)!;
  const { status, body } = await clients.get(tenant)!.submit(sent(tenant, count, candidate));
  own.sent += 1;
  if (body !== undefined) own.taken += 1;
  else if (status === 429) own.limited += 1;
  else own.other += 1;
  return body?.id;
}

async function polite(tenant: string): Promise<void> {
  const waiting = shuffled(ownOf(tenant));
  const one = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined && !isOver(); next = waiting.pop()) {
      const id = await submit(tenant, 0, next);
      if (id === undefined) throw new Error(`${tenant} could not submit ${next.animal}`);
      while ((await clients.get(tenant)!.find(id)).status === 202 && !isOver());
      process.stderr.write(`\r${tenant}: ${waiting.length} to go  `);
    }
  };
  await Promise.all(Array.from({ length: OPEN }, one));
}

/** Every cheat once, and then all of them again and again, each time with another comment. */
async function flood(): Promise<void> {
  for (let count = 0; ; count++) {
    for (const candidate of shuffled(ownOf(FLOOD))) {
      for (;;) {
        if (over.signal.aborted) return;
        const id = await submit(FLOOD, count, candidate);
        await sleep(FLOOD_MS);
        if (id !== undefined || count > 0) break;
      }
    }
  }
}

async function floodJudgedOnce(): Promise<void> {
  while (!isOver()) {
    const judged = (await outcomesOf(place)).filter(({ tenant }) => tenant === FLOOD);
    const seen = new Set(judged.map(({ client_id }) => client_id));
    if (ownOf(FLOOD).every(({ animal }) => seen.has(`${animal}.0`))) return;
    await sleep(1000);
  }
}

/** Every tenant sends every cheat; that honest work is paid is shown by one of them. */
function ownOf(tenant: string): Candidate[] {
  return candidates.filter(({ nature }) => nature === 'cheat' || tenant === POLITE[0]);
}

function isOver(): boolean {
  return performance.now() - started > 60_000 * Number(values.minutes);
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random.nextOpen() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

async function report(): Promise<void> {
  const natureOf = new Map(candidates.map(({ animal, nature }) => [animal, nature]));
  const rows = outcomes.map((one) => {
    const animal = one.client_id.split('.')[0]!;
    return Object.assign(one, { animal, nature: natureOf.get(animal)! });
  });
  const told = { tenants: tenantRows(rows), natures: natureRows(rows) };
  console.log(table(TENANT_HEAD, told.tenants).join('\n'));
  console.log(`\n${table(NATURE_HEAD, told.natures).join('\n')}`);
  const paid = rows.filter(({ nature, reward }) => nature === 'cheat' && reward > 0);
  for (const { tenant, animal, reward } of paid)
    console.log(`\nA reward of ${reward} for ${animal} of ${tenant}.`);
  for (const [problem, why] of refused) {
    const names = all.filter((one) => one.problem === problem).map(({ animal }) => animal);
    console.log(`\nNot offered: ${problem} (${names.join(', ')}): ${why}`);
  }
  if (values.out === undefined) return;
  const started_ms = Math.min(...rows.map(({ submitted_ms }) => submitted_ms));
  const lines = rows.map(({ submitted_ms, leased_ms, finished_ms, ...rest }) =>
    JSON.stringify({
      ...omit(rest, 'client_id'),
      submitted_s: (submitted_ms - started_ms) / 1000,
      leased_s: (leased_ms - started_ms) / 1000,
      finished_s: (finished_ms - started_ms) / 1000,
    }),
  );
  const head = { workers: workers.length, engine: values.sqlite ? 'sqlite' : 'postgres', limits: LIMITS };
  const counted = JSON.stringify({ ...head, counts: Object.fromEntries(counts), refused: [...refused] });
  await writeFile(values.out, `${counted.slice(0, -1)},"submissions":[\n${lines.join(',\n')}\n]}\n`);
}

type Row = Outcome & { readonly animal: string; readonly nature: Nature };

/** Shares are over the time in which every tenant had something waiting. */
function tenantRows(rows: readonly Row[]): string[][] {
  const began_ms = Math.min(...rows.map(({ leased_ms }) => leased_ms));
  const ended_ms = Math.min(
    ...POLITE.map((tenant) =>
      Math.max(...rows.filter((one) => one.tenant === tenant).map(({ submitted_ms }) => submitted_ms)),
    ),
  );
  const costOf = (some: readonly Row[]): number => some.reduce((sum, { cost_s }) => sum + cost_s, 0);
  const contested = rows.filter(({ finished_ms }) => finished_ms <= ended_ms);
  const fleet = { ms_per_cost_s: (ended_ms - began_ms) / costOf(contested), share: 1 / TENANTS.length };
  return TENANTS.map((tenant) => {
    const own = rows.filter((one) => one.tenant === tenant);
    const waited = own.map(({ submitted_ms, leased_ms }) => (leased_ms - submitted_ms) / 1000);
    const later = laterThanShare(own, fleet);
    const share = costOf(contested.filter((one) => one.tenant === tenant)) / costOf(contested);
    const { sent: all_sent, limited } = counts.get(tenant)!;
    const paid = own.filter(({ nature, reward }) => nature === 'cheat' && reward > 0).length;
    const whole = [all_sent, limited, own.length, paid].map((count) => count.toLocaleString('en'));
    const seconds = [median(waited), quantile(waited, 0.95)].map((one) => one.toFixed(1));
    const beyond = [median(later), Math.max(...later)].map((one) => one.toFixed(1));
    return [tenant].concat(whole, seconds, (100 * share).toFixed(0), beyond);
  });
}

function natureRows(rows: readonly Row[]): string[][] {
  return Object.entries(NATURES).map(([nature, words]) => {
    const own = rows.filter((one) => one.nature === nature);
    const kinds = new Set(own.map(({ animal }) => animal)).size;
    const incorrect = own.filter(({ verdict }) => verdict === 'incorrect').length;
    const paid = own.filter(({ reward }) => reward > 0).length;
    const highest = Math.max(0, ...own.map(({ reward }) => reward)).toFixed(2);
    return [words].concat([kinds, own.length, incorrect, paid].map(String), highest);
  });
}
