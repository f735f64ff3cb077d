/** Without what was not said: a default must not be overwritten by undefined, and a file has no nulls. */
export function defined<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  ) as never;
}
