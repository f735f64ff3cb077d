/** What may happen to an entry. Each takes a baseline and returns another, with one more record in its log. */
import { defined } from '../model/defined.ts';
import type { Baseline, BaselineEntry, Confirmation, EntryKey } from '../model/judge/baseline.ts';
import { caseLabel, isCaseOf } from '../model/judge/case-key.ts';
import { changeWords, intervalWords } from '../model/text/change-text.ts';
import type { CaseComparison } from '../model/judge/comparison.ts';
import { PawlError } from '../model/pawl-error.ts';
import { hashOf } from '../os/canonical-json.ts';
import { entryKeyText, keyId } from './entry-key.ts';
import { findEntry, knownKeys } from './find-entry.ts';
import { appendRecord, type NewRecord } from './log.ts';
import { confirmationOf, makeEntry, type Accepted, type Audit } from './make-entry.ts';
import { checkedReason, waiverFor } from './waivers.ts';

/** A key that the baseline does not have yet. It is new, not a win. */
export function addFirst(baseline: Baseline, accepted: Accepted, audit: Audit): Baseline {
  const entry = makeEntry(accepted, 'first', audit.time);
  const found = findEntry(baseline, entry.key);
  if (found.state === 'found') {
    throw new PawlError(
      'usage',
      `the baseline already has an entry for ${entryKeyText(entry.key)}`,
      'It changes by a confirmed improvement, an accepted regression or a reset.',
    );
  }
  const summary = found.state === 'new' ? 'first entry of this case' : `first entry: ${found.message}`;
  return put(baseline, entry, { type: 'first', key: entry.key, entry: hashOf(entry), summary }, audit);
}

/**
 * Moves an entry forward. `confirmation` is the verdict on the same case, from an interleaved measurement made for
 * this purpose: the result that raised the hope is not evidence for it a second time.
 */
export function advance(
  baseline: Baseline,
  accepted: Accepted,
  confirmation: CaseComparison,
  audit: Audit,
): Baseline {
  const confirmed = confirmedImprovement(confirmation);
  const entry = makeEntry(accepted, 'advance', audit.time, confirmed);
  requireEntry(baseline, entry.key);
  requireSameCase(entry.key, confirmation);
  const record: NewRecord = {
    type: 'advance',
    key: entry.key,
    entry: hashOf(entry),
    confirmation: confirmed,
    summary: confirmedText(confirmed),
  };
  return put(baseline, entry, record, audit);
}

export interface Acceptance {
  /** Needed where no waiver covers the key; a waiver's own reason is taken otherwise. */
  readonly reason?: string;
  /** What is accepted. */
  readonly comparison?: CaseComparison;
}

/** Takes a slower result as the new baseline, on purpose: under a waiver that is in force, or with a reason. */
export function accept(
  baseline: Baseline,
  accepted: Accepted,
  acceptance: Acceptance,
  audit: Audit,
): Baseline {
  const { comparison } = acceptance;
  const confirmation = comparison === undefined ? undefined : confirmationOf(comparison);
  const entry = makeEntry(accepted, 'accept', audit.time, confirmation);
  requireEntry(baseline, entry.key);
  if (comparison !== undefined) requireSameCase(entry.key, comparison);
  const waiver = waiverFor(baseline, entry.key, audit.time, confirmation);
  const reason = checkedReason(acceptance.reason ?? waiver?.reason ?? '', 'A regression is accepted');
  const record: NewRecord = {
    type: 'accept',
    key: entry.key,
    entry: hashOf(entry),
    reason,
    ...defined({ waiver: waiver?.hash, confirmation }),
    summary:
      confirmation === undefined
        ? 'accepted as it is'
        : `accepted on purpose: ${confirmedText(confirmation)}`,
  };
  return put(baseline, entry, record, audit);
}

/** Notes that the judge was changed and that a person has accepted it. The entries stay as they are. */
export function acceptJudge({ entries, log }: Baseline, changes: readonly string[], audit: Audit): Baseline {
  const summary = `accepted ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} of the judge`;
  return { entries, log: appendRecord(log, { type: 'judge', changes: [...changes], summary }, audit) };
}

