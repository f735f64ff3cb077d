import type { Baseline, BaselineEntry, EntryKey } from '../model/judge/baseline.ts';
import { caseLabel, isSameCase } from '../model/judge/case-key.ts';
import { PawlError } from '../model/pawl-error.ts';
import { canonicalJson } from '../os/canonical-json.ts';
import { deviceClassText, entryKeyText, keyId, matchesPattern, toolchainText } from './entry-key.ts';

/**
 * What the baseline knows of a key. An entry of another device class or toolchain is never handed out for it:
 * `message` says which there are, so that a new entry does not start silently.
 */
export type FoundEntry =
  | { readonly state: 'found'; readonly entry: BaselineEntry }
  | { readonly state: 'new' }
  | {
      readonly state: 'other-device-class' | 'other-toolchain';
      readonly others: readonly EntryKey[];
      readonly message: string;
    };

export function findEntry({ entries }: Baseline, key: EntryKey): FoundEntry {
  const id = keyId(key);
  const entry = entries.find((each) => keyId(each.key) === id);
  if (entry !== undefined) return { state: 'found', entry };
  const sameCase = entries.map((each) => each.key).filter((other) => isSameCase(other, key));
  if (sameCase.length === 0) return { state: 'new' };
  const device = canonicalJson(key.device);
  const sameDevice = sameCase.filter((other) => canonicalJson(other.device) === device);
  if (sameDevice.length > 0) {
    const known = sameDevice.map(({ toolchain }) => toolchainText(toolchain)).join('; ');
    return {
      state: 'other-toolchain',
      others: sameDevice,
      message: `${caseLabel(key)} was built with ${toolchainText(key.toolchain)}; the baseline knows it with ${known}`,
    };
  }
  const known = [...new Set(sameCase.map((other) => deviceClassText(other.device)))].join('; ');
  return {
    state: 'other-device-class',
    others: sameCase,
    message: `${caseLabel(key)} ran on ${deviceClassText(key.device)}; the baseline knows it on ${known}`,
  };
}

/** The keys of the entries, and of those that the log says are there and are not: taken out by hand. */
export function knownKeys({ entries, log }: Baseline): EntryKey[] {
  const keys = new Map(entries.map(({ key }) => [keyId(key), key]));
  const isIn = new Set(keys.keys());
  for (const record of log) {
    if (!('key' in record) || isIn.has(keyId(record.key))) continue;
    if (record.entry === undefined) keys.delete(keyId(record.key));
    else keys.set(keyId(record.key), record.key);
  }
  return [...keys.values()];
}

/** The known keys that a pattern means; at least one, or it is a mistake. */
export function matchingKeys(baseline: Baseline, pattern: string): EntryKey[] {
  const known = knownKeys(baseline);
  const meant = known.filter((key) => matchesPattern(pattern, key));
  if (meant.length > 0) return meant;
  throw new PawlError(
    'usage',
    `No entry of the baseline matches "${pattern}".`,
    known.length === 0 ? 'The baseline has no entries.' : `Entries: ${known.map(entryKeyText).join('; ')}`,
  );
}
