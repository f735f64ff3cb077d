/** `pawl alerts`: who is told of changes, what was sent, and what waits. */
import { messageFor, openChannel, targetOf } from '../alerts/open-channel.ts';
import type { AlertsConfig, SubscriptionConfig } from '../config/alerts-schema.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import type { StoredAlert } from '../history/history.ts';
import {
  ALERT_SCHEMA,
  ALERT_TEST_SCHEMA,
  ALERTS_SCHEMA,
  ALERTS_SENT_SCHEMA,
  type Alert,
  type AlertChange,
  type AlertsReport,
  type AlertsSent,
  type AlertTest,
  type Delivery,
  type SubscriptionState,
} from '../model/server/alert.ts';
import { defined } from '../model/defined.ts';
import type { HistoryKey } from '../model/history/history.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Environment } from '../os/environment.ts';
import { processContext } from '../os/run-context.ts';
import { alertDetails, alertTitle } from '../report/text/alert-text.ts';
import { loadAlerts } from '../config/load-alerts.ts';
import { findAllNews, tellChanges } from './alerts/tell-changes.ts';
import { openHistory, type HistoryOptions } from './history.ts';

/** The project and the history whose subscriptions are meant. */
export interface AlertsOptions extends HistoryOptions {
  readonly env?: Environment | undefined;
  readonly now?: () => Date;
}

const MOST_SHOWN = 50;

/**
 * Returns the subscriptions of pawl.yaml with their counts, and the 50 newest deliveries. Sends nothing.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml has no `alerts`; `unavailable` if the history does not
 * answer
 */
export async function listAlerts(options: AlertsOptions): Promise<AlertsReport> {
  const config = await loadAlerts(options.config);
  const { env } = processContext(options);
  const history = await openHistory(options);
  try {
    const counts = await history.alertCounts();
    const since = await history.alertSubscriptions();
    const count = (name: string, state: Delivery['state']): number =>
      counts.find((one) => one.subscription === name && one.state === state)?.count ?? 0;
    const subscriptions: SubscriptionState[] = [];
    for (const [name, one] of Object.entries(config.subscriptions)) {
      const { changes, kernels, branches, devices } = one;
      subscriptions.push({
        name,
        ...targetOf(one),
        changes,
        kernels,
        branches,
        devices,
        ...defined({
          since: since.get(name)?.toISOString(),
          missing: await whatIsMissing(one, config, env),
        }),
        waiting: count(name, 'waiting'),
        sent: count(name, 'sent'),
        failed: count(name, 'failed'),
      });
    }
    const shown = await history.alerts({ states: ['waiting', 'sent', 'failed'], limit: MOST_SHOWN });
    return {
      schema: ALERTS_SCHEMA,
      store: history.place,
      subscriptions,
      deliveries: shown.map(deliveryOf),
    };
  } finally {
    await history.close();
  }
}

async function whatIsMissing(
  one: SubscriptionConfig,
  config: AlertsConfig,
  env: Environment,
): Promise<string | undefined> {
  try {
    await openChannel(one, config, env);
    return undefined;
  } catch (error) {
    if (error instanceof PawlError) return error.message;
    throw error;
  }
}

/** Which alerts to send, and how. */
export interface SendAlertsOptions extends AlertsOptions {
  readonly dryRun?: boolean | undefined;
  /** Also retry deliveries that were given up. */
  readonly retryFailed?: boolean | undefined;
  /** How long to wait for the answer of a channel. */
  readonly timeout_ms?: number;
}

/**
 * Finds changes that no one was told of, stores them, and sends what is due. If it is interrupted, the next call
 * continues. A delivery that fails is in the answer and is not an exception.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml has no `alerts`; `unavailable` if the history does not
 * answer
 */
