/** Looking at JSON of unknown shape: what is not there, or is something else, is undefined. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function field(value: unknown, name: string): unknown {
  const fields = fieldsOf(value);
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A field of a field: `path(value, 'meta', 'version')`. */
export function path(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(field, value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** What names numbers: dimensions of a case. A name that objects treat specially is left out. */
export function dimsOf(entries: Iterable<readonly [string, unknown]>): Record<string, number> | undefined {
  const dims = [...entries].filter(
    (entry): entry is readonly [string, number] =>
      typeof entry[1] === 'number' &&
      Number.isFinite(entry[1]) &&
      entry[0] !== '' &&
      entry[0] !== '__proto__',
  );
  return dims.length === 0 ? undefined : Object.fromEntries(dims);
}
