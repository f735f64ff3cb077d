/**
 * Which case something is about: the fields that say it, a text for programs, comparisons, and texts for people.
 * Without a schema library: the dashboard loads this. A baseline's entry and a key of the history are known by more,
 * and what they are stored by is theirs (`ratchet/entry-key.ts`, `history/history-key.ts`).
 */
import type { CaseKey } from './comparison.ts';
import { variantText } from '../problem/variant-text.ts';

/** A document's key, or whatever else has its fields: the history has modes that are no longer measured. */
type CaseLike = Omit<CaseKey, 'mode'> & { readonly mode?: string | undefined };

/** Of what is known about a case, the fields that it is matched by. */
export function caseKeyOf({ kernel, case: name, variant, mode }: CaseKey): CaseKey {
  return { kernel, case: name, variant, mode };
}

/** The same for the same case, whatever else is known about it. Nothing stores it. */
export function caseId({ kernel, case: name, variant = {}, mode }: CaseLike): string {
  return JSON.stringify([kernel, name, variantText(variant), mode]);
}

export function isSameCase(one: CaseLike, other: CaseLike): boolean {
  return caseId(one) === caseId(other);
}

/** Whatever their variants: a change of the variant may be the very thing that is compared. */
export function isSameUpToVariant(one: CaseLike, other: CaseLike): boolean {
  return one.kernel === other.kernel && one.case === other.case && one.mode === other.mode;
}

/** Whether a comparison is about a key's case. A comparison of files from elsewhere may leave out all but the case. */
export function isCaseOf(key: CaseLike, { kernel, case: name, mode, variant }: CaseLike): boolean {
  const agrees = (a: string | undefined, b: string | undefined): boolean => b === undefined || a === b;
  return (
    key.case === name &&
    agrees(key.kernel, kernel) &&
    agrees(key.mode, mode) &&
    agrees(variantText(key.variant ?? {}), variant && variantText(variant))
  );
}

/** `kernel/case`, or the case where there is no kernel. */
export function caseLabel({ kernel, case: name }: Pick<CaseKey, 'kernel' | 'case'>): string {
  return kernel === undefined ? name : `${kernel}/${name}`;
}

/** As people read it, with all that it is matched by: `attention/training_512 (BLOCK_M=64, cold)`. */
export function caseText(key: CaseLike): string {
  const details = [variantText(key.variant ?? {}), key.mode ?? ''].filter((part) => part !== '');
  return details.length === 0 ? caseLabel(key) : `${caseLabel(key)} (${details.join(', ')})`;
}
