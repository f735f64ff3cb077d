/**
 * Two runs on the main branch may move the same baseline. Lines of the file cannot be merged (each record holds the
 * hash of the one before it), so what one run did is done again on top of what the other one left.
 */
import { defined } from '../model/defined.ts';
import type { Baseline, Confirmation, EntryKey, LogRecord } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import { entryKeyText, keyId } from './entry-key.ts';
import { appendRecord } from './log.ts';

export interface RebasedBaseline {
  readonly baseline: Baseline;
  /** What of ours stands in it. */
  readonly taken: readonly EntryKey[];
  /** What of ours does not, because of what the other side holds. */
  readonly leftOut: readonly { readonly key: EntryKey; readonly why: string }[];
}

type Automatic = Extract<LogRecord, { type: 'first' | 'advance' }>;

/** How many records two logs have in common from their beginning. */
export function sharedRecords(one: Baseline, other: Baseline): number {
  const end = one.log.findIndex((record, index) => record.hash !== other.log[index]?.hash);
  return end === -1 ? one.log.length : end;
}

/**
 * Does on `onto` what `ours` did after its first `shared` records. Both sides' entries are kept; for a key that both
 * moved, the one that is proven faster stands, and without proof the one that was there first.
 *
 * @throws {PawlError} where ours holds a change that a person makes: only they can say whether it still holds
 */
export function rebaseBaseline(ours: Baseline, onto: Baseline, shared: number): RebasedBaseline {
  const tails = byKey(ours.log.slice(shared).map(automatic));
  const others = byKey(onto.log.slice(isContinued(ours, onto, shared) ? shared : 0).filter(hasKey));
  const taken: EntryKey[] = [];
  const leftOut: { key: EntryKey; why: string }[] = [];
  let baseline = onto;
  for (const [id, records] of tails) {
    const [{ key }] = records;
    const entry = ours.entries.find((each) => keyId(each.key) === id);
    const other = others.get(id);
    const why = other === undefined ? undefined : whyTheirs(records, other);
    if (entry === undefined || why !== undefined) {
      leftOut.push({ key, why: why ?? 'it was removed again' });
      continue;
    }
    taken.push(key);
    const rest = baseline.entries.filter((each) => keyId(each.key) !== id);
    const entries = [...rest, entry].sort((a, b) => (keyId(a.key) < keyId(b.key) ? -1 : 1));
    const log = records.reduce<readonly LogRecord[]>(
      (before, record) => again(before, record, other?.at(-1)),
      baseline.log,
    );
    baseline = { entries, log };
  }
  return { baseline, taken, leftOut };
}

function isContinued(ours: Baseline, onto: Baseline, shared: number): boolean {
  return shared === 0 || ours.log[shared - 1]?.hash === onto.log[shared - 1]?.hash;
}

function automatic(record: LogRecord): Automatic {
  if (record.type === 'first' || record.type === 'advance') return record;
  throw new PawlError(
    'usage',
    `The baseline has a change that a person made (${record.type}: ${record.summary}), which no run may repeat.`,
    'Commit such changes yourself, in a separate pull request.',
  );
}

type Keyed = Extract<LogRecord, { key: unknown }>;

function hasKey(record: LogRecord): record is Keyed {
  return 'key' in record;
}

function byKey<R extends Keyed>(records: readonly R[]): Map<string, [R, ...R[]]> {
  const groups = new Map<string, [R, ...R[]]>();
  for (const record of records) {
    const group = groups.get(keyId(record.key));
    if (group === undefined) groups.set(keyId(record.key), [record]);
    else group.push(record);
  }
  return groups;
}

/** Why the other side's entry stands; undefined where ours is proven to be the faster one. */
function whyTheirs(ours: readonly Automatic[], theirs: readonly Keyed[]): string | undefined {
  const last = theirs.at(-1)!;
  const where = `record ${last.n} of the log`;
  if (theirs.some(({ type }) => type === 'reset' || type === 'accept')) {
    return `a person changed the entry meanwhile (${where}); the next run measures it again`;
  }
  const [mine, other] = [shareLeft(ours), shareLeft(theirs)];
  if (mine === undefined || other === undefined) return `another run added it first (${where})`;
  // Both were measured beside the same commit, so their intervals can be compared where the times cannot.
  return mine[1] < other[0]
    ? undefined
    : `another run updated it meanwhile (${where}), and ours is not proven faster`;
}

/** The share of the time that is left after all of the confirmed gains, lower end first; undefined for a first entry. */
function shareLeft(records: readonly Keyed[]): readonly [number, number] | undefined {
  let share: readonly [number, number] = [1, 1];
  for (const record of records) {
    if (record.type !== 'advance') return undefined;
    const { ci_pct }: Confirmation = record.confirmation;
    share = [share[0] * (1 - ci_pct[1] / 100), share[1] * (1 - ci_pct[0] / 100)];
  }
  return share;
}

function again(log: Baseline['log'], record: Automatic, beside: Keyed | undefined): LogRecord[] {
  const { n: _, prev: __, hash: ___, time, author, commit, ...rest } = record;
  const note = beside === undefined ? '' : `; measured while record ${beside.n} was, and faster than it`;
  const audit = { author, time: new Date(time), ...defined({ commit }) };
  return appendRecord(log, { ...rest, summary: `${rest.summary}${note}` }, audit);
}

export function leftOutText({ key, why }: RebasedBaseline['leftOut'][number]): string {
  return `${entryKeyText(key)}: ${why}`;
}
