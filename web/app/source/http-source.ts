import { defined } from '../../../src/model/defined.ts';
import type { LiveEvent } from '../../../src/model/server/live-event.ts';
import { Problem, type ProblemKind, type Source } from './source.ts';

const KINDS: Readonly<Record<number, ProblemKind>> = {
  401: 'not-allowed',
  403: 'not-allowed',
  404: 'not-found',
};

export function httpSource(base: string): Source {
  return {
    kind: 'server',
    get: (path, signal) => ask(base + path, { ...defined({ signal }) }),
    send: (path, body, token) => send(base + path, body, token),
    watch: (onEvent) => watch(base, onEvent),
    needsSignIn,
  };
}

interface Asked extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(url: string, body: unknown, token: string | undefined): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  try {
    return await ask(url, { method: 'POST', headers, body: JSON.stringify(body) });
  } catch (error) {
    // Reading is allowed to who sees the page: what is missing is the other token.
    if (error instanceof Problem && error.status === 401)
      throw new Problem('needs-token', error.message, 401);
    throw error;
  }
}

async function ask(url: string, { headers, ...asked }: Asked): Promise<unknown> {
  let response;
  try {
    response = await fetch(url, { ...asked, headers: { accept: 'application/json', ...headers } });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new Problem('offline');
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  throw new Problem(
    KINDS[response.status] ?? 'trouble',
    detailOf(body) ?? `The server answered ${response.status}.`,
    response.status,
  );
}

/** A server that is open to all sends a user who wants to sign in to the dashboard. */
async function needsSignIn(): Promise<boolean> {
  try {
    return (await fetch('login', { method: 'HEAD', redirect: 'manual' })).ok;
  } catch {
    // The page says elsewhere that the server does not answer.
    return false;
  }
}

/** Of an `application/problem+json`. */
function detailOf(body: unknown): string | undefined {
  const { detail, title } = (body ?? {}) as { readonly detail?: unknown; readonly title?: unknown };
  return [detail, title].find((text): text is string => typeof text === 'string');
}

const EVENTS: readonly LiveEvent['type'][] = [
  'snapshot',
  'run',
  'study',
  'progress',
  'finished',
  'recorded',
  'session',
];

/** EventSource connects again by itself, and resumes after the last event it saw. */
function watch(base: string, onEvent: (event: LiveEvent) => void): () => void {
  const events = new EventSource(`${base}live`);
  for (const type of EVENTS)
    events.addEventListener(type, (event: MessageEvent<string>) =>
      onEvent(JSON.parse(event.data) as LiveEvent),
    );
  return () => events.close();
}
