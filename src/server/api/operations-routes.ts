import { healthSchema } from '../../model/history/history-api.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { PAWL_VERSION } from '../../model/version.ts';
import { jsonRoute, type Route } from './route.ts';

/** A balancer asks every few seconds and does not wait longer. */
const PING_MS = 2000;

const OK = 'ok' as const;
const UNAVAILABLE = 'unavailable' as const;

/** For those who keep a server running. */
export const operationsRoutes: readonly Route[] = [
  jsonRoute({
    name: 'healthz',
    method: 'GET',
    path: '/healthz',
    summary: 'The server runs',
    access: 'open',
    result: healthSchema,
    handle: (_, { isStopping }) =>
      Promise.resolve({
        status: isStopping() ? ('stopping' as const) : ('ok' as const),
        version: PAWL_VERSION,
      }),
  }),
  jsonRoute({
    name: 'readyz',
    method: 'GET',
    path: '/readyz',
    summary: 'The server takes requests, and its store and its queue answer',
    access: 'open',
    result: healthSchema,
    statuses: { 200: 'Ready', 503: 'Stopping, or the store or the queue does not answer' },
    status: ({ status }) => (status === 'ok' ? 200 : 503),
    handle: async (_, { service, queue, isStopping }) => {
      if (isStopping()) return { status: 'stopping' as const, version: PAWL_VERSION };
      const answers = await Promise.all([isUp(service.ping()), queue === undefined || isUp(queue.ping())]);
      return { status: answers.every(Boolean) ? OK : UNAVAILABLE, version: PAWL_VERSION };
    },
  }),
  {
    name: 'metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Numbers about the server, for Prometheus',
    access: 'read',
    params: undefined,
    query: undefined,
    body: undefined,
    answer: { type: 'text/plain', give: ({ metrics }) => metrics.render() },
  },
];

async function isUp(ping: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_MS);
  });
  const answer = ping.then(
    () => true,
    (error: unknown) => {
      if (error instanceof PawlError) return false;
      throw error;
    },
  );
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
