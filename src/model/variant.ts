import { z } from 'zod';

/** One value of a tunable. */
const tunableValueSchema = z.union([z.number(), z.boolean(), z.string()]);
export type TunableValue = z.infer<typeof tunableValueSchema>;

/** One setting of all tunables of a kernel. `{}` for a kernel that has none. */
export const variantSchema = z.record(z.string(), tunableValueSchema);
export type Variant = z.infer<typeof variantSchema>;

/** A variant in one line, tunables in name order: the same variant always has the same text. */
export function variantText(variant: Variant): string {
  return Object.keys(variant)
    .sort()
    .map((name) => `${name}=${String(variant[name])}`)
    .join(',');
}
