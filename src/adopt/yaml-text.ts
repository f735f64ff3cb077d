import { parseDocument, stringify } from 'yaml';

/** A value as a scalar inside of `[…]` or `{…}`, in quotes where YAML needs them. */
export function inlineText(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const plain = parseDocument(`[${value}]`);
  const [item, ...others] = plain.errors.length > 0 ? [] : ((plain.toJS() as unknown[] | null) ?? []);
  const isPlain = others.length === 0 && item === value && !/[#]/u.test(value);
  return isPlain ? value : stringify(value, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 }).trim();
}
