import type { Variant } from './variant.ts';

/** A variant in one line, tunables in name order: the same variant always has the same text. */
export function variantText(variant: Variant): string {
  return Object.keys(variant)
    .sort()
    .map((name) => `${name}=${String(variant[name])}`)
    .join(',');
}
