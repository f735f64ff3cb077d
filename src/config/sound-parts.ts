import type { z } from 'zod';

/** An entry of the file without what does not fit the schema. */
export interface SoundParts<Entry> {
  readonly value: Entry;
  /** Keys about which nothing can be concluded: broken, or absent beside a key that may be them misspelt. */
  readonly uncertain: ReadonlySet<string>;
}

/** What can be checked further although the schema found mistakes; undefined when nothing can. */
export function soundParts<Schema extends z.ZodObject>(
  schema: Schema,
  entry: unknown,
): SoundParts<z.output<Schema>> | undefined {
  const whole = schema.safeParse(entry);
  if (whole.success) return { value: whole.data, uncertain: new Set() };
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { issues } = whole.error;
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  );
  const broken = new Set([...issues.flatMap(({ path }) => path.slice(0, 1)).map(String), ...unknown]);
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !broken.has(key)));
  const parsed = schema.safeParse(rest);
  if (!parsed.success) return undefined;
  const absent = unknown.length === 0 ? [] : Object.keys(schema.shape).filter((key) => !(key in entry));
  return { value: parsed.data, uncertain: new Set([...broken, ...absent]) };
}