/** Takes an entry out, or puts `replacement` in its place, without any evidence but a reason. */
export function reset(
  baseline: Baseline,
  key: EntryKey,
  reason: string,
  audit: Audit,
  replacement?: Accepted,
): Baseline {
  if (!knownKeys(baseline).some((known) => keyId(known) === keyId(key))) requireEntry(baseline, key);
  const why = checkedReason(reason, 'A baseline is reset');
  if (replacement === undefined) {
    const record = { type: 'reset', key, reason: why, summary: 'the entry was removed' } as const;
    return { entries: without(baseline, key), log: appendRecord(baseline.log, record, audit) };
  }
  const entry = makeEntry(replacement, 'reset', audit.time);
  if (keyId(entry.key) !== keyId(key)) {
    throw new PawlError(
      'usage',
      `${entryKeyText(entry.key)} cannot replace ${entryKeyText(key)}`,
      'Measure the same case on the same device class with the same toolchain.',
    );
  }
  const summary = 'replaced without a comparison';
  const record = { type: 'reset', key, entry: hashOf(entry), reason: why, summary } as const;
  return put(baseline, entry, record, audit);
}

/**
 * Starts again where the log can no longer be continued: no entry is left, and each is named in a new log that says
 * which file it replaces. History in git shows it (`verifyHistory`).
 */
export function restart(baseline: Baseline, replaces: string, reason: string, audit: Audit): Baseline {
  const why = checkedReason(reason, 'A baseline is reset');
  const summary = 'the entry was removed, and a new log was started';
  let log: Baseline['log'] = [];
  for (const key of knownKeys(baseline)) {
    log = appendRecord(log, { type: 'reset', key, reason: why, replaces, summary }, audit);
  }
  return { entries: [], log };
}

function put(baseline: Baseline, entry: BaselineEntry, record: NewRecord, audit: Audit): Baseline {
  const entries = [...without(baseline, entry.key), entry];
  // By key, so that a change of one entry is one place in a diff.
  entries.sort((a, b) => (keyId(a.key) < keyId(b.key) ? -1 : 1));
  return { entries, log: appendRecord(baseline.log, record, audit) };
}

function without({ entries }: Baseline, key: EntryKey): BaselineEntry[] {
  return entries.filter((each) => keyId(each.key) !== keyId(key));
}

function requireEntry(baseline: Baseline, key: EntryKey): void {
  const found = findEntry(baseline, key);
  if (found.state === 'found') return;
  throw new PawlError(
    'usage',
    `the baseline has no entry for ${entryKeyText(key)}${found.state === 'new' ? '' : ` (${found.message})`}`,
    'A new key begins with a first entry.',
  );
}

function confirmedImprovement(comparison: CaseComparison): Confirmation {
  const confirmation = confirmationOf(comparison);
  const refuse = (why: string): PawlError =>
    new PawlError(
      'usage',
      `the baseline does not advance: ${why}`,
      'Only a confirmed improvement changes it.',
    );
  if (comparison.state !== 'estimated' || confirmation === undefined || comparison.verdict !== 'improved') {
    throw refuse(`the confirmation calls ${comparison.case} ${comparison.verdict}`);
  }
  if (comparison.noise !== 'measured') {
    throw refuse(`${comparison.processes.join(' and ')} processes are too few to estimate their noise`);
  }
  return confirmation;
}

function requireSameCase(key: EntryKey, comparison: CaseComparison): void {
  if (isCaseOf(key, comparison)) return;
  throw new PawlError(
    'usage',
    `the comparison is about ${caseLabel(comparison)}, the measurement about ${entryKeyText(key)}`,
    'Give a comparison of that case.',
  );
}

function confirmedText({ change_pct, ci_pct, processes: [before, after] }: Confirmation): string {
  return `${changeWords(change_pct)} (${intervalWords(ci_pct)}; ${before} and ${after} processes)`;
}
