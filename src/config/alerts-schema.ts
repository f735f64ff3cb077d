import { z } from 'zod';

import { nameSchema } from './formula-schema.ts';

/**
 * Only variables made for alerts may be named, and an address with its password is one variable: anyone who can change
 * pawl.yaml in a pull request must not be able to have another secret of the machine sent somewhere.
 */
const ALERT_VARIABLE = /^PAWL_ALERT_[A-Z0-9_]{1,60}(?<!_FILE)$/u;

const variableSchema = z.string().regex(ALERT_VARIABLE, {
  error:
    'is not the name of a variable for alerts (PAWL_ALERT_…): addresses and passwords stay out of pawl.yaml',
});

const patternsSchema = z.array(z.string().min(1).max(200)).max(100).default([]);

const CHANNELS = ['webhook', 'slack', 'discord', 'mail'] as const;

const subscriptionSchema = z
  .strictObject({
    webhook: variableSchema.optional().describe('Variable with the address that receives the alert as JSON.'),
    slack: variableSchema
      .optional()
      .describe('Variable with the address of an incoming webhook of Slack, Mattermost or Rocket.Chat.'),
    discord: variableSchema.optional().describe('Variable with the address of a webhook of Discord.'),
    mail: z.array(z.email()).min(1).max(50).optional().describe('Mail addresses.'),
    secret: variableSchema
      .optional()
      .describe('For a webhook: variable with the secret that signs the body.'),
    changes: z.enum(['all', 'slower', 'faster']).default('all').describe('Which changes.'),
    kernels: patternsSchema.describe('Only these kernels; `*` stands for any text.'),
    branches: patternsSchema.describe('Only changes measured on these branches; `*` stands for any text.'),
    devices: patternsSchema.describe('Only devices with one of these in their name.'),
  })
  .superRefine((one, context) => {
    const named = CHANNELS.filter((channel) => one[channel] !== undefined);
    if (named.length !== 1) {
      context.addIssue({ code: 'custom', message: `needs exactly one of ${CHANNELS.join(', ')}` });
    }
    if (one.secret !== undefined && one.webhook === undefined) {
      context.addIssue({ code: 'custom', path: ['secret'], message: 'only a webhook is signed' });
    }
  });
export type SubscriptionConfig = z.output<typeof subscriptionSchema>;

export const alertsSchema = z
  .strictObject({
    dashboard: z
      .url({ protocol: /^https?$/u })
      .optional()
      .describe('Address of `pawl serve`, for links to changes.'),
    smtp: variableSchema
      .default('PAWL_ALERT_SMTP')
      .describe('Variable with the mail server: smtps://user:password@mail.example.org.'),
    from: z.email().optional().describe('The sender of mails.'),
    subscriptions: z
      .record(nameSchema, subscriptionSchema)
      .refine((record) => Object.keys(record).length > 0, { error: 'needs at least one subscription' })
      .describe('Who is notified of confirmed changes.'),
  })
  .superRefine(({ from, subscriptions }, context) => {
    if (from === undefined && Object.values(subscriptions).some(({ mail }) => mail !== undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['from'],
        message: 'is needed if a subscription is a mail',
      });
    }
  });
export type AlertsConfig = z.output<typeof alertsSchema>;
