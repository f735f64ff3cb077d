/** `pawl serve`: the history of a project over HTTP, and the dashboard (S34). */
import { fileURLToPath } from 'node:url';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { ServeEvent } from '../model/server/serve-event.ts';
import { AlertLoop } from '../workflows/serve/alert-loop.ts';
import { openService } from '../workflows/serve/open-service.ts';
import { openQueueService, type QueueService } from '../workflows/serve/queue-service.ts';
import { AccessControl } from './access.ts';
import { API_ROUTES } from './api/routes.ts';
import { SseClients } from './api/sse-clients.ts';
import { admission } from './http/admission.ts';
import { isLoopbackName } from './http/allowed-hosts.ts';
import { Connections, type ConnectionLimits } from './http/connections.ts';
import { httpServer, type Timeouts } from './http/http-server.ts';
import { aborted, closed, listen, type Address } from './http/listening.ts';
import { Metrics } from './http/metrics.ts';
import { RateLimiter, type RateLimits } from './http/rate-limiter.ts';
import { staticFiles } from './http/static-files.ts';
import { serveApp } from './serve-app.ts';
import { runContext, type ProcessContext, type RunContext } from '../os/run-context.ts';

interface Limits extends Timeouts {
  readonly connections: ConnectionLimits;
  /** Requests of one client. */
  readonly requests: RateLimits;
  readonly uploads: RateLimits;
  /** Wrong tokens of one client. */
  readonly attempts: RateLimits;
}

export interface ServeOptions
  extends Pick<RunContext, 'signal'>, Partial<Pick<ProcessContext, 'now' | 'env'>> {
  /** A path or a `postgres://` address; where nothing is said, the project's. */
  readonly store?: string;
  /** pawl.yaml or its folder. */
  readonly config?: string;
  /** The folder of the project, instead of that of its pawl.yaml. */
  readonly root?: string;
  readonly host?: string;
  readonly port?: number;
  /** Addresses under which a proxy shows the server: `https://pawl.example.org`. */
  readonly origins?: readonly string[];
  /** Takes candidates: from the queue at a path or a `postgres://` address, where nothing is said the project's. */
  readonly judge?: { readonly queue?: string };
  /** Tells the subscribers of pawl.yaml of changes; how often it looks. */
  readonly alerts?: { readonly interval_ms?: number };
  readonly readToken?: string;
  readonly writeToken?: string;
  /** The dashboard's built files. */
  readonly files?: string;
  readonly limits?: Partial<Limits>;
  /** How often journals are looked at for what is under way. */
  readonly live_ms?: number;
  readonly log: (event: ServeEvent) => void;
  readonly onListening?: (address: Address) => void;
}

const DEFAULT_PORT = 7557;

/**
 * A page of the dashboard asks some ten times at once, over six connections, and again at every event of a live run.
 * Bodies take their time on a slow line; headers do not.
 */
const LIMITS: Limits = {
  headers_ms: 10_000,
  request_ms: 120_000,
  idle_ms: 60_000,
  connections: { perClient: 64, inAll: 500 },
  requests: { burst: 400, per_s: 50 },
  uploads: { burst: 200, per_s: 10 },
  attempts: { burst: 10, per_s: 0.1 },
};
const STOP_GRACE_MS = 10_000;

/** Runs until the signal; then answers what is under way, and closes the store. */
export async function serve(options: ServeOptions): Promise<void> {
  const { host = '127.0.0.1', port = DEFAULT_PORT, origins = [], readToken, writeToken, signal } = options;
  const { log: write } = options;
  const { now } = runContext(options);
  const limits = { ...LIMITS, ...options.limits };
  const now_ms = () => performance.now();
  const requests = new RateLimiter(limits.requests, now_ms);
  const admitted = admission({ host, origins, requests });
  refuseOpenDoor(host, options);
  const log = (level: ServeEvent['level'], event: string, message: string): void =>
    write({ at: now().toISOString(), level, event, message });
  const service = await openService({
    ...defined({
      store: options.store,
      config: options.config,
      root: options.root,
      live_ms: options.live_ms,
    }),
    env: options.env ?? process.env,
    log,
  });
  let queue: QueueService | undefined;
  let alerts: AlertLoop | undefined;
  try {
    alerts =
      options.alerts &&
      (await AlertLoop.start({
        service,
        log,
        ...defined({
          config: options.config ?? options.root,
          dashboard: origins[0],
          interval_ms: options.alerts.interval_ms,
        }),
        env: options.env ?? process.env,
        now,
      }));
    queue =
      options.judge &&
      (await openQueueService({
        queue: options.judge.queue,
        config: options.config ?? options.root,
        env: options.env ?? process.env,
        onChange: (isUp, why) =>
          isUp
            ? log('info', 'queue-back', 'the queue answers again')
            : log('warning', 'queue-away', why ?? ''),
        onTrouble: (error) =>
          log('error', 'bug', error instanceof Error ? (error.stack ?? error.message) : String(error)),
      }));
    const judging = queue;
    const metrics = new Metrics();
    const clients = new SseClients();
    const attempts = new RateLimiter(limits.attempts, now_ms);
    const isHttps = origins.some((origin) => origin.startsWith('https:'));
    const findCaller = judging && ((token: string) => judging.callerOf(token));
    const access = new AccessControl({ readToken, writeToken, isHttps, attempts, findCaller });
    const app = serveApp({
      routes: API_ROUTES,
      context: { service, queue, metrics, clients, isStopping: () => signal.aborted },
      access,
      files: await staticFiles(options.files ?? DASHBOARD),
      admission: admitted,
      uploads: new RateLimiter(limits.uploads, now_ms),
      now,
      onBug: (error) =>
        log('error', 'bug', error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    metrics.gauge('pawl_store_up', 'Whether the store answered last.', () => Number(service.isStoreUp));
    const connections = new Connections(limits.connections, origins.length > 0);
    metrics.gauge('pawl_connections', 'Open connections.', () => connections.size);
    metrics.gauge('pawl_connections_cut', 'Connections cut at a limit.', () => connections.cuts);
    metrics.gauge('pawl_live_clients', 'Open streams of server-sent events.', () => clients.size);
    metrics.gauge('process_resident_memory_bytes', 'Memory.', () => process.memoryUsage.rss());
    const server = httpServer(app, limits, connections);
    options.onListening?.(
      await listen(server, host, port, 'Another --port may be free; --port 0 takes any.'),
    );
    await aborted(signal);
    log('info', 'stopping', 'asked to stop');
    clients.endAll();
    queue?.endWaiting();
    await closed(server, STOP_GRACE_MS);
  } finally {
    await alerts?.close();
    await queue?.close();
    await service.close();
  }
}

/** The same from `src`, from `dist` and from the bundled command line in `dist/cli`. */
const DASHBOARD = fileURLToPath(new URL('../../web/dist', import.meta.url));

function refuseOpenDoor(host: string, { readToken, writeToken, origins = [] }: ServeOptions): void {
  if (readToken !== undefined && readToken === writeToken) {
    throw new PawlError('configuration', 'The read token and the write token are the same.', TWO_TOKENS);
  }
  // A proxy's clients come from anywhere, whatever the proxy itself asks.
  if ((!isLoopbackName(host) || origins.length > 0) && readToken === undefined) {
    throw new PawlError(
      'configuration',
      `On ${origins[0] ?? host} anybody could read: the server needs a read token there.`,
      'Make one (openssl rand -hex 32) and name it with --read-token-file or PAWL_READ_TOKEN.',
    );
  }
}

const TWO_TOKENS = 'Make two: readers must not be able to write.';
