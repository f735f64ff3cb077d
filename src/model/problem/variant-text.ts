/** A `Variant` in one line, tunables in name order: the same variant always has the same text. */
export function variantText(variant: Readonly<Record<string, unknown>>): string {
  return Object.keys(variant)
    .sort()
    .map((name) => `${name}=${String(variant[name])}`)
    .join(',');
}
