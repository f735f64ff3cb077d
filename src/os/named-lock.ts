/**
 * One process at a time for what has a name: a device, a session, a file that is rewritten.
 *
 * The lock is an abstract Unix socket that this process listens on. Node has no `flock`, and a lock file
 * outlives a killed process; the kernel gives an abstract name back the moment its process is gone, `kill -9`
 * included, and nothing is left on disk. A process that finds the name taken connects to it and is told who holds it; who
 * waits keeps the connection, and its end is the news that the name is free.
 * libuv opens sockets close-on-exec, so runners and compilers started meanwhile do not inherit the lock.
 *
 * Its limit: the name is one per network namespace. Two containers that share a GPU do not see each other's
 * lock; they are noticed as foreign processes on the device, through NVML.
 */
import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { lockHolderSchema, type LockHolder } from '../model/device/lock-holder.ts';
import { runContext, type RunContext } from './run-context.ts';

export interface LockRequest extends Partial<Pick<RunContext, 'signal' | 'now'>> {
  readonly id: string;
  /** What the holder does, for those who wait: `pawl bench of attention-cpu`. */
  readonly purpose: string;
  /** How long to wait for another holder before giving up; 0 (the default) is not at all. */
  readonly wait_ms?: number;
  /** Told who holds it as soon as that is known, and again when it is somebody else; undefined: it does not answer. */
  readonly onWait?: (holder: LockHolder | undefined) => void;
}

export interface HeldLock {
  readonly state: 'held';
  readonly id: string;
  release(): Promise<void>;
}

export interface TakenLock {
  readonly state: 'taken';
  /** Undefined: it does not answer (stopped, or not Pawl). */
  readonly holder: LockHolder | undefined;
}

/** A holder that does not keep its callers (a stranger, an earlier Pawl) is asked again after this. */
const LEAST_BETWEEN_MS = 100;
const VANISHED_TRIES = 50;
const ANSWER_TIMEOUT_MS = 1_000;
/** The longest that a timer of Node takes. */
const LONGEST_STAY_MS = 2 ** 31 - 1;
/** A holder's line is short; more than this is not from Pawl. */
const ANSWER_MAX_BYTES = 4_096;
/** `sun_path` of `sockaddr_un` on Linux (unix(7)). */
const SOCKET_NAME_BYTES = 108;

export async function lockName(request: LockRequest): Promise<HeldLock | TakenLock> {
  const { now } = runContext(request);
  const deadline_ms = performance.now() + (request.wait_ms ?? 0);
  let vanished = 0;
  let told: string | undefined;
  const tell = (holder: LockHolder | undefined): void => {
    const who = JSON.stringify(holder ?? null);
    if (who !== told) request.onWait?.(holder);
    told = who;
  };
  for (;;) {
    request.signal?.throwIfAborted();
    const held = await listen(request, now());
    if (held !== undefined) return held;
    const asked_ms = performance.now();
    const holder = await askHolder(request.id, deadline_ms - asked_ms, {
      signal: request.signal,
      onAnswer: tell,
    });
    if (holder === 'silent' && performance.now() < deadline_ms) tell(undefined);
    // A name that is taken and not listened on belongs to a process between its bind and its listen, or to
    // one that just went; it is worth a few more tries, not endless ones.
    if (holder === 'gone') vanished += 1;
    if (performance.now() >= deadline_ms && (holder !== 'gone' || vanished > VANISHED_TRIES)) {
      return { state: 'taken', holder: typeof holder === 'string' ? undefined : holder };
    }
    const pause_ms = holder === 'gone' ? 1 : asked_ms + LEAST_BETWEEN_MS - performance.now();
    if (pause_ms > 0) await sleep(pause_ms, undefined, request.signal ? { signal: request.signal } : {});
  }
}

/**
 * All names are a device's, whatever they are of: earlier versions of Pawl know them so.
 *
 * The name fills `sun_path` to its last byte: libuv before 1.47 binds abstract names padded with zeros and
 * later ones bind them as they are, and two Node versions must agree on one name.
 */
function socketName(id: string): string {
  const plain = `\0pawl-device-${id}`;
  const name =
    Buffer.byteLength(plain) <= SOCKET_NAME_BYTES && /^[\x21-\x7e]*$/.test(id)
      ? plain
      : `\0pawl-device-${createHash('sha256').update(id).digest('hex')}`;
  return name.padEnd(SOCKET_NAME_BYTES, '.');
}

function listen(request: LockRequest, since: Date): Promise<HeldLock | undefined> {
  const holder: LockHolder = { pid: process.pid, purpose: request.purpose, since: since.toISOString() };
  const callers = new Set<Socket>();
  const server = createServer((socket) => {
    // Neither a caller that hangs up early nor one that never does may end the measurement, or make it last.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => callers.delete(socket));
    socket.unref();
    callers.add(socket);
    socket.write(`${JSON.stringify(holder)}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(socketName(request.id), () => {
      // The lock lasts as long as the process; it must not make the process last.
      server.unref();
      resolve(heldLock(request.id, server, callers));
    });
  });
}

function heldLock(id: string, server: Server, callers: ReadonlySet<Socket>): HeldLock {
  let released: Promise<void> | undefined;
  return {
    state: 'held',
    id,
    release() {
      released ??= new Promise((resolve) => {
        server.ref();
        server.close(() => resolve());
        // The name is free by now: a waiting process may take it.
        for (const socket of callers) socket.destroy();
      });
      return released;
    },
  };
}

/**
 * Asks who holds the name, and stays with them until they let go of it, for so long at most. `gone`: no one listens
 * any more. `silent`: somebody does and does not answer (stopped, or not Pawl).
 */
function askHolder(
  id: string,
  stay_ms: number,
  {
    signal,
    onAnswer,
  }: {
    readonly signal: AbortSignal | undefined;
    readonly onAnswer: (holder: LockHolder | undefined) => void;
  },
): Promise<LockHolder | 'silent' | 'gone'> {
  return new Promise((resolve) => {
    let text = '';
    let stay: NodeJS.Timeout | undefined;
    const socket = connect(socketName(id));
    const hangUp = (): void => void socket.destroy();
    signal?.addEventListener('abort', hangUp);
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_TIMEOUT_MS, hangUp);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > ANSWER_MAX_BYTES || (stay_ms <= 0 && text.endsWith('\n'))) hangUp();
      if (!text.endsWith('\n') || stay !== undefined) return;
      socket.setTimeout(0);
      if (stay_ms <= 0) return;
      onAnswer(parseHolder(text));
      stay = setTimeout(hangUp, Math.min(LONGEST_STAY_MS, stay_ms));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('gone');
    });
    socket.once('close', () => {
      clearTimeout(stay);
      signal?.removeEventListener('abort', hangUp);
      resolve(parseHolder(text) ?? 'silent');
    });
  });
}

/** Any process of the namespace may hold the name, so the answer is read as a stranger's. */
function parseHolder(text: string): LockHolder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = lockHolderSchema.safeParse(value);
  if (!parsed.success) return undefined;
  return { ...parsed.data, purpose: parsed.data.purpose.replaceAll(/\p{C}/gu, '').slice(0, 200) };
}
