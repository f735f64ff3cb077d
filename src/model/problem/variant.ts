import { z } from 'zod';

export { variantText } from './variant-text.ts';

/** One value of a tunable. */
const tunableValueSchema = z.union([z.number(), z.boolean(), z.string()]);
export type TunableValue = z.infer<typeof tunableValueSchema>;

/** One setting of all tunables of a kernel. `{}` for a kernel that has none. */
export const variantSchema = z.record(z.string(), tunableValueSchema);
export type Variant = z.infer<typeof variantSchema>;