export async function sendAlerts(options: SendAlertsOptions): Promise<AlertsSent> {
  const config = await loadAlerts(options.config);
  const { env, now, signal } = processContext(options);
  const names = Object.keys(config.subscriptions);
  const history = await openHistory(options);
  try {
    const common = { schema: ALERTS_SENT_SCHEMA, store: history.place } as const;
    const waitingNow = async (): Promise<readonly StoredAlert[]> =>
      (await history.alerts({ states: ['waiting'] })).filter(({ subscription }) =>
        names.includes(subscription),
      );
    if (options.dryRun === true) {
      const news = await findAllNews(history, config, now(), true);
      const waiting = await waitingNow();
      const found = news.map(({ alert }) => deliveryOfNews(alert));
      return {
        ...common,
        dry_run: true,
        found: news.length,
        tried: [...waiting.map(deliveryOf), ...found],
        waiting: waiting.length + news.length,
      };
    }
    if (options.retryFailed === true) await history.retryAlerts(names, now());
    const { news, tried } = await tellChanges(history, config, {
      env,
      now,
      signal,
      ...defined({ timeout_ms: options.timeout_ms }),
    });
    return {
      ...common,
      dry_run: false,
      found: news.length,
      tried: tried.map(({ alert, outcome }) => {
        const { state, at_ms, next_ms = at_ms, error = null } = outcome;
        return deliveryOf({ ...alert, state, next_ms, error, sent_ms: state === 'sent' ? at_ms : null });
      }),
      waiting: (await waitingNow()).length,
    };
  } finally {
    await history.close();
  }
}

function deliveryOf({ alert, id, subscription, state, ...row }: StoredAlert): Delivery {
  const { found_ms, next_ms, sent_ms, tries, error } = row;
  return {
    id,
    subscription,
    state,
    title: alert.title,
    found_at: new Date(found_ms).toISOString(),
    tries,
    ...(state === 'waiting' ? { next_try_at: new Date(next_ms).toISOString() } : {}),
    ...(sent_ms === null ? {} : { sent_at: new Date(sent_ms).toISOString() }),
    ...defined({ url: alert.url, error }),
  };
}

function deliveryOfNews({ id, subscription, title, found_at, url }: Alert): Delivery {
  return { id, subscription, state: 'waiting', title, found_at, tries: 0, ...defined({ url }) };
}

/**
 * Sends a test message to one subscription. It is not stored.
 *
 * @throws {PawlError} of kind `usage` if pawl.yaml has no such subscription; `configuration` if it has no `alerts`, or
 * the channel lacks a setting
 */
export async function testAlert(
  options: AlertsOptions & { readonly name: string; readonly dryRun?: boolean | undefined },
): Promise<AlertTest> {
  const { name, dryRun = false } = options;
  const config = await loadAlerts(options.config);
  const { env, now, signal } = processContext(options);
  const subscription = config.subscriptions[name];
  if (subscription === undefined) {
    const known = Object.keys(config.subscriptions);
    throw new PawlError(
      'usage',
      `pawl.yaml has no subscription "${name}"${didYouMean(name, known)}.`,
      `It has: ${known.join(', ')}`,
    );
  }
  const alert = testMessage(name, config.dashboard, now());
  const sent = dryRun
    ? undefined
    : await (
        await openChannel(subscription, config, env)
      ).send(alert, { now, signal, timeout_ms: TEST_TIMEOUT_MS });
  const error = sent === undefined ? undefined : sent.isSent ? sent.note : sent.error;
  return {
    schema: ALERT_TEST_SCHEMA,
    subscription: name,
    channel: targetOf(subscription).channel,
    dry_run: dryRun,
    sent: sent?.isSent === true,
    ...defined({ error }),
    message: messageFor(subscription, config, alert),
  };
}

const TEST_TIMEOUT_MS = 10_000;
const TEST_COMMIT = '0123456789abcdef0123456789abcdef01234567';

function testMessage(subscription: string, dashboard: string | undefined, now: Date): Alert {
  const key: HistoryKey = {
    id: 'test',
    kernel: 'test',
    case: 'test',
    variant: {},
    mode: 'cold',
    device: 'no device',
    device_class: 'no device',
  };
  const change: AlertChange = {
    kind: 'step',
    direction: 'slower',
    change_pct: -10,
    ci_pct: [-11, -9],
    commit: TEST_COMMIT,
    subject: 'a commit that does not exist',
    time: now.toISOString(),
  };
  return {
    schema: ALERT_SCHEMA,
    id: `test-${now.getTime()}`,
    subscription,
    test: true,
    found_at: now.toISOString(),
    key,
    change,
    title: `Test of the subscription ${subscription}, nothing changed: ${alertTitle(key, change)}`,
    details: alertDetails(key, change),
    ...(dashboard === undefined ? {} : { url: dashboard }),
  };
}
