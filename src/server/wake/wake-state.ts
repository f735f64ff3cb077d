import { defined } from '../../model/defined.ts';
import type { HostState, WakeJob, WakeRecord } from '../../model/server/wake-record.ts';

/** What the records of a journal add up to. */
export interface WakeState {
  /** Deliveries that were acted upon, and when. */
  readonly deliveries: Map<string, string>;
  readonly jobs: Map<string, WakeJob>;
  readonly hosts: Map<string, HostState>;
}

export function emptyState(): WakeState {
  return { deliveries: new Map(), jobs: new Map(), hosts: new Map() };
}

/** A host of which nothing is known: a job wakes it, and it is not put to sleep, since somebody else may use it. */
function unknownHost(): HostState {
  return {
    phase: 'uncertain',
    by_pawl: false,
    wake: { failed: 0 },
    sleep: { failed: 0 },
    gave_up: false,
    alarms: 0,
  };
}

export function hostOf(state: WakeState, name: string): HostState {
  return state.hosts.get(name) ?? unknownHost();
}

export function isWaiting({ action, expired }: WakeJob): boolean {
  return action === 'queued' && !expired;
}

export function isRunning({ action, expired }: WakeJob): boolean {
  return action === 'in_progress' && !expired;
}

/** Changes the state as a record says; replaying a journal does nothing else. */
export function applyRecord(state: WakeState, record: WakeRecord): void {
  switch (record.type) {
    case 'snapshot':
      for (const [id, at] of record.deliveries) state.deliveries.set(id, at);
      for (const job of record.jobs) state.jobs.set(job.key, job);
      for (const [name, host] of record.hosts) state.hosts.set(name, host);
      return;
    case 'start':
      for (const [name, host] of state.hosts) state.hosts.set(name, interrupted(host, record.at));
      return;
    case 'job':
      applyJob(state, record);
      return;
    case 'assign':
      changeJob(state, record.job, { host: record.host });
      // It is wanted again, as if the job had just come.
      changeHost(state, record.host, { active_at: record.at });
      return;
    case 'nudge': {
      const job = changeJob(state, record.job, { nudged: true });
      if (job?.host !== undefined) changeHost(state, job.host, { phase: 'uncertain' });
      return;
    }
    case 'expire': {
      const job = changeJob(state, record.job, { expired: true });
      if (job?.host !== undefined) changeHost(state, job.host, { active_at: record.at });
      return;
    }
    case 'begin':
      changeHost(state, record.host, {
        phase: record.what === 'wake' ? 'waking' : 'falling-asleep',
        running: record.what,
      });
      return;
    case 'end':
      applyEnd(state, record);
      return;
    case 'status':
      applyStatus(state, record);
      return;
    case 'alarm':
      changeHost(state, record.host, { alarms: hostOf(state, record.host).alarms + 1 });
      return;
  }
}

type RecordOf<Type extends WakeRecord['type']> = Extract<WakeRecord, { type: Type }>;

function applyJob(state: WakeState, { at, delivery, job, seen_up }: RecordOf<'job'>): void {
  const before = state.jobs.get(job.key);
  const { host, ...rest } = job;
  state.deliveries.set(delivery, at);
  state.jobs.set(job.key, {
    ...rest,
    ...defined({ host }),
    since: at,
    expired: false,
    nudged: before?.nudged ?? false,
  });
  if (before?.host !== undefined && before.host !== host) changeHost(state, before.host, { active_at: at });
  if (host === undefined) return;
  const known = hostOf(state, host);
  changeHost(state, host, {
    active_at: at,
    ...(job.action === 'queued' ? {} : { busy_at: at }),
    // A new job is worth new tries.
    ...(job.action === 'queued' && known.gave_up ? { gave_up: false, wake: { failed: 0 } } : {}),
  });
  if (seen_up) seenUp(state, host, at);
}

function applyEnd(state: WakeState, record: RecordOf<'end'>): void {
  const { at, host: name, what, ok, detail, next_at, gave_up = false } = record;
  const { running: _, ...host } = hostOf(state, name);
  const last = { what, ok, at, detail };
  const tries = ok ? { failed: 0 } : { failed: host[what].failed + 1, ...defined({ next_at }) };
  if (what === 'wake') {
    state.hosts.set(name, {
      ...host,
      last,
      phase: ok ? 'awake' : 'uncertain',
      // Also after a failure: a command that ran out of time may have woken it anyway.
      by_pawl: true,
      up_since: host.up_since ?? at,
      woken_at: at,
      wake: tries,
      gave_up,
    });
  } else if (ok) {
    // What was given up stays so: jobs that still wait for it would wake it again.
    state.hosts.set(name, { ...atRest(host), gave_up: host.gave_up, last });
  } else state.hosts.set(name, { ...host, last, phase: 'uncertain', sleep: tries });
}

function applyStatus(state: WakeState, { at, host: name, up }: RecordOf<'status'>): void {
  const host = hostOf(state, name);
  // Asked before the command began, answered after it.
  if (host.running !== undefined) return;
  if (up) seenUp(state, name, at);
  // After a failed wake its tries go on counting; one that went down by itself starts afresh.
  else if (host.phase === 'awake') state.hosts.set(name, atRest(host));
  else state.hosts.set(name, { ...atRest(host), wake: host.wake, gave_up: host.gave_up });
}

/** If Pawl did not wake it, someone else did. */
function seenUp(state: WakeState, name: string, at: string): void {
  const host = hostOf(state, name);
  if (host.running !== undefined || host.phase === 'awake') return;
  changeHost(state, name, {
    phase: 'awake',
    up_since: host.up_since ?? at,
    by_pawl: host.phase === 'uncertain' && host.by_pawl,
    gave_up: false,
    wake: { failed: 0 },
  });
}

function atRest(host: HostState): HostState {
  const { up_since: _, woken_at: __, running: ___, ...rest } = host;
  return {
    ...rest,
    phase: 'asleep',
    by_pawl: false,
    alarms: 0,
    gave_up: false,
    wake: { failed: 0 },
    sleep: { failed: 0 },
  };
}

function interrupted(host: HostState, at: string): HostState {
  const { running, ...rest } = host;
  if (running === undefined) return host;
  if (running === 'sleep') return { ...rest, phase: 'uncertain' };
  // A wake that was cut off may have worked.
  return { ...rest, phase: 'uncertain', by_pawl: true, up_since: rest.up_since ?? at };
}

function changeHost(state: WakeState, name: string, change: Partial<HostState>): void {
  state.hosts.set(name, { ...hostOf(state, name), ...change });
}

function changeJob(state: WakeState, key: string, change: Partial<WakeJob>): WakeJob | undefined {
  const job = state.jobs.get(key);
  if (job === undefined) return undefined;
  const changed = { ...job, ...change };
  state.jobs.set(key, changed);
  return changed;
}
