import { hashText } from './file-hasher.ts';

/** JSON with sorted keys and no spaces: equal values have equal text. A key without a value counts as absent. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${pairs.join(',')}}`;
}

/** SHA-256 of a value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return hashText(canonicalJson(value));
}
