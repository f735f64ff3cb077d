/**
 * What runs cost: time on the device, and money where somebody said what an hour costs. `docs/cost.md` has the
 * rules. An amount is rounded to a millionth of its currency when it is computed and never again: sums are sums
 * of those amounts.
 */
import { z } from 'zod';
import { matchesWildcard } from '../text/wildcard.ts';

export const moneySchema = z.object({
  amount: z.number().nonnegative(),
  /** ISO 4217: `USD`. */
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Money = z.infer<typeof moneySchema>;

/** Part of the reports of what measures. */
export const runCostSchema = z.object({
  wall_s: z.number().nonnegative(),
  /** How long devices were held; two at the same time count twice. */
  device_s: z.number().nonnegative().optional(),
  /** Of the devices that have a price; absent where none has. Prices are never guessed. */
  money: moneySchema.optional(),
});
export type RunCost = z.infer<typeof runCostSchema>;

/** What an hour on a device costs, as `cost` of pawl.yaml says it. */
export interface Prices {
  readonly currency: string;
  /** By the device's name, or by a pattern in which `*` stands for any text. */
  readonly per_hour: Readonly<Record<string, number>>;
  readonly default?: number | undefined;
}

export const COST_ENTRY_SCHEMA = 'pawl.cost-entry/1';

/** A line of `.pawl/costs.jsonl`: one device of one run. */
export const costEntrySchema = z.object({
  schema: z.literal(COST_ENTRY_SCHEMA),
  /** Names the run: a second line of the same run and device is the same cost told twice. */
  run: z.string().min(1),
  /** When the run ended. */
  at: z.iso.datetime(),
  /** What ran: `bench`, `check`, `compare`, `fuzz`, `profile`, `tune` … */
  what: z.string().min(1),
  kernels: z.array(z.string()),
  device: z.string(),
  device_s: z.number().nonnegative(),
  wall_s: z.number().nonnegative(),
  money: moneySchema.optional(),
  commit: z.string().optional(),
  /** The pull request's number, where CI says that the run is about one. */
  pr: z.int().positive().optional(),
  study: z.string().optional(),
});
export type CostEntry = z.infer<typeof costEntrySchema>;

export const COST_SCHEMA = 'pawl.cost/1';

export const COST_GROUPS = ['run', 'pr', 'study', 'month', 'kernel', 'device'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

const costSumSchema = z.object({
  runs: z.int().nonnegative(),
  device_s: z.number().nonnegative(),
  wall_s: z.number().nonnegative(),
  /** One a currency: amounts of different currencies are never added. */
  money: z.array(moneySchema),
  /** The part of `device_s` that has no price. */
  unpriced_s: z.number().nonnegative(),
});
export type CostSum = z.infer<typeof costSumSchema>;

const costRowSchema = costSumSchema.extend({
  /** The run, the number, the month …; absent for what belongs to none: runs outside of pull requests, say. */
  key: z.string().optional(),
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
  what: z.array(z.string()),
  devices: z.array(z.string()),
});
export type CostRow = z.infer<typeof costRowSchema>;

export const costReportSchema = z.object({
  schema: z.literal(COST_SCHEMA),
  by: z.enum(COST_GROUPS),
  since: z.iso.datetime().optional(),
  ledger: z.string(),
  rows: z.array(costRowSchema),
  total: costSumSchema,
  /** Lines of the ledger that could not be read, and so are in no sum. */
  unreadable: z.int().nonnegative(),
});
export type CostReport = z.infer<typeof costReportSchema>;

/** Amounts are whole millionths, so that sums are exact. */
const MICROS = 1e6;

/** What so much time on a device costs; undefined where it has no price. */
export function costOf(device_s: number, deviceName: string, prices: Prices | undefined): Money | undefined {
  const perHour = prices && pricePerHour(deviceName, prices);
  if (prices === undefined || perHour === undefined) return undefined;
  return {
    amount: Math.round((device_s / 3600) * perHour * MICROS) / MICROS,
    currency: prices.currency,
  };
}

/** The price of exactly this name, or of the longest pattern that matches it, or the default. Case does not matter. */
function pricePerHour(deviceName: string, prices: Prices): number | undefined {
  const name = deviceName.toLowerCase();
  const entries = Object.entries(prices.per_hour).map(([pattern, price]) => ({
    pattern: pattern.toLowerCase(),
    price,
  }));
  const exact = entries.find(({ pattern }) => pattern === name);
  if (exact !== undefined) return exact.price;
  const [best] = entries
    .filter(({ pattern }) => pattern.includes('*') && matchesWildcard(name, pattern))
    .toSorted((one, other) => other.pattern.length - one.pattern.length);
  return best?.price ?? prices.default;
}

/** One amount a currency, by currency. */
export function addMoney(amounts: readonly Money[]): Money[] {
  const micros = new Map<string, number>();
  for (const { amount, currency } of amounts) {
    micros.set(currency, (micros.get(currency) ?? 0) + Math.round(amount * MICROS));
  }
  return [...micros]
    .map(([currency, sum]) => ({ amount: sum / MICROS, currency }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}
