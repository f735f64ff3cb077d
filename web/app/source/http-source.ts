import { defined } from '../../../src/model/defined.ts';
import type { LiveEvent } from '../../../src/model/live-event.ts';
import { Problem, type ProblemKind, type Source } from './source.ts';

const KINDS: Readonly<Record<number, ProblemKind>> = {
  401: 'not-allowed',
  403: 'not-allowed',
  404: 'not-found',
};

export function httpSource(base: string): Source {
  return {
    kind: 'server',
    get: (path, signal) => get(base + path, signal),
    watch: (onEvent) => watch(base, onEvent),
    needsSignIn,
  };
}

async function get(url: string, signal: AbortSignal | undefined): Promise<unknown> {
  let response;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json' },
      ...defined({ signal }),
    });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new Problem('offline');
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  throw new Problem(
    KINDS[response.status] ?? 'trouble',
    detailOf(body) ?? `The server answered ${response.status}.`,
  );
}

/** A server that is open to all sends whoever wants to sign in to the dashboard. */
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
