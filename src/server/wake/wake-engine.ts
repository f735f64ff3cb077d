import { setTimeout as timer } from 'node:timers/promises';

import { defined } from '../../model/defined.ts';
import type { WakeRecord } from '../../model/server/wake-record.ts';
import type { WakeConfig, WakeEvent, WakeStatus } from '../../model/server/wake.ts';
import { acceptJob, type Acceptance } from './accept-job.ts';
import { decide, type Decision } from './decide.ts';
import type { HostCommands, Outcome } from './host-commands.ts';
import type { WakeJournal } from './wake-journal.ts';
import { hostOf } from './wake-state.ts';
import { wakeStatus } from './wake-status.ts';
import type { JobNews } from './webhook.ts';

export interface EngineOptions {
  readonly config: WakeConfig;
  readonly journal: WakeJournal;
  readonly commands: HostCommands;
  readonly now: () => Date;
  readonly log: (event: WakeEvent) => void;
  /** Between two questions whether a host is up yet. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

const ASK_AGAIN_MS = 5_000;
const MINUTE_MS = 60_000;
const LONGEST_RETRY_MS = 5 * MINUTE_MS;
/** Decisions follow from one another; more rounds than this are a mistake in them. */
const MOST_ROUNDS = 100;

/** Takes news of jobs, and wakes hosts and puts them to sleep. All that it knows is in its journal first. */
export class WakeEngine {
  readonly #options: EngineOptions;
  readonly #pause: (signal: AbortSignal) => Promise<void>;
  readonly #aborter = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** Hosts whose status is being asked for, and when each is asked next. */
  readonly #asking = new Set<string>();
  readonly #askAt = new Map<string, number>();
  /** What happened and could not be written down yet. */
  readonly #unwritten: WakeRecord[] = [];

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#pause =
      options.pause ?? ((signal) => timer(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined));
  }

  /** False while the journal cannot be written. */
  get isHealthy(): boolean {
    return this.#unwritten.length === 0;
  }

  /** Takes up what an earlier server left. */
  start(): void {
    const { journal, config } = this.#options;
    journal.add({ type: 'start', at: this.#time() });
    for (const [host, { phase, by_pawl }] of journal.state.hosts) {
      if (Object.hasOwn(config.hosts, host) || phase === 'asleep' || !by_pawl) continue;
      this.#log('error', 'left-awake', 'Pawl woke it and it is no longer in wake.yaml', { host });
    }
    this.tick();
  }

  /** @throws where the journal cannot be written: the delivery is then not accepted */
  accept(delivery: string, news: JobNews): Acceptance {
    const { config, journal, now } = this.#options;
    const acceptance = acceptJob(delivery, news, { config, state: journal.state, now: now() });
    if (acceptance.record !== undefined) journal.add(acceptance.record);
    const { host } = acceptance;
    this.#log('info', acceptance.event, acceptance.message, {
      ...defined({ host }),
      job: news.key,
    });
    this.tick();
    return acceptance;
  }

