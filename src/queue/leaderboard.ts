import { rankByIntervals } from '../judge/race/rank-by-intervals.ts';
import { defined } from '../model/defined.ts';
import { LEADERBOARD_SCHEMA, type Leaderboard, type RankedCandidate } from '../model/queue/queue.ts';
import type { Verdict } from '../model/judge/verdict.ts';
import type { QueueDb, QueueTables } from './tables.ts';

/** More do not fit a page; the best are shown, and ranks count all. */
const MOST_SHOWN = 500;

/** Candidates of a problem by what they are shown to gain, as its newest judge on a class of devices says. */
export async function leaderboard(
  db: QueueDb,
  problem: string,
  device_class: string | undefined,
): Promise<Leaderboard | undefined> {
  const offered = await db
    .selectFrom('problems')
    .select('name')
    .where('name', '=', problem)
    .executeTakeFirst();
  if (offered === undefined) return undefined;
  const judges = await db
    .selectFrom('judges')
    .selectAll()
    .where('problem', '=', problem)
    .orderBy('since_ms', 'desc')
    .orderBy('device_class')
    .execute();
  const judge = judges.find((one) => device_class === undefined || one.device_class === device_class);
  const rows = judge === undefined ? [] : await judged(db, judge);
  const ranked = rankedOf(rows);
  return {
    schema: LEADERBOARD_SCHEMA,
    problem,
    ...defined({
      reference: judge?.reference,
      device_class: judge?.device_class ?? device_class,
      identity: judge?.identity,
    }),
    device_classes: judges.map((one) => one.device_class),
    candidates: ranked.slice(0, MOST_SHOWN),
    judged: rows.length,
    authors: authorsOf(ranked),
    records: recordsOf(rows),
  };
}

function judged(db: QueueDb, { problem, identity }: Pick<QueueTables['judges'], 'problem' | 'identity'>) {
  return db
    .selectFrom('judgements as j')
    .innerJoin('submissions as s', 's.n', 'j.submission_n')
    .select([
      's.id',
      's.tenant',
      's.author',
      's.submitted_ms',
      'j.sources_sha256',
      'j.verdict',
      'j.correct',
      'j.reward',
      'j.estimate',
      'j.low',
      'j.high',
      'j.judged_ms',
    ])
    .where('j.identity', '=', identity)
    .where('j.problem', '=', problem)
    .orderBy('j.n')
    .execute();
}

type Row = Awaited<ReturnType<typeof judged>>[number];
type Timed = Row & { readonly estimate: number; readonly low: number; readonly high: number };

/** Right, clean and timed. */
function isTimed(row: Row): row is Timed {
  return (
    row.correct === 1 && row.reward > 0 && row.estimate !== null && row.low !== null && row.high !== null
  );
}

function rankedOf(rows: readonly Row[]): RankedCandidate[] {
  const bySources = grouped(rows, (row) => row.sources_sha256);
  const standing = [...bySources.values()]
    .map((all) => ({ first: all[0]!, all, row: lowerMedian(all) }))
    .flatMap(({ first, all, row }) => (isTimed(row) ? [{ first, all, row }] : []))
    .sort(
      (one, other) => other.row.reward - one.row.reward || one.first.submitted_ms - other.first.submitted_ms,
    );
  const ranks = rankByIntervals(standing.map(({ row }) => row));
  return standing.map((one, at) => rankedCandidate(one, ranks[at]!));
}

function rankedCandidate(
  { first, all, row }: { readonly first: Row; readonly all: readonly Row[]; readonly row: Timed },
  rank: RankedCandidate['rank'],
): RankedCandidate {
  return {
    id: first.id,
    tenant: first.tenant,
    ...defined({ author: first.author ?? undefined }),
    verdict: row.verdict as Verdict,
    speedup: { estimate: row.estimate, low: row.low, high: row.high },
    reward: row.reward,
    rank,
    sources_sha256: row.sources_sha256,
    submitted_at: new Date(first.submitted_ms).toISOString(),
    judged_at: new Date(row.judged_ms).toISOString(),
    judgements: all.length,
  };
}

/** Who has a candidate judged again until it is lucky gains nothing: one lucky judgement of two is not the lower one. */
function lowerMedian(rows: readonly Row[]): Row {
  const sorted = rows.toSorted((one, other) => one.reward - other.reward);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

function authorsOf(ranked: readonly RankedCandidate[]): Leaderboard['authors'] {
  const byAuthor = grouped(ranked, ({ author, tenant }) => author ?? tenant);
  return [...byAuthor].map(([author, [best, ...others]]) => ({
    author,
    candidates: 1 + others.length,
    best_reward: best!.reward,
    rank: best!.rank,
  }));
}

function recordsOf(rows: readonly Row[]): Leaderboard['records'] {
  const records: Leaderboard['records'] = [];
  for (const row of rows) {
    if (!isTimed(row) || row.reward <= (records.at(-1)?.reward ?? 0)) continue;
    records.push({
      at: new Date(row.judged_ms).toISOString(),
      id: row.id,
      ...defined({ author: row.author ?? undefined }),
      speedup: { estimate: row.estimate, low: row.low, high: row.high },
      reward: row.reward,
    });
  }
  return records;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
