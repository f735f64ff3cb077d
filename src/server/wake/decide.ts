import { DAY_MS, HOUR_MS } from '../../model/text/moment.ts';
import type { HostState, WakeJob } from '../../model/server/wake-record.ts';
import type { WakeConfig, WakeHost } from '../../model/server/wake.ts';
import { chooseHost, hostsFor } from './match-host.ts';
import { hostOf, isRunning, isWaiting, type WakeState } from './wake-state.ts';

export type Decision =
  | { readonly do: 'expire'; readonly job: string; readonly host: string | undefined; readonly why: string }
  | { readonly do: 'nudge'; readonly job: string; readonly host: string }
  | { readonly do: 'assign'; readonly job: string; readonly host: string }
  | { readonly do: 'wake' | 'sleep'; readonly host: string; readonly why: string }
  | { readonly do: 'alarm'; readonly host: string; readonly awake_h: number };

const MINUTE_MS = 60_000;
/** GitHub ends a job that no runner of one's own takes within this time (its limits for self-hosted runners). */
const QUEUE_LIMIT_MS = DAY_MS;

/** What there is to do now. Nothing in here runs or changes anything. */
export function decide(state: WakeState, config: WakeConfig, now: Date): Decision[] {
  const now_ms = now.getTime();
  return [
    ...[...state.jobs.values()].flatMap((job) => aboutJob(job, state, config, now_ms)),
    ...Object.entries(config.hosts).flatMap(([name, host]) => aboutHost(name, host, state, now_ms)),
  ];
}

function aboutJob(job: WakeJob, state: WakeState, config: WakeConfig, now_ms: number): Decision[] {
  const expire = (why: string): Decision[] => [{ do: 'expire', job: job.key, host: job.host, why }];
  const host = job.host === undefined ? undefined : config.hosts[job.host];
  const age_ms = now_ms - Date.parse(job.since);
  if (isRunning(job)) {
    const limit_h = host?.job_timeout_hours ?? 6;
    return age_ms < limit_h * HOUR_MS ? [] : expire(`its end was not reported within ${limit_h} h`);
  }
  if (!isWaiting(job)) return [];
  if (age_ms >= QUEUE_LIMIT_MS) return expire('no runner took it within a day');
  if (job.host === undefined || host === undefined || hostOf(state, job.host).gave_up) {
    return elsewhere(job, state, config);
  }
  return notPickedUp(job, job.host, host, state, now_ms);
}

/** A host that cannot be woken, or is no longer in wake.yaml, leaves its jobs to others that can run them. */
function elsewhere(job: WakeJob, state: WakeState, config: WakeConfig): Decision[] {
  const usable = hostsFor(job, config).filter((name) => name !== job.host && !hostOf(state, name).gave_up);
  const name = chooseHost(usable, state, config);
  return name === undefined ? [] : [{ do: 'assign', job: job.key, host: name }];
}

/** A host that is up, has a place free and does not take a job is not as up as it seems, or the job is gone. */
function notPickedUp(
  job: WakeJob,
  name: string,
  { capacity, pickup_minutes }: WakeHost,
  state: WakeState,
  now_ms: number,
): Decision[] {
  const host = hostOf(state, name);
  if (host.phase !== 'awake' || jobsOf(state, name).filter(isRunning).length >= capacity) return [];
  const waitedSince_ms = latest(job.since, host.woken_at, host.busy_at);
  if (now_ms < waitedSince_ms + pickup_minutes * MINUTE_MS) return [];
  if (!job.nudged) return [{ do: 'nudge', job: job.key, host: name }];
  return [{ do: 'expire', job: job.key, host: name, why: `${name} is up and did not take it, woken twice` }];
}

function aboutHost(name: string, settings: WakeHost, state: WakeState, now_ms: number): Decision[] {
  const host = hostOf(state, name);
  return [
    ...alarm(name, settings, host, now_ms),
    ...(host.running === undefined ? command(name, settings, host, state, now_ms) : []),
  ];
}

function alarm(name: string, { max_awake_hours }: WakeHost, host: HostState, now_ms: number): Decision[] {
  if (host.up_since === undefined) return [];
  const awake_h = (now_ms - Date.parse(host.up_since)) / HOUR_MS;
  return awake_h < max_awake_hours * (host.alarms + 1) ? [] : [{ do: 'alarm', host: name, awake_h }];
}

function command(
  name: string,
  settings: WakeHost,
  host: HostState,
  state: WakeState,
  now_ms: number,
): Decision[] {
  const jobs = jobsOf(state, name);
  const waiting = jobs.filter(isWaiting);
  if (waiting.length > 0 && host.phase !== 'awake' && !host.gave_up) {
    if (now_ms < latest(host.wake.next_at)) return [];
    return [
      { do: 'wake', host: name, why: `${waiting.length} job${waiting.length === 1 ? '' : 's'} waiting` },
    ];
  }
  const at_ms = sleepsAt(name, settings, state);
  if (at_ms === undefined || now_ms < Math.max(at_ms, latest(host.sleep.next_at))) return [];
  return [{ do: 'sleep', host: name, why: `idle for ${settings.idle_minutes} min` }];
}

/** When a host is put to sleep if nothing comes; undefined where it is not. Only what Pawl woke is. */
export function sleepsAt(name: string, settings: WakeHost, state: WakeState): number | undefined {
  const host = hostOf(state, name);
  const isUp = host.phase === 'awake' || host.phase === 'uncertain';
  if (!isUp || !host.by_pawl || settings.sleep === undefined) return undefined;
  const keepsAwake = (job: WakeJob) => isRunning(job) || (isWaiting(job) && !host.gave_up);
  if (jobsOf(state, name).some(keepsAwake)) return undefined;
  return Math.max(
    latest(host.active_at, host.woken_at) + settings.idle_minutes * MINUTE_MS,
    latest(host.woken_at) + settings.grace_minutes * MINUTE_MS,
  );
}

export function jobsOf(state: WakeState, host: string): WakeJob[] {
  return [...state.jobs.values()].filter((job) => job.host === host);
}

function latest(...times: readonly (string | undefined)[]): number {
  return Math.max(0, ...times.map((time) => (time === undefined ? 0 : Date.parse(time))));
}
