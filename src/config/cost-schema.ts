import { z } from 'zod';

const priceSchema = z.number().nonnegative().max(1_000_000);

/** `cost` of pawl.yaml: what an hour on a device costs. Nothing is assumed about prices that are not here. */
export const costConfigSchema = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/, { error: 'a currency such as USD or EUR (ISO 4217)' }),
    per_hour: z
      .record(z.string().min(1), priceSchema)
      .default({})
      .describe("Price of an hour by the device's name; `*` stands for any text."),
    default: priceSchema.optional().describe('Price of an hour on any other device.'),
  })
  .describe('What an hour on a device costs; without it, only device time is reported.');
