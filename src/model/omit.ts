/** All but these: what a narrower piece of work is not to be told. */
export function omit<Values extends object, Key extends keyof Values>(
  values: Values,
  ...names: readonly Key[]
): Omit<Values, Key> {
  const left = new Set<PropertyKey>(names);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !left.has(name))) as never;
}