  /** Does what is due. Called after news, after every command, and every now and then. */
  tick(): void {
    if (this.#aborter.signal.aborted || !this.#writeDown()) return;
    const { journal, config, now } = this.#options;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const decisions = decide(journal.state, config, now());
      const aboutJobs = decisions.filter((one) => 'job' in one);
      // What is decided about jobs changes what is to be done with hosts.
      const due = aboutJobs.length > 0 ? aboutJobs : decisions;
      if (due.length === 0) break;
      for (const decision of due) if (!this.#carryOut(decision)) return;
    }
    this.#askHosts();
    journal.compact(now());
  }

  status(isDryRun: boolean): WakeStatus {
    const { journal, config, now } = this.#options;
    return wakeStatus(journal.state, config, now(), isDryRun);
  }

  /** Resolves when no command is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Ends commands that are under way; a later server runs them again. */
  async stop(): Promise<void> {
    this.#aborter.abort();
    await this.settled();
  }

  #carryOut(decision: Decision): boolean {
    const at = this.#time();
    switch (decision.do) {
      case 'expire':
        if (!this.#record({ type: 'expire', at, job: decision.job, why: decision.why })) return false;
        this.#log('warning', 'job-expired', `no longer waited for: ${decision.why}`, {
          job: decision.job,
          ...defined({ host: decision.host }),
        });
        return true;
      case 'nudge':
        if (!this.#record({ type: 'nudge', at, job: decision.job })) return false;
        this.#log('warning', 'not-picked-up', 'the host is up and does not take the job: woken once more', {
          job: decision.job,
          host: decision.host,
        });
        return true;
      case 'assign':
        if (!this.#record({ type: 'assign', at, job: decision.job, host: decision.host })) return false;
        this.#log('info', 'job-moved', 'expected here now', { job: decision.job, host: decision.host });
        return true;
      case 'alarm': {
        if (!this.#record({ type: 'alarm', at, host: decision.host })) return false;
        const message = `awake for ${decision.awake_h.toFixed(1)} h`;
        this.#log('error', 'awake-too-long', message, { host: decision.host });
        this.#alarm(decision.host, message);
        return true;
      }
      case 'wake':
      case 'sleep':
        if (!this.#record({ type: 'begin', at, host: decision.host, what: decision.do })) return false;
        this.#log('info', `${decision.do}-begun`, decision.why, { host: decision.host });
        this.#follow(this.#command(decision.host, decision.do));
        return true;
    }
  }

  async #command(host: string, what: 'wake' | 'sleep'): Promise<void> {
    const { commands, config, journal } = this.#options;
    const { signal } = this.#aborter;
    let outcome = await commands.run(host, what, signal);
    if (outcome.ok && what === 'wake' && config.hosts[host]?.status !== undefined) {
      outcome = await this.#untilUp(host, outcome);
    }
    // Cut off by the end of this server: the next one does it again.
    if (signal.aborted) return;
    const at = this.#time();
    const { ok, detail } = outcome;
    const failed = hostOf(journal.state, host)[what].failed + 1;
    const gave_up = !ok && what === 'wake' && failed >= (config.hosts[host]?.attempts ?? 1);
    const retry_ms = Math.min(
      LONGEST_RETRY_MS,
      (config.hosts[host]?.retry_s ?? 0) * 1000 * 2 ** (failed - 1),
    );
    const next_at = new Date(Date.parse(at) + retry_ms).toISOString();
    this.#record({
      type: 'end',
      at,
      host,
      what,
      ok,
      detail,
      ...(ok ? {} : gave_up ? { gave_up } : { next_at }),
    });
    // What was told to sleep may still be going down.
    this.#askAt.set(host, Date.parse(at) + (config.hosts[host]?.status_minutes ?? 0) * MINUTE_MS);
    if (ok) this.#log('info', `${what}-done`, detail, { host });
    else if (gave_up) {
      const message = `gave up after ${failed} failed tries: ${detail}`;
      this.#log('error', 'wake-given-up', message, { host });
      this.#alarm(host, message);
    } else this.#log('warning', `${what}-failed`, `${detail}; next try at ${next_at}`, { host });
    this.tick();
  }

  /** A command that has ended says that the host was told to wake up, not that it did. */
  async #untilUp(host: string, woken: Outcome): Promise<Outcome> {
    const { commands, config, now } = this.#options;
    const { signal } = this.#aborter;
    const minutes = config.hosts[host]?.up_minutes ?? 0;
    const deadline_ms = now().getTime() + minutes * MINUTE_MS;
    for (;;) {
      const answer = await commands.run(host, 'status', signal);
      if (answer.ok) return woken;
      if (signal.aborted || now().getTime() >= deadline_ms) {
        return { ok: false, detail: `not up ${minutes} min after it was woken (${answer.detail})` };
      }
      await this.#pause(signal);
    }
  }

  #askHosts(): void {
    const { config, journal, now } = this.#options;
    const now_ms = now().getTime();
    for (const [host, { status, status_minutes }] of Object.entries(config.hosts)) {
      if (status === undefined || this.#asking.has(host)) continue;
      if (hostOf(journal.state, host).running !== undefined || now_ms < (this.#askAt.get(host) ?? 0))
        continue;
      this.#asking.add(host);
      this.#askAt.set(host, now_ms + status_minutes * MINUTE_MS);
      this.#follow(this.#ask(host));
    }
  }

  async #ask(host: string): Promise<void> {
    const { commands, journal } = this.#options;
    const answer = await commands.run(host, 'status', this.#aborter.signal);
    this.#asking.delete(host);
    const before = hostOf(journal.state, host);
    // While a command runs the answer is about what was; and only 0 and 1 are answers.
    if (this.#aborter.signal.aborted || before.running !== undefined) return;
    if (!answer.ok && answer.code !== 1) {
      this.#log('warning', 'status-unknown', answer.detail, { host });
      return;
    }
    if (before.phase === (answer.ok ? 'awake' : 'asleep')) return;
    this.#record({ type: 'status', at: this.#time(), host, up: answer.ok });
    const isSurprise = before.phase !== 'uncertain';
    const message = answer.ok ? 'it is up' : 'it is not up';
    this.#log(isSurprise ? 'warning' : 'info', 'status', message, { host });
    this.tick();
  }

  #alarm(host: string, message: string): void {
    const { commands, config } = this.#options;
    if (config.alarm === undefined) return;
    const ring = async () => {
      const { ok, detail } = await commands.run(host, 'alarm', this.#aborter.signal, message);
      if (!ok) this.#log('error', 'alarm-failed', detail, { host });
    };
    this.#follow(ring());
  }

  #follow(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) =>
        this.#log('error', 'bug', error instanceof Error ? (error.stack ?? '') : String(error)),
      )
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** True when it is on disk. What happened anyway is kept and written as soon as that works. */
  #record(record: WakeRecord): boolean {
    const hasHappened = record.type === 'end' || record.type === 'status';
    try {
      this.#options.journal.add(record);
      return true;
    } catch (error) {
      if (hasHappened) this.#unwritten.push(record);
      this.#log('error', 'journal', `cannot be written: ${(error as Error).message}`);
      return false;
    }
  }

  #writeDown(): boolean {
    const { journal } = this.#options;
    for (let record = this.#unwritten[0]; record !== undefined; record = this.#unwritten[0]) {
      try {
        journal.add(record);
      } catch {
        return false;
      }
      this.#unwritten.shift();
    }
    return true;
  }

  #time(): string {
    return this.#options.now().toISOString();
  }

  #log(
    level: WakeEvent['level'],
    event: string,
    message: string,
    about: Pick<WakeEvent, 'host' | 'job'> = {},
  ) {
    this.#options.log({ at: this.#time(), level, event, ...about, message });
  }
}
