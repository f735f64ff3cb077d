import { judgePairsInTurns, type JudgedPair } from '../judge/judge-pairs.ts';
import { JUDGE_DEFAULTS, type JudgePolicy } from '../judge/judge-policy.ts';
import type { CaseComparison } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import type { StoredMeasurement } from '../model/history/history-api.ts';
import type { Measurement } from '../model/measure/samples.ts';
import {
  SIDES_SCHEMA,
  type AskedSide,
  type SideCase,
  type SidePoint,
  type SidesComparison,
} from '../model/history/sides-comparison.ts';
import { variantText } from '../model/problem/variant-text.ts';
import { worstVerdict } from '../model/judge/verdict.ts';
import { toldCommit, type CodeHost } from './code-host.ts';
import type { History, SideMeasurement, SideMeasurements } from './history.ts';

export interface ComparedSides {
  readonly a: AskedSide;
  readonly b: AskedSide;
}

/** What stands beside each other: of one case, the measurement of each side. */
interface Pair {
  readonly a?: SideMeasurement;
  readonly b?: SideMeasurement;
}

/** What is compared, before it is judged. */
export interface PairedSides {
  readonly before: SideMeasurements;
  readonly after: SideMeasurements;
  readonly pairs: readonly Pair[];
}

/**
 * Judges every case of `b` against `a` on what is stored of both. Where a run measured both in turns, its measurements
 * are taken; else the newest of each, and the machine may have changed between them.
 */
export async function compareSides(
  history: History,
  asked: ComparedSides,
  host?: CodeHost,
): Promise<SidesComparison> {
  return judgeSides(history, await pairSides(history, asked), host);
}

export async function pairSides(history: History, { a, b }: ComparedSides): Promise<PairedSides> {
  const [before, after] = [await history.side(a), await history.side(b)];
  return { before, after, pairs: pairUp(before, after) };
}

export async function judgeSides(
  history: History,
  { before, after, pairs }: PairedSides,
  host?: CodeHost,
): Promise<SidesComparison> {
  const policy = JUDGE_DEFAULTS;
  const judged = await judge(history, pairs, policy);
  const verdicts = judged.filter((one) => one !== undefined);
  const counted = (which: 'a' | 'b'): number => pairs.filter((pair) => pair[which] !== undefined).length;
  return {
    schema: SIDES_SCHEMA,
    a: { ...facts(before), cases: counted('a') },
    b: { ...facts(after), cases: counted('b') },
    ...(verdicts.length === 0 ? {} : { verdict: worstVerdict(verdicts) }),
    thresholds: { regression_pct: policy.regressionPct, improvement_pct: policy.improvementPct },
    correction: policy.correction,
    commits: (await history.commits(namedCommits(before, after))).map((commit) => toldCommit(commit, host)),
    cases: pairs.map((pair, index) => caseOf(pair, judged[index])),
  };
}

function namedCommits(...sides: readonly SideMeasurements[]): string[] {
  return [...new Set(sides.flatMap(({ commit }) => commit ?? []))];
}

function facts({ commit, branch, device, driver }: SideMeasurements) {
  return defined({ commit, branch, device, driver });
}

