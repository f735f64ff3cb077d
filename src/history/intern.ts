import type { DeviceInfo } from '../model/device/device.ts';
import type { CommitFacts } from '../model/history/stored-run.ts';
import { canonicalJson, hashOf } from '../os/canonical-json.ts';
import type { Db } from './database.ts';
import type { StoredKey } from './history-key.ts';
import { inChunks } from './in-chunks.ts';

/**
 * Numbers of names, which are given where they are new. Writers of one store take names in the same order, so they
 * wait for each other and never block each other.
 */
export async function internKeys(db: Db, keys: readonly StoredKey[]): Promise<Map<string, KeyNumbers>> {
  const byId = new Map(keys.map((key) => [key.setting_id, key]));
  const ids = [...byId.keys()].sort();
  const numbers = await known();
  const unknown = ids.filter((id) => !numbers.has(id)).map((id) => byId.get(id)!);
  await keepWork(db, byId, numbers);
  if (unknown.length === 0) return numbers;
  const lines = await internLines(db, unknown);
  const rows = unknown.map(({ id, setting_id, kernel, case: case_name, variant, mode, ...rest }) => ({
    id: setting_id,
    kernel,
    case_name,
    variant: canonicalJson(variant ?? {}),
    mode,
    device_class: rest.device_class,
    line_n: lines.get(id)!,
    setting: canonicalJson(rest.setting),
    work: rest.work === undefined ? null : canonicalJson(rest.work),
  }));
  await inChunks(rows, 9, async (chunk) => {
    await db
      .insertInto('keys')
      .values([...chunk])
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
  return known();

  async function known(): Promise<Map<string, KeyNumbers>> {
    const found = new Map<string, KeyNumbers>();
    await inChunks(ids, 1, async (chunk) => {
      const rows = await db
        .selectFrom('keys')
        .select(['id', 'n', 'line_n', 'work'])
        .where('id', 'in', [...chunk])
        .execute();
      for (const { id, n, line_n, work } of rows) found.set(id, { n, line_n, work });
    });
    return found;
  }
}

export interface KeyNumbers {
  readonly n: number;
  readonly line_n: number;
  readonly work: string | null;
}

/** A case may come to declare its work, or another one, under the name that it has. */
async function keepWork(
  db: Db,
  keys: ReadonlyMap<string, StoredKey>,
  known: ReadonlyMap<string, KeyNumbers>,
): Promise<void> {
  for (const [id, { n, work: before }] of known) {
    const work = keys.get(id)?.work;
    const text = work && canonicalJson(work);
    if (text === undefined || text === before) continue;
    await db.updateTable('keys').set({ work: text }).where('n', '=', n).execute();
  }
}

export type LineFacts = Pick<StoredKey, 'id' | 'kernel' | 'case' | 'mode' | 'device'>;

/** Trends by their ids. */
export async function internLines(db: Db, keys: readonly LineFacts[]): Promise<Map<string, number>> {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const ids = [...byId.keys()].sort();
  const rows = ids.map((id) => {
    const { kernel, case: case_name, mode, device } = byId.get(id)!;
    return { id, kernel, case_name, mode, device };
  });
  await inChunks(rows, 5, async (chunk) => {
    await db
      .insertInto('lines')
      .values([...chunk])
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
  const found = new Map<string, number>();
  await inChunks(ids, 1, async (chunk) => {
    const known = await db
      .selectFrom('lines')
      .select(['id', 'n'])
      .where('id', 'in', [...chunk])
      .execute();
    for (const { id, n } of known) found.set(id, n);
  });
  return found;
}

export async function internDevice(db: Db, device: DeviceInfo): Promise<number> {
  // The CPUs that a run happened to be pinned to are not part of its identity.
  const { cpus: _, ...info } = device;
  const id = hashOf(info).slice(0, 20);
  const find = () => db.selectFrom('devices').select('n').where('id', '=', id).executeTakeFirst();
  const known = await find();
  if (known !== undefined) return known.n;
  await db
    .insertInto('devices')
    .values({ id, name: info.name ?? 'unstated', info: canonicalJson(info) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await find())!.n;
}

export interface KnownCommit {
  readonly n: number;
  readonly time_ms: number | null;
}

export async function internCommits(
  db: Db,
  commits: readonly CommitFacts[],
): Promise<{ readonly known: Map<string, KnownCommit>; readonly corrected: readonly number[] }> {
  const bySha = new Map<string, CommitFacts>();
  for (const commit of commits) bySha.set(commit.sha, { ...bySha.get(commit.sha), ...commit });
  const shas = [...bySha.keys()].sort();
  const found = new Map<string, KnownCommit>();
  const corrected: number[] = [];
  for (const sha of shas) {
    const { parent = null, subject = null, author = null, time } = bySha.get(sha)!;
    const time_ms = time === undefined ? null : Date.parse(time);
    const find = () =>
      db.selectFrom('commits').select(['n', 'time_ms', 'author']).where('sha', '=', sha).executeTakeFirst();
    let row = await find();
    if (row === undefined) {
      await db
        .insertInto('commits')
        .values({ sha, parent, time_ms, subject, author })
        .onConflict((conflict) => conflict.column('sha').doNothing())
        .execute();
      row = (await find())!;
    }
    if (row.time_ms === null && time_ms !== null) {
      await db
        .updateTable('commits')
        .set({ parent, time_ms, subject, author })
        .where('n', '=', row.n)
        .execute();
      corrected.push(row.n);
      row = { n: row.n, time_ms, author };
    } else if (row.author === null && author !== null) {
      // Earlier versions did not ask who made a commit.
      await db.updateTable('commits').set({ author }).where('n', '=', row.n).execute();
    }
    found.set(sha, row);
  }
  return { known: found, corrected };
}
