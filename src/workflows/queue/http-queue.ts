import { PawlError } from '../../model/pawl-error.ts';
import { workAnswerSchema, type WorkAnswer, type WorkRequest } from '../../model/queue/queue-work.ts';
import { retry } from '../../os/postgres.ts';
import type { WorkerQueue } from '../../queue/shift.ts';

/** How long a server that is away is waited for. */
const PATIENCE_MS = 600_000;
const LONGEST_PAUSE_MS = 5000;
const TIMEOUT_MS = 60_000;

/** An answer that may be another one later. */
class PassingFailure extends Error {}

/** The queue of a `pawl serve --judge`, for workers that reach no database. */
export function httpQueue(server: string, token: string | undefined): WorkerQueue {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw new PawlError('usage', `${server} is not a server address.`, '--server https://HOST');
  }
  if (token === undefined) {
    throw new PawlError(
      'usage',
      'A worker with --server needs a token.',
      'Give --token-file FILE or PAWL_QUEUE_TOKEN.',
    );
  }
  const url = new URL('api/judge/work', server.endsWith('/') ? server : `${server}/`);
  const ask = async (request: WorkRequest): Promise<WorkAnswer> => {
    try {
      return await retry(() => post(url, token, request), {
        patience_ms: PATIENCE_MS,
        mayPass: (error) => error instanceof PassingFailure,
        longestPause_ms: LONGEST_PAUSE_MS,
      });
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      throw new PawlError('unavailable', `${server} does not answer: ${error.message}.`);
    }
  };
  const counts = async (request: WorkRequest): Promise<boolean> => {
    const answer = await ask(request);
    return answer.state === 'done' && answer.counts === true;
  };
  return {
    join: async (worker, judges) => void (await ask({ op: 'join', worker, judges: [...judges] })),
    leave: async (worker) => void (await ask({ op: 'leave', worker })),
    lease: async ({ worker, judges, holds, lease_s }) => {
      const answer = await ask({ op: 'lease', worker, judges: [...judges], holds, lease_s });
      return answer.state === 'done' ? { state: 'nothing' } : answer;
    },
    beat: async (worker, held, lease_s) => {
      const keys = held.map(({ id, generation }) => ({ id, generation }));
      const answer = await ask({ op: 'beat', worker, held: keys, lease_s });
      return new Set(answer.state === 'done' ? answer.kept : []);
    },
    answer: (worker, { id, generation }, judgement) =>
      counts({ op: 'answer', worker, lease: { id, generation }, judgement }),
    fail: (worker, { id, generation }, error) =>
      counts({ op: 'fail', worker, lease: { id, generation }, error }),
    giveBack: (worker, { id, generation }) => counts({ op: 'return', worker, lease: { id, generation } }),
  };
}

async function post(url: URL, token: string, request: WorkRequest): Promise<WorkAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    text = await response.text();
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    throw new PassingFailure(cause instanceof Error ? cause.message : (error as Error).message);
  }
  // The server's own limits, and a server or a store that is being restarted.
  if (response.status === 429 || response.status >= 500)
    throw new PassingFailure(`status ${response.status}`);
  const body = parsed(text);
  if (response.ok) {
    const answer = workAnswerSchema.safeParse(body);
    if (answer.success) return answer.data;
    throw new PawlError('unavailable', `${url.origin} is not a Pawl queue.`);
  }
  const { detail } = (body ?? {}) as { readonly detail?: unknown };
  const kind = response.status === 401 || response.status === 403 ? 'permission' : 'unavailable';
  throw new PawlError(
    kind,
    `${url.origin} refuses: ${typeof detail === 'string' ? detail : response.status}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
