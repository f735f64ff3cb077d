/** `pawl ratchet`: what may be asked of the baseline file, and what may be done to it. */
import { basename, dirname } from 'node:path';

import { defined } from '../model/defined.ts';
import type { Baseline, EntryKey, LogRecord, Provenance, WaiveRecord } from '../model/judge/baseline.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';
import { slowdownToWaive } from '../model/judge/slowdown.ts';
import { entryKeyText, matchesPattern } from '../ratchet/entry-key.ts';
import { readBaselineText, updateBaseline } from '../ratchet/update-baseline.ts';
import { verifyBaseline } from '../ratchet/verify-baseline.ts';
import { verifyHistory, type HistoryReport } from '../ratchet/verify-history.ts';
import { activeWaivers, endWaiver, waive, waiverFor, type WaiverRequest } from '../ratchet/waivers.ts';
import { median } from '../stats/quantile.ts';
import { readComparison } from '../judge/read-comparison.ts';
import { readSamples } from '../judge/read-samples.ts';
import { advanceBaseline, type AdvanceOptions, type AdvanceResult } from '../ratchet/advance-baseline.ts';
import {
  baselinePath,
  changeBaseline,
  keyFrom,
  openBaseline,
  timeOf,
  type ChangeOptions,
  type RatchetOptions,
} from '../ratchet/baseline-file.ts';

export type { ChangeOptions, RatchetOptions } from '../ratchet/baseline-file.ts';
export { advanceBaseline };
export { resetEntries } from '../ratchet/reset-entries.ts';

interface ShownEntry {
  readonly key: EntryKey;
  readonly text: string;
  /** Median of the process medians. */
  readonly median_ms: number;
  readonly processes: number;
  readonly samples: number;
  readonly provenance: Provenance;
  readonly waiver?: WaiveRecord;
}

export interface BaselineView {
  readonly path: string;
  /** False where there is no file yet. */
  readonly exists: boolean;
  readonly entries: readonly ShownEntry[];
  readonly waivers: readonly WaiveRecord[];
  readonly problems: readonly string[];
}

/**
 * Returns the entries of the baseline, the waivers in force, and what is wrong with the file. A baseline that does not
 * exist is empty.
 *
 * @throws {PawlError} of kind `configuration` if there is no pawl.yaml; `bad-data` if the file is not a baseline
 */
export async function showBaseline(options: RatchetOptions = {}): Promise<BaselineView> {
  const { path, text, baseline } = await openBaseline(options);
  const now = timeOf(options);
  return {
    path,
    exists: text !== undefined,
    entries: baseline.entries.map(({ key, series, provenance }) => {
      const waiver = waiverFor(baseline, key, now);
      return {
        key,
        text: entryKeyText(key),
        median_ms: median(series.map(({ samples_ms }) => median(samples_ms))),
        processes: series.length,
        samples: series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0),
        provenance,
        ...defined({ waiver }),
      };
    }),
    waivers: activeWaivers(baseline, now),
    problems:
      text === undefined ? [] : verifyBaseline(text, { key: keyFrom(options), label: basename(path) }),
  };
}

export interface BaselineLog {
  readonly path: string;
  readonly records: readonly LogRecord[];
}

/**
 * Returns the log of the baseline, the oldest record first. With `pattern`, only records of the entries that match.
 *
 * @throws {PawlError} as `showBaseline` does
 */
export async function baselineLog(
  options: RatchetOptions & { readonly pattern?: string } = {},
): Promise<BaselineLog> {
  const { path, baseline } = await openBaseline(options);
  const { pattern } = options;
  if (pattern === undefined) return { path, records: baseline.log };
  const keys = baseline.log.flatMap((record) => ('key' in record ? [record.key] : []));
  const meant = keys.filter((key) => matchesPattern(pattern, key));
  const isMeant = (record: LogRecord): boolean => {
    if ('key' in record) return matchesPattern(pattern, record.key);
    // The judge is that of every key.
    if (record.type === 'judge') return true;
    const waiver = record.type === 'waive' ? record : waiveRecord(baseline, record.waiver);
    return waiver !== undefined && meant.some((key) => matchesPattern(waiver.pattern, key));
  };
  return { path, records: baseline.log.filter(isMeant) };
}

function waiveRecord({ log }: Baseline, hash: string): WaiveRecord | undefined {
  return log.find((record): record is WaiveRecord => record.type === 'waive' && record.hash === hash);
}

export interface BaselineVerification {
  readonly path: string;
  /** The file was not edited by hand, and its history has no break. */
  readonly sound: boolean;
  readonly problems: readonly string[];
  /** `not-verified` where there is no key. */
  readonly signature: 'verified' | 'wrong' | 'not-verified';
  readonly history: HistoryReport;
}

/**
 * Looks for edits by hand in the baseline and for breaks in its git history, and verifies the signature where there is
 * a key.
 *
 * @throws {PawlError} of kind `unavailable` if there is no baseline or no git
 */
