import { defined } from '../../model/defined.ts';
import {
  JOB_ACTIONS,
  type JobAction,
  type WakeJob,
  type WakeRecord,
} from '../../model/server/wake-record.ts';
import type { WakeConfig } from '../../model/server/wake.ts';
import { chooseHost, hostsFor, isAllowed, isRunnerOf } from './match-host.ts';
import { REMEMBERED_MS } from './wake-journal.ts';
import type { WakeState } from './wake-state.ts';
import type { JobNews } from './webhook.ts';

export interface Acceptance {
  readonly result: 'accepted' | 'duplicate' | 'ignored';
  readonly event: string;
  readonly message: string;
  readonly host?: string;
  readonly record?: Extract<WakeRecord, { type: 'job' }>;
}

interface Known {
  readonly config: WakeConfig;
  readonly state: WakeState;
  readonly now: Date;
}

const EVENTS: Readonly<Record<JobAction, string>> = {
  queued: 'job-queued',
  in_progress: 'job-running',
  completed: 'job-ended',
};

/**
 * What a delivery means. A job only ever moves forward (queued, in progress, completed): what comes late, twice or
 * out of order changes nothing, and what is older than the memory of deliveries is not believed.
 */
export function acceptJob(delivery: string, news: JobNews, { config, state, now }: Known): Acceptance {
  const { key, repository, name, labels } = news;
  const what = `${repository} "${name}" ${news.action}`;
  const ignored = (why: string): Acceptance => ({
    result: 'ignored',
    event: 'ignored',
    message: `${what}: ${why}`,
  });
  if (state.deliveries.has(delivery)) {
    return { result: 'duplicate', event: 'duplicate', message: `${what}: delivered before` };
  }
  const action = JOB_ACTIONS.find((each) => each === news.action);
  if (action === undefined) return ignored('nothing to do');
  if (!isAllowed(repository, config.repositories)) return ignored('its repository is not in wake.yaml');
  const before = state.jobs.get(key);
  if (before === undefined) {
    if (hostsFor(news, config).length === 0)
      return ignored(`no host has ${labels.join(', ') || 'no labels'}`);
    const age_ms = now.getTime() - (news.created_at?.getTime() ?? now.getTime());
    if (age_ms > REMEMBERED_MS) return ignored('too old to be news');
  } else if (JOB_ACTIONS.indexOf(action) <= JOB_ACTIONS.indexOf(before.action)) {
    return ignored(`it is ${before.action} already`);
  }
  const { host, isSeenUp } = whereabouts(news, action, before, { config, state, now });
  return {
    result: 'accepted',
    event: EVENTS[action],
    message: `${repository} "${name}"${news.runner === undefined ? '' : ` on ${news.runner}`}`,
    ...defined({ host }),
    record: {
      type: 'job',
      at: now.toISOString(),
      delivery,
      job: { key, repository, name, labels: [...labels], action, ...defined({ host }) },
      seen_up: isSeenUp,
    },
  };
}

/** The host whose runner took the job, as far as hosts say what their runners are called; else the expected one. */
function whereabouts(
  news: JobNews,
  action: JobAction,
  before: WakeJob | undefined,
  { config, state }: Known,
): { readonly host: string | undefined; readonly isSeenUp: boolean } {
  const expected = before?.host ?? chooseHost(hostsFor(news, config), state, config);
  const { runner } = news;
  // A job that is cancelled in the queue ends without a runner; a name in `queued` is left over from another.
  if (runner === undefined || action === 'queued') return { host: expected, isSeenUp: false };
  const [taker] = Object.entries(config.hosts).find(([, host]) => isRunnerOf(runner, host) === true) ?? [];
  if (taker !== undefined) return { host: taker, isSeenUp: action === 'in_progress' };
  const settings = expected === undefined ? undefined : config.hosts[expected];
  const isStranger = settings !== undefined && isRunnerOf(runner, settings) === false;
  return { host: isStranger ? undefined : expected, isSeenUp: false };
}
