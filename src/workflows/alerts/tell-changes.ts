import type { AlertsConfig } from '../../config/alerts-schema.ts';
import type { History, NewAlert } from '../../history/history.ts';
import { changedTrends, noteNews, RunsById } from './find-news.ts';
import { deliverDue, type DeliverContext, type Tried } from '../../alerts/deliver-due.ts';

export interface Told {
  readonly news: readonly NewAlert[];
  readonly tried: readonly Tried[];
}

/** Finds what is new to each subscription, notes it in the store, and only then sends what is due. */
export async function tellChanges(
  history: History,
  config: AlertsConfig,
  { look = true, ...context }: DeliverContext & { readonly look?: boolean },
): Promise<Told> {
  const news = look ? await findAllNews(history, config, context.now(), false) : [];
  return { news, tried: await deliverDue(history, config, context) };
}

export async function findAllNews(
  history: History,
  { subscriptions, dashboard }: AlertsConfig,
  now: Date,
  dryRun: boolean,
): Promise<readonly NewAlert[]> {
  const trends = await changedTrends(history, now);
  const runs = new RunsById(history);
  const news: NewAlert[] = [];
  for (const [name, subscription] of Object.entries(subscriptions)) {
    news.push(...(await noteNews(history, trends, runs, { name, subscription, dashboard, now, dryRun })));
  }
  return news;
}
