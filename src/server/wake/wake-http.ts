import type { IncomingMessage, ServerResponse } from 'node:http';

import { PawlError } from '../../model/pawl-error.ts';
import type { WakeEvent } from '../../model/wake.ts';
import { hostName, isLoopbackName } from '../http/allowed-hosts.ts';
import { subscriberOf } from '../http/client-of.ts';
import { crossSite } from '../http/cross-site.ts';
import { isBearer } from '../http/is-bearer.ts';
import { readBody } from '../http/read-body.ts';
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

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers `POST` of deliveries, `GET /healthz` and `GET /status`. A refusal says no more than it has to. */
export function wakeHandler(options: HttpOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await answerTo(request, options).catch((error: unknown): Answer => {
      log(options, 'error', 'bug', error instanceof Error ? (error.stack ?? error.message) : String(error));
      return { status: 500, body: { error: 'internal' } };
    });
    const text = `${JSON.stringify(answer.body)}\n`;
    // A body that was not read to its end cannot be followed by another request.
    const isOver = !request.complete;
    response.writeHead(answer.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(isOver ? { connection: 'close' } : {}),
      ...answer.headers,
    });
    response.end(text);
  };
}

async function answerTo(request: IncomingMessage, options: HttpOptions): Promise<Answer> {
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === options.path) {
    return request.method === 'POST' ? delivery(request, options) : wrongMethod('POST');
  }
  if (path !== '/healthz' && path !== '/status') return { status: 404, body: { error: 'not found' } };
  if (request.method !== 'GET') return wrongMethod('GET');
  if (path === '/healthz') {
    const { isHealthy } = options.engine;
    return { status: isHealthy ? 200 : 503, body: { healthy: isHealthy } };
  }
  if (!mayAskStatus(request, options)) return { status: 403, body: { error: 'forbidden' } };
  return { status: 200, body: options.engine.status(options.isDryRun) };
}

function wrongMethod(allow: string): Answer {
  return { status: 405, body: { error: 'method not allowed' }, headers: { allow } };
}

async function delivery(request: IncomingMessage, options: HttpOptions): Promise<Answer> {
  const { engine, secret } = options;
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  if (!/^application\/json\s*(?:;|$)/i.test(header('content-type') ?? '')) {
    return refused(options, 415, 'the webhook must send application/json');
  }
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === 'too-large') return refused(options, 413, 'the body is too large');
  if (body === 'cut-off') return refused(options, 400, 'the body was cut off');
  if (!isSigned(body, header('x-hub-signature-256'), secret)) {
    return refused(options, 401, 'the signature is missing or wrong');
  }
  const id = header('x-github-delivery') ?? '';
  if (!/^[\w-]{1,100}$/.test(id)) return refused(options, 400, 'the delivery has no id');
  const event = header('x-github-event');
  if (event === 'ping') {
    log(options, 'info', 'ping', 'the webhook is set up');
    return { status: 200, body: { result: 'pong' } };
  }
  if (event !== 'workflow_job')
    return { status: 202, body: { result: 'ignored', message: 'not workflow_job' } };
  return accepted(id, body, engine, options);
}

function accepted(id: string, body: Uint8Array, engine: WakeEngine, options: HttpOptions): Answer {
  try {
    const { result, message } = engine.accept(id, readWebhook(body));
    return { status: result === 'accepted' ? 202 : 200, body: { result, message } };
  } catch (error) {
    if (error instanceof PawlError) return refused(options, 400, error.message);
    // Not written down is not accepted: the sender has to know that it may send it again.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return refused(options, 503, `the journal cannot be written: ${(error as Error).message}`);
  }
}

function refused(options: HttpOptions, status: number, why: string): Answer {
  log(options, 'warning', 'refused', `${status}: ${why}`);
  return { status, body: { error: why } };
}

function log(
  { log: write, now }: HttpOptions,
  level: WakeEvent['level'],
  event: string,
  message: string,
): void {
  write({ at: now().toISOString(), level, event, message });
}

/**
 * With the token, or from this machine. What a proxy passes on comes from this machine too and says for whom. A page in
 * a browser here can ask, but only as what it is, or under a name of its own that points here (DNS rebinding).
 */
function mayAskStatus(request: IncomingMessage, { statusToken }: HttpOptions): boolean {
  const { headers, socket } = request;
  if (statusToken !== undefined && isBearer(headers.authorization, statusToken)) return true;
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => name in headers);
  const isFromHere = isLoopbackName(subscriberOf(socket.remoteAddress ?? ''));
  const isOurName = isLoopbackName(hostName(headers.host) ?? '');
  return isFromHere && !isPassedOn && isOurName && crossSite(request, []) === undefined;
}
