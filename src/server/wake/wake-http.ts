import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { PawlError } from '../../model/pawl-error.ts';
import type { WakeEvent } from '../../model/server/wake.ts';
import { hostName, isLoopbackName } from '../http/allowed-hosts.ts';
import { bodyOf } from '../http/body-of.ts';
import { subscriberOf } from '../http/client-of.ts';
import { crossSite } from '../http/cross-site.ts';
import { httpApp, type HttpContext, type HttpEnv } from '../http/http-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { isBearer } from '../http/is-bearer.ts';
import { isSigned } from './verify-signature.ts';
import type { WakeEngine } from './wake-engine.ts';
import { readWebhook } from './webhook.ts';

/** A workflow_job delivery has some 20 kB; GitHub's own limit is 25 MB. */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpOptions {
  readonly engine: WakeEngine;
  /** Where deliveries are posted to. */
  readonly path: string;
  readonly secret: string;
  readonly statusToken: string | undefined;
  readonly isDryRun: boolean;
  readonly log: (event: WakeEvent) => void;
  readonly now: () => Date;
}

/** Answers `POST` of deliveries, `GET /healthz` and `GET /status`. A refusal says no more than it has to. */
export function wakeApp(options: HttpOptions): Hono<HttpEnv> {
  const { path, isDryRun } = options;
  const log = (level: WakeEvent['level'], event: string, message: string): void =>
    options.log({ at: options.now().toISOString(), level, event, message });
  const app = httpApp((error, c) => {
    if (error instanceof HttpProblem) {
      log('warning', 'refused', `${error.status}: ${error.message}`);
      return answer(c, error.status, { error: error.message });
    }
    log('error', 'bug', error.stack ?? error.message);
    return answer(c, 500, { error: 'internal' });
  });
  app.post(path, async (c) => {
    const { id, event, body } = await delivery(c, options.secret);
    if (event === 'ping') {
      log('info', 'ping', 'the webhook is set up');
      return answer(c, 200, { result: 'pong' });
    }
    if (event !== 'workflow_job') return answer(c, 202, { result: 'ignored', message: 'not workflow_job' });
    const { result, message } = accepted(id, body, options.engine);
    return answer(c, result === 'accepted' ? 202 : 200, { result, message });
  });
  app.all(path, (c) => wrongMethod(c, 'POST'));
  app.get('/healthz', (c) => {
    const { isHealthy } = options.engine;
    return answer(c, isHealthy ? 200 : 503, { healthy: isHealthy });
  });
  app.get('/status', (c) =>
    mayAskStatus(c, options.statusToken)
      ? answer(c, 200, options.engine.status(isDryRun))
      : answer(c, 403, { error: 'forbidden' }),
  );
  for (const asked of ['/healthz', '/status']) app.all(asked, (c) => wrongMethod(c, 'GET'));
  return app.notFound((c) => answer(c, 404, { error: 'not found' }));
}

function answer(c: HttpContext, status: number, body: object): Response {
  return c.body(`${JSON.stringify(body)}\n`, status as ContentfulStatusCode, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
}

function wrongMethod(c: HttpContext, allow: string): Response {
  c.header('allow', allow);
  return answer(c, 405, { error: 'method not allowed' });
}

interface Delivery {
  readonly id: string;
  readonly event: string | undefined;
  readonly body: Buffer;
}

/** @throws {HttpProblem} where it is not one of GitHub's */
async function delivery(c: HttpContext, secret: string): Promise<Delivery> {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new HttpProblem(415, 'the webhook must send application/json');
  }
  const body = await bodyOf(c, MAX_BODY_BYTES, 'the body is too large');
  if (!isSigned(body, c.req.header('x-hub-signature-256'), secret)) {
    throw new HttpProblem(401, 'the signature is missing or wrong');
  }
  const id = c.req.header('x-github-delivery') ?? '';
  if (!/^[\w-]{1,100}$/.test(id)) throw new HttpProblem(400, 'the delivery has no id');
  return { id, event: c.req.header('x-github-event'), body };
}

function accepted(id: string, body: Buffer, engine: WakeEngine): ReturnType<WakeEngine['accept']> {
  try {
    return engine.accept(id, readWebhook(body));
  } catch (error) {
    if (error instanceof PawlError) throw new HttpProblem(400, error.message);
    // Not written down is not accepted: the sender has to know that it may send it again.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new HttpProblem(503, `the journal cannot be written: ${(error as Error).message}`);
  }
}

/**
 * With the token, or from this machine. What a proxy passes on comes from this machine too and says for whom. A page in
 * a browser here can ask, but only as what it is, or under a name of its own that points here (DNS rebinding).
 */
function mayAskStatus(c: HttpContext, statusToken: string | undefined): boolean {
  const header = (name: string): string | undefined => c.req.header(name);
  if (statusToken !== undefined && isBearer(header('authorization'), statusToken)) return true;
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) =>
    c.req.raw.headers.has(name),
  );
  const isFromHere = isLoopbackName(subscriberOf(c.env.incoming.socket.remoteAddress ?? ''));
  const isOurName = isLoopbackName(hostName(header('host')) ?? '');
  return isFromHere && !isPassedOn && isOurName && crossSite(c.req, []) === undefined;
}
