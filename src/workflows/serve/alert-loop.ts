import { setTimeout as sleep } from 'node:timers/promises';

import type { AlertsConfig } from '../../config/alerts-schema.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { ServeEvent } from '../../model/server/serve-event.ts';
import type { Environment } from '../../os/environment.ts';
import { loadAlerts } from '../../config/load-alerts.ts';
import type { HistoryService } from './history-service.ts';

export interface AlertLoopOptions {
  readonly service: HistoryService;
  readonly config?: string;
  /** Where the dashboard is reached, where pawl.yaml does not say it. */
  readonly dashboard?: string;
  readonly interval_ms?: number;
  readonly env: Environment;
  readonly now: () => Date;
  readonly log: (level: ServeEvent['level'], event: string, message: string) => void;
}

const INTERVAL_MS = 30_000;
/** Trends are looked at when there is a new run or another subscription, and this often whatever there is: an upload may be an old run. */
const LOOK_MS = 600_000;

/** Tells subscribers of changes while a server runs. pawl.yaml is read again each time: people subscribe meanwhile. */
export class AlertLoop {
  readonly #options: AlertLoopOptions;
  readonly #aborter = new AbortController();
  readonly #running: Promise<void>;
  #seen: string | undefined;
  #looked_ms = -Infinity;
  #trouble: string | undefined;

  private constructor(options: AlertLoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** @throws {PawlError} where pawl.yaml has no alerts, or is wrong */
  static async start(options: AlertLoopOptions): Promise<AlertLoop> {
    await loadAlerts(options.config);
    return new AlertLoop(options);
  }

  async close(): Promise<void> {
    this.#aborter.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#aborter;
    while (!signal.aborted) {
      try {
        await this.#tell();
        this.#trouble = undefined;
      } catch (error) {
        if (!signal.aborted) this.#complain(error);
      }
      await sleep(this.#options.interval_ms ?? INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #tell(): Promise<void> {
    const { service, config: path, dashboard, env, now, log } = this.#options;
    const read = await loadAlerts(path);
    const config: AlertsConfig =
      read.dashboard === undefined && dashboard !== undefined ? { ...read, dashboard } : read;
    const newest = (await service.runs({}, { limit: 1 })).items[0]?.id;
    const now_ms = performance.now();
    const seen = JSON.stringify([newest, config]);
    const look = seen !== this.#seen || now_ms - this.#looked_ms > LOOK_MS;
    const { signal } = this.#aborter;
    const { tried } = await service.tellChanges(config, { env, now, signal, look });
    if (look) {
      this.#seen = seen;
      this.#looked_ms = now_ms;
    }
    for (const { alert, outcome } of tried) {
      const what = `${alert.alert.title} (${alert.subscription})`;
      if (outcome.state === 'sent') log('info', 'alert-sent', what);
      else log('warning', 'alert-failed', `${what}: ${outcome.error ?? ''}`);
    }
  }

  /** Said once, not every half minute. */
  #complain(error: unknown): void {
    const isOurs = error instanceof PawlError;
    const text = error instanceof Error ? error.message : String(error);
    if (text === this.#trouble) return;
    this.#trouble = text;
    this.#options.log(isOurs ? 'warning' : 'error', isOurs ? 'alerts' : 'bug', text);
  }
}
