import { caseId } from '../model/judge/case-key.ts';
import type { CheckReport } from '../model/reports/check-report.ts';
import type { CaseKey, Comparison } from '../model/judge/comparison.ts';
import type { Samples } from '../model/measure/samples.ts';
import type { CommitFacts } from '../model/history/stored-run.ts';
import { isChange } from '../model/judge/verdict.ts';
import { median } from '../stats/quantile.ts';
import type { Db } from './database.ts';
import { historyKey, type StoredKey } from './history-key.ts';
import { inChunks } from './in-chunks.ts';
import { internCommits, internDevice, internKeys, type KeyNumbers } from './intern.ts';
import { isDirty } from './is-dirty.ts';
import { packJson } from './pack-json.ts';
import type { PreparedMeasurement, PreparedRun } from './prepare-run.ts';
import { retime } from './retime.ts';
import { addToSummaries } from './summaries.ts';

export interface PutOptions {
  readonly commits?: readonly CommitFacts[];
}

/** In a transaction of the caller's. False: it was there. */
export async function putRun(db: Db, prepared: PreparedRun, { commits = [] }: PutOptions): Promise<boolean> {
  const { id, document, measurements, report } = prepared;
  const there = await db.selectFrom('runs').select('n').where('id', '=', id).executeTakeFirst();
  if (there !== undefined) return false;

  const { head, base } = document.sides;
  const commit = report?.commit ?? head.measurements.find((one) => one.commit !== undefined)?.commit;
  const baseCommit =
    report?.base_commit ?? base?.measurements.find((one) => one.commit !== undefined)?.commit;
  const named = [commit, baseCommit, ...measurements.map((one) => one.commit)].filter(
    (sha) => sha !== undefined,
  );
  const facts = [...named.map((sha) => ({ sha })), ...statedTimes(document), ...commits];
  const { known, corrected } = await internCommits(db, facts);
  if (corrected.length > 0) await retime(db, corrected);
  const device = head.device ?? head.measurements.find((one) => one.device !== undefined)?.device;
  const device_n = device === undefined ? null : await internDevice(db, device);
  const keys = await internKeys(db, [
    ...measurements.map((one) => one.key),
    ...verdictKeys(report, prepared).map(({ key }) => key),
  ]);

  const started_ms = Date.parse(document.started_at);
  const heads = measurements.filter(({ side }) => side === 0);
  const between = heads.flatMap(({ level }) => level.between_pct ?? []);
  const control = report?.control?.cases ?? [];
  const row = await db
    .insertInto('runs')
    .values({
      id,
      kind: document.kind,
      started_ms,
      finished_ms: document.finished_at === undefined ? null : Date.parse(document.finished_at),
      commit_n: commit === undefined ? null : known.get(commit)!.n,
      base_commit_n: baseCommit === undefined ? null : known.get(baseCommit)!.n,
      branch: document.branch ?? null,
      pull_request: document.pull_request ?? null,
      host: head.environment?.host ?? null,
      device_n,
      verdict: report?.verdict ?? (heads.some(({ verdict }) => verdict === 'incorrect') ? 'incorrect' : null),
      cases: heads.length,
      samples: measurements.reduce((sum, { level }) => sum + level.samples, 0),
      device_s: document.device_s ?? report?.cost?.device_s ?? null,
      between_pct: between.length === 0 ? null : median(between),
      controls: control.length,
      alarms: control.filter(isChange).length,
      thin: measurements.reduce((most, { thin }) => Math.max(most, thin), 0),
      money: document.money?.amount ?? null,
      currency: document.money?.currency ?? null,
      dirty: isDirty(head) ? 1 : 0,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('n')
    .executeTakeFirst();
  // Another writer brought the same run meanwhile.
  if (row === undefined) return false;
  const run_n = row.n;
  await db
    .insertInto('documents')
    .values({ run_n, body: packJson(document) })
    .execute();

  const rows = measurements.map(({ key, commit: sha, level, on_trend, verdict, side, position, hash }) => ({
    run_n,
    side,
    position,
    key_n: keys.get(key.setting_id)!.n,
    commit_n: sha === undefined ? null : known.get(sha)!.n,
    time_ms: (sha === undefined ? null : known.get(sha)!.time_ms) ?? started_ms,
    on_trend,
    ...level,
    verdict: verdict ?? null,
    hash,
  }));
  await putMeasurements(db, rows, measurements);
  await putVerdicts(db, run_n, keys, prepared);
  await addToSummaries(
    db,
    rows.flatMap((point, at) => {
      if (point.side !== 0) return [];
      return [{ ...point, line_n: keys.get(measurements[at]!.key.setting_id)!.line_n }];
    }),
    started_ms,
  );
  return true;
}

/** What samples from elsewhere say of their commits; what git knows comes after it, and wins. */
function statedTimes({ sides }: PreparedRun['document']): CommitFacts[] {
  return Object.values(sides).flatMap((side) =>
    (side?.measurements ?? []).flatMap(({ commit, committed_at }) =>
      commit === undefined || committed_at === undefined ? [] : [{ sha: commit, time: committed_at }],
    ),
  );
}

async function putMeasurements(
  db: Db,
  rows: readonly { readonly side: number; readonly position: number; readonly run_n: number }[],
  measurements: readonly PreparedMeasurement[],
): Promise<void> {
  const numbers = new Map<string, number>();
  await inChunks(rows, 17, async (chunk) => {
    const inserted = await db
      .insertInto('measurements')
      .values(chunk as never)
      .returning(['n', 'side', 'position'])
      .execute();
    for (const { n, side, position } of inserted) numbers.set(`${side} ${position}`, n);
  });
  const bodies = measurements.map(({ side, position, thin, kept, body }) => ({
    measurement_n: numbers.get(`${side} ${position}`)!,
    thin,
    kept,
    body,
  }));
  await inChunks(bodies, 4, async (chunk) => {
    await db
      .insertInto('series')
      .values([...chunk])
      .execute();
  });
}

interface VerdictKey {
  readonly one: Comparison['cases'][number];
  readonly key: StoredKey;
}

/** A case that was judged and not measured keeps its verdict anyway, under the run's device. */
function verdictKeys(report: CheckReport | undefined, { measurements, document }: PreparedRun): VerdictKey[] {
  if (report === undefined) return [];
  const heads = measurements.filter(({ side }) => side === 0);
  const byText = new Map(heads.map(({ key }) => [caseId(key), key]));
  const byCase = new Map(heads.map(({ key }) => [key.case, key]));
  const { device, environment } = document.sides.head;
  return report.comparison.cases.map((one) => {
    const samples = {
      schema: 'pawl.samples/1',
      ...(device && { device }),
      ...(environment && { environment }),
      measurements: [],
    } as const satisfies Omit<Samples, 'measurements'> & { measurements: never[] };
    const known = byText.get(caseId(one)) ?? (isSparse(one) ? byCase.get(one.case) : undefined);
    return { one, key: known ?? historyKey({ ...one, series: [] }, samples) };
  });
}

function isSparse({ kernel, mode }: CaseKey): boolean {
  return kernel === undefined || mode === undefined;
}

async function putVerdicts(
  db: Db,
  run_n: number,
  keys: ReadonlyMap<string, KeyNumbers>,
  prepared: PreparedRun,
): Promise<void> {
  const { report } = prepared;
  const waived = new Set((report?.waived ?? []).map(({ key }) => caseId(key)));
  const rows = verdictKeys(report, prepared).map(({ one, key }) => ({
    run_n,
    key_n: keys.get(key.setting_id)!.n,
    verdict: one.verdict,
    change_pct: one.state === 'estimated' ? one.change_pct : null,
    low_pct: one.state === 'estimated' ? one.ci_pct[0] : null,
    high_pct: one.state === 'estimated' ? one.ci_pct[1] : null,
    baseline_ms: one.baseline_ms ?? null,
    candidate_ms: one.candidate_ms ?? null,
    waived: waived.has(caseId(one)) ? 1 : 0,
  }));
  const unique = [...new Map(rows.map((each) => [each.key_n, each])).values()];
  await inChunks(unique, 9, async (chunk) => {
    await db
      .insertInto('verdicts')
      .values([...chunk])
      .execute();
  });
}
