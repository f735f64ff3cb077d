/** `pawl wake-server`: hosts are woken when a job is queued for them, and put to sleep when they idle (S31). */
import { setTimeout as timer } from 'node:timers/promises';

import type { WakeEvent } from '../../model/server/wake.ts';
import { loadWakeConfig, readSecret } from '../../workflows/wake/load-wake-config.ts';
import { lockWakeState } from '../../workflows/wake/lock-wake-state.ts';
import { Connections } from '../http/connections.ts';
import { httpServer } from '../http/http-server.ts';
import { aborted, closed, listen } from '../http/listening.ts';
import { DryCommands, RealCommands } from './host-commands.ts';
import { WakeEngine } from './wake-engine.ts';
import { wakeApp } from './wake-http.ts';
import { WakeJournal } from './wake-journal.ts';
import { processContext, type ProcessContext } from '../../os/run-context.ts';

export interface WakeServerOptions extends Partial<Pick<ProcessContext, 'now' | 'env'>> {
  /** wake.yaml. */
  readonly config: string;
  /** Run nothing and write nothing: only say what would be run. */
  readonly dryRun?: boolean;
  readonly log: (event: WakeEvent) => void;
  /** Ends the server, in good order. */
  readonly signal: AbortSignal;
  /** Called when it listens. */
  readonly onListening?: (address: { readonly host: string; readonly port: number }) => void;
}

const TICK_MS = 1_000;
const TIMEOUTS = { headers_ms: 10_000, request_ms: 20_000, idle_ms: 60_000 };
const CONNECTIONS = { perClient: 64, inAll: 200 };
/** A command that is nearly done is worth waiting for; a service manager kills after 90 s. */
const STOP_GRACE_MS = 10_000;
const LISTEN_HINT = 'Set `listen` in wake.yaml to an address and a port that are free.';

export async function serveWakes(options: WakeServerOptions): Promise<void> {
  const { log, dryRun: isDryRun = false } = options;
  const { env, now, signal } = processContext(options);
  const { config, folder, state } = await loadWakeConfig(options.config);
  const secret = await readSecret(config.secret, { folder, env });
  const statusToken =
    config.status_token === undefined ? undefined : await readSecret(config.status_token, { folder, env });
  const lock = isDryRun ? undefined : await lockWakeState(state);
  try {
    const journal = new WakeJournal(isDryRun ? undefined : state);
    try {
      const commands = isDryRun ? new DryCommands(config) : new RealCommands(config, folder, env);
      const engine = new WakeEngine({ config, journal, commands, now, log });
      const { path, host, port } = config.listen;
      const app = wakeApp({ engine, path, secret, statusToken, isDryRun, log, now });
      // Deliveries mostly come through a proxy on this machine.
      const server = httpServer(app, TIMEOUTS, new Connections(CONNECTIONS, true));
      const address = await listen(server, host, port, LISTEN_HINT);
      engine.start();
      const ticks = setInterval(() => engine.tick(), TICK_MS);
      options.onListening?.({ host, port: address.port });
      await aborted(signal);
      log({ at: now().toISOString(), level: 'info', event: 'stopping', message: 'asked to stop' });
      clearInterval(ticks);
      await closed(server, STOP_GRACE_MS);
      // A command that is nearly done may end; what is cut off is run again by the next server.
      await Promise.race([engine.settled(), timer(STOP_GRACE_MS, undefined, { ref: false })]);
      await engine.stop();
    } finally {
      journal.close();
    }
  } finally {
    await lock?.release();
  }
}
