import { openChannel } from './open-channel.ts';
import type { AlertsConfig } from '../config/alerts-schema.ts';
import type { AlertOutcome, History, StoredAlert } from '../history/history.ts';
import { DAY_MS, HOUR_MS } from '../model/text/moment.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Environment } from '../os/environment.ts';
import type { SendOutcome } from './channels/channel.ts';

export interface DeliverContext {
  readonly env: Environment;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** After this long without an answer a try is lost. */
  readonly timeout_ms?: number;
}

const TIMEOUT_MS = 10_000;
/** Longer than any try takes: a process that holds an alert for longer is dead. */
const LEASE_MS = 120_000;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 6 * HOUR_MS;
/** A server that was away over a weekend gets its alerts on Monday. */
const GIVE_UP_MS = 4 * DAY_MS;
/** A receiver that does not answer is asked again later, not for every waiting alert. */
const MOST_FAILURES = 3;

/** What was tried and its outcome. */
export interface Tried {
  readonly alert: StoredAlert;
  readonly outcome: AlertOutcome;
}

/** Sends what is due, to all places at once and to each in the order in which it was found. */
export async function deliverDue(
  history: History,
  config: AlertsConfig,
  context: DeliverContext,
): Promise<readonly Tried[]> {
  const names = Object.keys(config.subscriptions);
  const tried = await Promise.all(names.map((name) => deliverTo(history, config, name, context)));
  return tried.flat();
}

async function deliverTo(
  history: History,
  config: AlertsConfig,
  name: string,
  context: DeliverContext,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  let failures = 0;
  while (failures < MOST_FAILURES && !context.signal.aborted) {
    const alert = await history.claimAlert([name], context.now(), LEASE_MS);
    if (alert === undefined) break;
    const sent = await trySending(alert, config, context);
    const outcome = outcomeOf(alert, sent, context.now());
    await history.settleAlert(alert, outcome);
    tried.push({ alert, outcome });
    if (!sent.isSent) failures++;
  }
  return tried;
}

async function trySending(
  { alert, subscription }: StoredAlert,
  config: AlertsConfig,
  { env, now, signal, timeout_ms = TIMEOUT_MS }: DeliverContext,
): Promise<SendOutcome> {
  try {
    const channel = await openChannel(config.subscriptions[subscription]!, config, env);
    return await channel.send(alert, { now, signal, timeout_ms });
  } catch (error) {
    // A secret that is missing can be set, and nothing is lost until then.
    if (error instanceof PawlError) return { isSent: false, error: error.message };
    throw error;
  }
}

function outcomeOf({ tries, found_ms }: StoredAlert, sent: SendOutcome, now: Date): AlertOutcome {
  const at_ms = now.getTime();
  if (sent.isSent) return { state: 'sent', at_ms, ...(sent.note === undefined ? {} : { error: sent.note }) };
  const { error } = sent;
  const wait_ms = Math.max(
    Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)),
    1000 * (sent.retryAfter_s ?? 0),
  );
  if (at_ms + wait_ms - found_ms > GIVE_UP_MS) return { state: 'failed', at_ms, error };
  return { state: 'waiting', at_ms, next_ms: at_ms + wait_ms, error };
}