export async function verifyBaselineFile(options: RatchetOptions = {}): Promise<BaselineVerification> {
  const path = await baselinePath(options);
  const text = await readBaselineText(path);
  if (text === undefined) throw noBaseline(path);
  const key = keyFrom(options);
  const label = basename(path);
  const problems = verifyBaseline(text, { key, label });
  const isSigned = key !== undefined && problems.length === verifyBaseline(text, { label }).length;
  const history = await verifyHistory(dirname(path), path);
  return {
    path,
    sound: problems.length === 0 && (history.state !== 'checked' || history.breaks.length === 0),
    problems,
    signature: key === undefined ? 'not-verified' : isSigned ? 'verified' : 'wrong',
    history,
  };
}

export interface WaiveResult {
  readonly path: string;
  readonly record: LogRecord;
  /** The entries that the waiver covers. */
  readonly covered: readonly string[];
}

export interface WaiveOptions extends ChangeOptions, WaiverRequest {
  /** A report of `pawl check` or `pawl compare`. The slowdown that it measured is waived. */
  readonly comparison?: string;
}

/**
 * Allows a regression up to a size, which is given or read from a report, until a day. A larger regression still fails.
 *
 * @throws {PawlError} of kind `usage` if no size, reason or valid day is given, or the report has no such regression;
 * as `advanceBaseline` does if the file cannot be changed
 */
export async function waiveRegression(options: WaiveOptions): Promise<WaiveResult> {
  const slower_pct = options.slower_pct ?? (await measuredSlowdown(options));
  const { path, baseline } = await changeBaseline(options, (before, audit) =>
    waive(before, { ...options, slower_pct }, audit),
  );
  const covered = baseline.entries.filter(({ key }) => matchesPattern(options.pattern, key));
  return { path, record: baseline.log.at(-1)!, covered: covered.map(({ key }) => entryKeyText(key)) };
}

/** The largest slowdown that a report has of the cases that a waiver is for. */
async function measuredSlowdown({ comparison, pattern }: WaiveOptions): Promise<number> {
  if (comparison === undefined) {
    throw new PawlError(
      'usage',
      'A waiver needs the size of the slowdown.',
      ownHint('Give --slower PCT, or --comparison with the report.json of pawl check --out.'),
    );
  }
  const { cases } = await readComparison(comparison);
  const sizes = cases.flatMap((one) => {
    const isMeant = matchesPattern(pattern, {
      ...one,
      variant: one.variant ?? {},
      device: { name: '' },
      toolchain: {},
    });
    return isMeant && one.verdict === 'regressed' && one.state === 'estimated' ? [slowdownToWaive(one)] : [];
  });
  if (sizes.length > 0) return Math.max(...sizes);
  throw new PawlError(
    'usage',
    `${basename(comparison)} has no regression of ${pattern}.`,
    'Give the size with --slower PCT.',
  );
}

/**
 * Does the same as `advanceBaseline`, with a samples file and the comparison that confirms it.
 *
 * @throws {PawlError} as `advanceBaseline` does, and `usage` if a file does not exist
 */
export async function advanceFromFiles({
  samples,
  comparison,
  ...options
}: Omit<AdvanceOptions, 'samples' | 'confirmation'> & {
  readonly samples: string;
  readonly comparison?: string;
}): Promise<AdvanceResult> {
  const confirmation = comparison === undefined ? undefined : await readComparison(comparison);
  return advanceBaseline({
    ...options,
    samples: await readSamples(samples),
    ...defined({ confirmation }),
  });
}

/**
 * Ends a waiver before its day. `record` is its number in the log.
 *
 * @throws {PawlError} of kind `usage` if that record is not a waiver in force
 */
export async function endWaiverEarly(
  options: ChangeOptions & { readonly record: number; readonly reason: string },
): Promise<{ readonly path: string; readonly record: LogRecord }> {
  const { path, baseline } = await changeBaseline(options, (before, audit) =>
    endWaiver(before, options.record, options.reason, audit),
  );
  return { path, record: baseline.log.at(-1)! };
}

/**
 * Signs a baseline that has no signature, with the key in `PAWL_BASELINE_KEY`.
 *
 * @throws {PawlError} of kind `usage` if there is no key; `unavailable` if there is no baseline
 */
export async function signBaseline(options: RatchetOptions = {}): Promise<{ readonly path: string }> {
  const path = await baselinePath(options);
  const key = keyFrom(options);
  if (key === undefined) {
    throw new PawlError('usage', 'No key to sign the baseline with.', 'Set $PAWL_BASELINE_KEY.');
  }
  if ((await readBaselineText(path)) === undefined) throw noBaseline(path);
  await updateBaseline(path, (baseline) => baseline, { key, adopt: true });
  return { path };
}

function noBaseline(path: string): PawlError {
  return new PawlError(
    'unavailable',
    `There is no baseline at ${path}.`,
    ownHint(
      '`pawl ratchet advance` starts one from a run; so does `pawl check` on the main branch.',
      'ratchet advance',
    ),
  );
}
