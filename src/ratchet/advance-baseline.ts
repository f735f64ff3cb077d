import { defined } from '../model/defined.ts';
import type { Baseline, EntryKey } from '../model/judge/baseline.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import { caseLabel, isCaseOf } from '../model/judge/case-key.ts';
import type { CaseComparison, Comparison } from '../model/judge/comparison.ts';
import { faultOf, type Fault } from '../model/measure/fault.ts';
import { acceptsLoad, isLoaded, type Load } from '../model/device/load.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import { entryKey, matchesPattern } from './entry-key.ts';
import { findEntry } from './find-entry.ts';
import { loadOn } from './load-on.ts';
import type { Audit } from './make-entry.ts';
import { accept, addFirst, advance } from './operations.ts';
import { changeBaseline, type ChangeOptions } from './baseline-file.ts';

export interface AdvanceOptions extends ChangeOptions {
  /** The measurements of the candidate. */
  readonly samples: Samples;
  /** The interleaved comparison that confirms them: only a case that it calls improved replaces an entry. */
  readonly confirmation?: Comparison;
  /** Slower cases to accept, with the reason; waived cases need no reason. */
  readonly accept?: { readonly pattern: string; readonly reason?: string };
  readonly allowUnchecked?: boolean;
  /** Accept measurements that were taken while other work ran on the machine. Default: $PAWL_ACCEPT_LOAD. */
  readonly acceptLoad?: boolean | undefined;
}

export interface LoadedEntry {
  readonly key: EntryKey;
  readonly load: Load;
  readonly isKept: boolean;
}

export interface AdvanceResult {
  readonly path: string;
  readonly first: readonly { readonly key: EntryKey; readonly note: string }[];
  readonly advanced: readonly EntryKey[];
  readonly accepted: readonly EntryKey[];
  /** Entries that stay, and why. */
  readonly kept: readonly { readonly key: EntryKey; readonly why: string }[];
  /** Cases with wrong results. They never become entries. */
  readonly refused: readonly { readonly case: string; readonly fault: Fault }[];
  /** Cases whose tolerance lets wrong results pass. They never become entries. */
  readonly unproven: readonly { readonly case: string; readonly why: string }[];
  /** Cases that were measured under load. They are written only with `acceptLoad`. */
  readonly loaded: readonly LoadedEntry[];
}

/**
 * Moves the baseline to the samples, as far as there is proof: new cases enter, and confirmed improvements replace
 * their entries. What stays is in the answer, with the reason.
 *
 * @throws {PawlError} of kind `bad-data` if the baseline was edited by hand or a result was not checked; `permission`
 * if it is signed and there is no key; `try-again` if another process writes it
 */
export async function advanceBaseline(options: AdvanceOptions): Promise<AdvanceResult> {
  const { samples, confirmation } = options;
  const first: { key: EntryKey; note: string }[] = [];
  const advanced: EntryKey[] = [];
  const accepted: EntryKey[] = [];
  const kept: { key: EntryKey; why: string }[] = [];
  const refused: { case: string; fault: Fault }[] = [];
  const unproven: { case: string; why: string }[] = [];
  const loaded: LoadedEntry[] = [];
  const { acceptLoad = acceptsLoad(options.env ?? process.env) } = options;
  const step = (baseline: Baseline, measurement: Measurement, audit: Audit): Baseline => {
    const fault = faultOf(measurement, samples.environment?.seed);
    if (fault !== undefined) {
      refused.push({ case: caseLabel(measurement), fault });
      return baseline;
    }
    const blind = blindTolerance(measurement.check);
    if (blind !== undefined) {
      unproven.push({ case: caseLabel(measurement), why: `${blind.message}. ${blind.remedy}` });
      return baseline;
    }
    const key = entryKey(measurement, samples);
    const found = findEntry(baseline, key);
    const candidate = { measurement, samples, allowUnchecked: options.allowUnchecked };
    const keep = (why: string): Baseline => {
      kept.push({ key, why });
      return baseline;
    };
    const mayWrite = (): boolean => {
      const load = loadOn(measurement, samples);
      if (!isLoaded(load)) return true;
      loaded.push({ key, load, isKept: acceptLoad });
      return acceptLoad;
    };
    if (measurement.series.length === 0) return keep('there is no series');
    if (found.state !== 'found') {
      if (!mayWrite()) return baseline;
      first.push({ key, note: found.state === 'new' ? 'a new case' : found.message });
      return addFirst(baseline, candidate, audit);
    }
    const comparison = confirmation && caseOf(confirmation, key);
    if (options.accept !== undefined && matchesPattern(options.accept.pattern, key)) {
      if (!mayWrite()) return baseline;
      accepted.push(key);
      const { reason } = options.accept;
      const acceptance = { ...defined({ reason }), ...(comparison && { comparison }) };
      return accept(baseline, candidate, acceptance, audit);
    }
    if (comparison === undefined) return keep('no change was confirmed');
    if (comparison.verdict !== 'improved') return keep(`${comparison.verdict}: ${comparison.reason}`);
    if (comparison.state !== 'estimated' || comparison.noise !== 'measured') {
      return keep('improved, but too few processes confirm it');
    }
    if (!mayWrite()) return baseline;
    advanced.push(key);
    return advance(baseline, candidate, comparison, audit);
  };
  const { path } = await changeBaseline(options, (before, audit) =>
    samples.measurements.reduce((baseline, measurement) => step(baseline, measurement, audit), before),
  );
  return { path, first, advanced, accepted, kept, refused, unproven, loaded };
}

function caseOf({ cases }: Comparison, key: EntryKey): CaseComparison | undefined {
  const found = cases.filter((one) => isCaseOf(key, one));
  if (found.length <= 1) return found[0];
  throw new PawlError(
    'bad-data',
    `the confirmation has more than one comparison of ${caseLabel(key)}`,
    'Add kernel, variant and mode to the compared files.',
  );
}
