import { foundChanges, notYetTold, spanOf, type FoundChange } from '../../alerts/found-changes.ts';
import type { AlertsConfig, SubscriptionConfig } from '../../config/alerts-schema.ts';
import type { History, NewAlert, StoredAlert } from '../../history/history.ts';
import { currentChanges } from '../../history/trends/current-changes.ts';
import { ALERT_SCHEMA, type AlertChange } from '../../model/server/alert.ts';
import { defined } from '../../model/defined.ts';
import type { RunDetail } from '../../model/history/history-api.ts';
import type { HistoryKey, TrendPoint } from '../../model/history/history.ts';
import { DAY_MS } from '../../model/text/moment.ts';
import { matchesWildcard } from '../../model/text/wildcard.ts';
import { hashOf } from '../../os/canonical-json.ts';
import { alertDetails, alertTitle } from '../../report/text/alert-text.ts';

/** What is older when it is found, as after an import of old runs, is not news. */
const NEWS_DAYS = 30;
const ID_DIGITS = 32;

/** A trend in which something changed lately. */
interface ChangedTrend {
  readonly key: HistoryKey;
  readonly points: readonly TrendPoint[];
  readonly found: readonly FoundChange[];
}

/** Trends with confirmed changes of the last days: those that stand when all keys are looked at together. */
export async function changedTrends(history: History, now: Date): Promise<readonly ChangedTrend[]> {
  const { changes } = await currentChanges(history);
  const isRecent = isAfter(now);
  const trends: ChangedTrend[] = [];
  for (const [id, { known }] of await history.knownChanges()) {
    const own = changes.get(id) ?? [];
    const confirmed = (known?.marks ?? []).filter(({ kind }) => kind === 'verdict');
    if (![...own, ...confirmed].some(isRecent)) continue;
    const trend = await history.trendPoints(id);
    if (trend === undefined) continue;
    const { key, points } = trend;
    trends.push({ key, points, found: foundChanges(points, own) });
  }
  return trends;
}

function isAfter(now: Date): (one: { readonly time: string }) => boolean {
  const since_ms = now.getTime() - NEWS_DAYS * DAY_MS;
  return ({ time }) => Date.parse(time) >= since_ms;
}

export interface NewsOptions {
  readonly name: string;
  readonly subscription: SubscriptionConfig;
  readonly dashboard: AlertsConfig['dashboard'];
  readonly now: Date;
  readonly dryRun: boolean;
}

/** Notes what is new to a subscription, and answers with what it is to be told. With `dryRun` nothing is noted. */
export async function noteNews(
  history: History,
  trends: readonly ChangedTrend[],
  runs: RunsById,
  options: NewsOptions,
): Promise<readonly NewAlert[]> {
  const { name, subscription, now, dryRun } = options;
  const wanted = trends.filter(({ key }) => isOfKey(key, subscription));
  const recent = isAfter(now);
  const newIn = (known: readonly StoredAlert[]): { trend: ChangedTrend; change: FoundChange }[] =>
    wanted.flatMap((trend) => {
      const told = known
        .filter(({ key_id }) => key_id === trend.key.id)
        .map((one) => spanOf(trend.points, { ...one, isSlower: one.alert.change.direction === 'slower' }));
      return notYetTold(trend.found, told)
        .filter((change) => recent(change) && isWanted(change, subscription))
        .map((change) => ({ trend, change }));
    });
  const isFirst = !(await history.alertSubscriptions()).has(name);
  if (isFirst) {
    if (dryRun) return [];
    await history.noteAlerts(name, now, (known, first) =>
      // Another process may have been first.
      first
        ? newIn(known).map(({ trend, change }) => toNote(trend.key, changeOf(change), 'before', options))
        : [],
    );
    return [];
  }
  const ready = new Map<FoundChange, NewAlert>();
  for (const { trend, change } of newIn(await history.alerts({ subscription: name }))) {
    const told = await withRun(change, trend.key, runs);
    if (told === undefined || !isOfBranch(told.branch, subscription)) continue;
    const subject = (await history.commits([change.commit]))[0]?.subject;
    ready.set(change, toNote(trend.key, { ...told, ...defined({ subject }) }, 'waiting', options));
  }
  if (dryRun || ready.size === 0) return [...ready.values()];
  return history.noteAlerts(name, now, (known) =>
    newIn(known).flatMap(({ change }) => ready.get(change) ?? []),
  );
}

function isOfKey({ kernel, device }: HistoryKey, { kernels, devices }: SubscriptionConfig): boolean {
  return (
    (kernels.length === 0 || kernels.some((pattern) => matchesWildcard(kernel, pattern))) &&
    (devices.length === 0 || devices.some((part) => device.toLowerCase().includes(part.toLowerCase())))
  );
}

function isWanted({ span }: FoundChange, { changes }: SubscriptionConfig): boolean {
  return changes === 'all' || changes === (span.isSlower ? 'slower' : 'faster');
}

function isOfBranch(branch: string | undefined, { branches }: SubscriptionConfig): boolean {
  return branches.length === 0 || branches.some((pattern) => matchesWildcard(branch ?? '', pattern));
}

function changeOf({ span, ...change }: FoundChange): AlertChange {
  return { ...change, direction: span.isSlower ? 'slower' : 'faster' };
}

/** What the run that measured it adds; undefined for a change that is not news. */
async function withRun(
  change: FoundChange,
  key: HistoryKey,
  runs: RunsById,
): Promise<AlertChange | undefined> {
  const detail = await runs.find(change.run);
  const { branch, pull_request, base_commit } = detail?.run ?? {};
  const told = { ...changeOf(change), ...defined({ branch }) };
  if (change.kind !== 'verdict') return told;
  // A pull request has its comment.
  if (pull_request !== undefined) return undefined;
  const verdict = detail?.verdicts.find((one) => one.key.id === key.id);
  // Somebody knows of it, and accepted it.
  if (verdict?.waived === true) return undefined;
  const { change_pct, ci_pct } = verdict ?? {};
  return { ...told, ...defined({ change_pct, ci_pct, previous_commit: base_commit }) };
}

/** Several changes are often of one run. */
export class RunsById {
  readonly #history: History;
  readonly #found = new Map<string, Promise<RunDetail | undefined>>();

  constructor(history: History) {
    this.#history = history;
  }

  find(id: string): Promise<RunDetail | undefined> {
    const found = this.#found.get(id) ?? this.#history.run(id);
    this.#found.set(id, found);
    return found;
  }
}

function toNote(
  key: HistoryKey,
  change: AlertChange,
  state: NewAlert['state'],
  { name, dashboard, now }: NewsOptions,
): NewAlert {
  const { commit, previous_commit, direction, time } = change;
  return {
    key_id: key.id,
    commit_sha: commit,
    previous_sha: previous_commit ?? null,
    time_ms: Date.parse(time),
    state,
    alert: {
      schema: ALERT_SCHEMA,
      id: hashOf({ subscription: name, key: key.id, commit, direction }).slice(0, ID_DIGITS),
      subscription: name,
      found_at: now.toISOString(),
      key,
      change,
      title: alertTitle(key, change),
      details: alertDetails(key, change),
      ...(dashboard === undefined ? {} : { url: changePage(dashboard, key, change) }),
    },
  };
}

/** The case's page with the commits before and after the change beside each other. */
function changePage(dashboard: string, { id }: HistoryKey, { commit, previous_commit }: AlertChange): string {
  const picked = new URLSearchParams(defined({ a: previous_commit, b: commit })).toString();
  return `${dashboard.replace(/[/#]+$/u, '')}/#/case/${encodeURIComponent(id)}?${picked}`;
}
