/** Alerts: what a subscriber is told of a change, and what became of the telling. */
import { z } from 'zod';

import { intervalSchema } from '../judge/comparison.ts';
import { historyKeySchema, trendChangeSchema } from '../history/history.ts';

export const ALERT_SCHEMA = 'pawl.alert/1';
export const ALERTS_SCHEMA = 'pawl.alerts/1';
export const ALERTS_SENT_SCHEMA = 'pawl.alerts-sent/1';
export const ALERT_TEST_SCHEMA = 'pawl.alert-test/1';

/** Where an alert can go. */
const ALERT_CHANNELS = ['webhook', 'slack', 'discord', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** A step or a creep of a trend, or a change that a check confirmed. */
const CHANGE_KINDS = ['step', 'creep', 'verdict'] as const;

const { hosts, settings } = trendChangeSchema.shape;

const alertChangeSchema = z.object({
  kind: z.enum(CHANGE_KINDS),
  direction: z.enum(['slower', 'faster']),
  /** Absent where a check confirmed it without an estimate. */
  change_pct: z.number().optional(),
  ci_pct: intervalSchema.optional(),
  /** The first commit after it; of a creep, its last. */
  commit: z.string(),
  previous_commit: z.string().optional(),
  subject: z.string().optional(),
  /** Of the commit where it is known, else of the run. */
  time: z.string(),
  branch: z.string().optional(),
  /** The run that measured the commit. */
  run: z.string().optional(),
  hosts,
  settings,
});
export type AlertChange = z.infer<typeof alertChangeSchema>;

/** The body of a webhook. Other channels are told the same in words. */
export const alertSchema = z.object({
  schema: z.literal(ALERT_SCHEMA),
  /** The same at every try: a receiver can leave out a repeated one. */
  id: z.string(),
  subscription: z.string(),
  /** Sent by `pawl alerts test`: nothing changed. */
  test: z.boolean().optional(),
  found_at: z.string(),
  key: historyKeySchema,
  change: alertChangeSchema,
  /** One line, and what is known besides. */
  title: z.string(),
  details: z.array(z.string()),
  /** The page of the change, where pawl.yaml says where the dashboard is. */
  url: z.string().optional(),
});
/** One change of a trend or a verdict, as a subscriber receives it (`pawl.alert/1`). */
export type Alert = z.infer<typeof alertSchema>;

/**
 * `waiting`: to be sent, or to be tried again. `failed`: tried for days and given up. `before`: not news, because it was
 * there before the subscription; it is never sent.
 */
const ALERT_STATES = ['waiting', 'sent', 'failed', 'before'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

const deliverySchema = z.object({
  id: z.string(),
  subscription: z.string(),
  state: z.enum(ALERT_STATES),
  title: z.string(),
  url: z.string().optional(),
  found_at: z.string(),
  tries: z.int().nonnegative(),
  next_try_at: z.string().optional(),
  sent_at: z.string().optional(),
  /** Why the last try failed. Never holds a secret. */
  error: z.string().optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;

const subscriptionStateSchema = z.object({
  name: z.string(),
  channel: z.enum(ALERT_CHANNELS),
  /** Mail addresses, or the name of the variable that holds the address. */
  to: z.string(),
  changes: z.enum(['all', 'slower', 'faster']),
  kernels: z.array(z.string()),
  branches: z.array(z.string()),
  devices: z.array(z.string()),
  /** Since when changes are reported; absent where they were not looked for yet. */
  since: z.string().optional(),
  /** What is missing before it can send, in words. */
  missing: z.string().optional(),
  waiting: z.int().nonnegative(),
  sent: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});
export type SubscriptionState = z.infer<typeof subscriptionStateSchema>;

/** `pawl alerts --json`. */
export const alertsReportSchema = z.object({
  schema: z.literal(ALERTS_SCHEMA),
  store: z.string(),
  subscriptions: z.array(subscriptionStateSchema),
  /** Newest first; at most 50, without those that are not news. */
  deliveries: z.array(deliverySchema),
});
/** What `listAlerts` returns: subscriptions with their counts, and the newest deliveries (`pawl.alerts/1`). */
export type AlertsReport = z.infer<typeof alertsReportSchema>;

/** `pawl alerts send --json`. */
export const alertsSentSchema = z.object({
  schema: z.literal(ALERTS_SENT_SCHEMA),
  store: z.string(),
  dry_run: z.boolean(),
  /** Changes that were new to a subscription. */
  found: z.int().nonnegative(),
  /** What was tried now; with `dry_run`, what would be. */
  tried: z.array(deliverySchema),
  /** Still to be sent, now or later. */
  waiting: z.int().nonnegative(),
});
/**
 * What `sendAlerts` returns: how many changes it found, what it tried to send, and how many still wait
 * (`pawl.alerts-sent/1`).
 */
export type AlertsSent = z.infer<typeof alertsSentSchema>;

/** `pawl alerts test --json`. */
export const alertTestSchema = z.object({
  schema: z.literal(ALERT_TEST_SCHEMA),
  subscription: z.string(),
  channel: z.enum(ALERT_CHANNELS),
  dry_run: z.boolean(),
  sent: z.boolean(),
  error: z.string().optional(),
  /** What was sent, or would be, without the address. */
  message: z.unknown(),
});
/** What `testAlert` returns: the test message, and whether it was sent (`pawl.alert-test/1`). */
export type AlertTest = z.infer<typeof alertTestSchema>;