/** By trend; between two devices, which no trend has both of, by what else a trend is known by. */
function pairUp(before: SideMeasurements, after: SideMeasurements): Pair[] {
  const isAcross =
    before.device !== undefined && after.device !== undefined && before.device !== after.device;
  const nameOf = isAcross ? nameOnAnyDevice : ({ key }: SideMeasurement): string => key.id;
  const [ofA, ofB] = [grouped(before, nameOf), grouped(after, nameOf)];
  const names = [...new Set([...ofA.keys(), ...ofB.keys()])];
  const pairs = names.map((name) => chosen(ofA.get(name) ?? [], ofB.get(name) ?? []));
  return pairs.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

function nameOnAnyDevice({ key, ownVariant }: SideMeasurement): string {
  const { kernel, case: name, mode, variant } = key;
  return JSON.stringify([kernel, name, mode, ownVariant ? variantText(variant ?? {}) : '']);
}

function grouped(
  { measurements }: SideMeasurements,
  nameOf: (one: SideMeasurement) => string,
): Map<string, SideMeasurement[]> {
  const found = new Map<string, SideMeasurement[]>();
  for (const one of measurements) {
    const name = nameOf(one);
    const known = found.get(name);
    if (known === undefined) found.set(name, [one]);
    else known.push(one);
  }
  return found;
}

function chosen(ofA: readonly SideMeasurement[], ofB: readonly SideMeasurement[]): Pair {
  const runs = new Map(ofA.map((one) => [one.run, one]));
  const together = newest(ofB.filter((one) => runs.has(one.run) && runs.get(one.run)!.id !== one.id));
  if (together !== undefined) return { a: runs.get(together.run)!, b: together };
  return defined({ a: newest(ofA), b: newest(ofB) });
}

/** By the time of its commit, then of its run; a head before a base, and what has a level before what has none. */
function newest(all: readonly SideMeasurement[]): SideMeasurement | undefined {
  const rank = (one: SideMeasurement): readonly number[] => [
    one.time_ms,
    one.level_ms === undefined ? 0 : 1,
    one.samples_of === one.id ? 1 : 0,
    one.started_ms,
  ];
  return all.toSorted((one, other) => {
    const [ranks, others] = [rank(one), rank(other)];
    const at = ranks.findIndex((value, index) => value !== others[index]);
    return at === -1 ? 0 : others[at]! - ranks[at]!;
  })[0];
}

function orderOf({ a, b }: Pair): string {
  const { kernel, case: name, mode, device, id } = (b ?? a)!.key;
  return JSON.stringify([kernel, name, mode, device, id]);
}

/** In the order of the pairs; undefined where `b` was not measured, or where samples are gone. */
async function judge(
  history: History,
  pairs: readonly Pair[],
  policy: JudgePolicy,
): Promise<(CaseComparison | undefined)[]> {
  const ids = pairs.flatMap(({ a, b }) => [a, b].flatMap((one) => (one === undefined ? [] : idsOf(one))));
  const stored = await history.measurements([...new Set(ids)]);
  const judgable = pairs.map(({ a, b }): JudgedPair | undefined => {
    const [baseline, candidate] = [a, b].map((one) => one && timedOf(one, stored));
    const isTaken = a !== undefined && baseline === undefined;
    return candidate === undefined || isTaken ? undefined : { baseline, candidate };
  });
  const judged = await judgePairsInTurns(
    judgable.filter((pair) => pair !== undefined),
    { ...policy, allowDeviceMismatch: true },
  );
  let next = 0;
  return judgable.map((pair) => (pair === undefined ? undefined : judged[next++]));
}

function idsOf({ id, samples_of }: SideMeasurement): string[] {
  return id === samples_of ? [id] : [id, samples_of];
}

/** As the judge takes it; undefined where retention has taken its samples: that it had some is not to be forgotten. */
function timedOf(
  { id, samples_of }: SideMeasurement,
  stored: ReadonlyMap<string, StoredMeasurement>,
): Measurement | undefined {
  const own = stored.get(id);
  if (own === undefined) return undefined;
  const all = (stored.get(samples_of) ?? own).series;
  const series = all.filter(({ samples_ms }) => samples_ms.length > 0);
  if (series.length < all.length) return undefined;
  return { ...own, series };
}

function caseOf({ a, b }: Pair, judged: CaseComparison | undefined): SideCase {
  return {
    key: (b ?? a)!.key,
    ...defined({ a: a && pointOf(a), b: b && pointOf(b) }),
    ...(a !== undefined && a.run === b?.run ? { together: true } : {}),
    ...(judged === undefined ? {} : { verdict: judged.verdict, reason: judged.reason }),
    ...defined({ hosts: judged?.hosts }),
    ...(judged?.state === 'estimated'
      ? { change_pct: judged.change_pct, ci_pct: judged.ci_pct, p_adjusted: judged.p_adjusted }
      : {}),
  };
}

function pointOf(one: SideMeasurement): SidePoint {
  const { id, run, commit, time_ms, key, level_ms, ci_ms, samples_of, thin } = one;
  return {
    measurement: samples_of,
    run,
    time: new Date(time_ms).toISOString(),
    device_class: key.device_class,
    ...defined({ commit, level_ms }),
    ...(ci_ms === undefined ? {} : { ci_ms: [ci_ms[0], ci_ms[1]] as [number, number] }),
    ...(samples_of === id ? {} : { carried: true }),
    ...(thin > 0 ? { thinned: true } : {}),
  };
}
