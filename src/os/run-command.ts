import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';

export interface RunCommandOptions {
  readonly cwd?: string;
  /** The whole environment of the child; absent: ours. */
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout_ms?: number;
  readonly signal?: AbortSignal;
  /** Bound on what is kept of each of stdout and stderr; the rest is read and dropped. */
  readonly maxOutputBytes?: number;
  /** Text for the child's stdin; absent: an empty stdin. */
  readonly input?: string;
}

interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Some output was over the bound and is not here. */
  readonly truncated: boolean;
  readonly duration_ms: number;
}

export type CommandResult =
  | (CommandOutput & { readonly status: 'exited'; readonly code: number })
  | (CommandOutput & { readonly status: 'signalled'; readonly signal: NodeJS.Signals })
  | (CommandOutput & { readonly status: 'timed-out' })
  | (CommandOutput & { readonly status: 'cancelled' })
  /** There is no such program, or it may not be executed. */
  | { readonly status: 'missing'; readonly message: string };

const DEFAULT_OUTPUT_BYTES = 16 * 1024 * 1024;
/** How long a process group may take to end after SIGTERM before SIGKILL. */
const GRACE_MS = 2000;
/** How long output may stay open after the child has ended: longer means that a left-over grandchild holds it. */
const DRAIN_MS = 1000;

const NOT_STARTABLE = new Set(['ENOENT', 'EACCES', 'ENOTDIR', 'ENOEXEC']);

const liveGroups = new Set<number>();
process.on('exit', () => {
  for (const group of liveGroups) killGroup(group, 'SIGKILL');
});

/**
 * Runs a program to its end. It leads a process group of its own, and the whole group is ended on time-out
 * and on abort: compilers and profilers do their work in grandchildren, which outlive a killed parent.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: RunCommandOptions = {},
): Promise<CommandResult> {
  const { signal, timeout_ms } = options;
  const started_ms = performance.now();
  if (signal?.aborted) {
    return { status: 'cancelled', stdout: '', stderr: '', truncated: false, duration_ms: 0 };
  }
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = child.pid;
  if (group !== undefined) liveGroups.add(group);
  const limit_bytes = options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
  const stdout = keep(child.stdout, limit_bytes);
  const stderr = keep(child.stderr, limit_bytes);
  // A child that ends without reading its input closes the pipe; that is its right.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');

  let stopped: 'timed-out' | 'cancelled' | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (why: 'timed-out' | 'cancelled'): void => {
    if (stopped !== undefined || group === undefined) return;
    stopped = why;
    killGroup(group, 'SIGTERM');
    killTimer = setTimeout(() => killGroup(group, 'SIGKILL'), GRACE_MS);
  };
  const onAbort = (): void => stop('cancelled');
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = timeout_ms === undefined ? undefined : setTimeout(() => stop('timed-out'), timeout_ms);
  try {
    const end = await ended(child, () => stopped !== undefined);
    if ('error' in end) {
      if (NOT_STARTABLE.has(end.error.code ?? '')) return { status: 'missing', message: end.error.message };
      throw end.error;
    }
    const output = {
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated() || stderr.truncated(),
      duration_ms: performance.now() - started_ms,
    };
    if (stopped !== undefined) return { status: stopped, ...output };
    if (end.signal !== null) return { status: 'signalled', signal: end.signal, ...output };
    return { status: 'exited', code: end.code ?? 0, ...output };
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    signal?.removeEventListener('abort', onAbort);
    if (group !== undefined) liveGroups.delete(group);
  }
}

type End =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly error: NodeJS.ErrnoException };

/** Resolves when the child has ended and its output is closed, by force where a grandchild keeps it open. */
async function ended(child: ChildProcess, isStopped: () => boolean): Promise<End> {
  return new Promise((resolve) => {
    let drain: NodeJS.Timeout | undefined;
    child.once('error', (error: NodeJS.ErrnoException) => {
      // An error after a successful start (a failed kill) does not end it; 'close' still comes.
      if (child.pid === undefined) resolve({ error });
    });
    child.once('exit', () => {
      const force = (): void => {
        if (child.pid !== undefined) killGroup(child.pid, 'SIGKILL');
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      if (isStopped() && child.pid !== undefined) killGroup(child.pid, 'SIGKILL');
      drain = setTimeout(force, DRAIN_MS);
    });
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
      clearTimeout(drain);
      resolve({ code, signal });
    });
  });
}

function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // ESRCH: the whole group has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function keep(stream: Readable, limit_bytes: number): { text(): string; truncated(): boolean } {
  const chunks: Buffer[] = [];
  let kept_bytes = 0;
  let dropped = false;
  stream.on('data', (chunk: Buffer) => {
    const room_bytes = limit_bytes - kept_bytes;
    if (chunk.length > room_bytes) dropped = true;
    if (room_bytes <= 0) return;
    const part = chunk.subarray(0, room_bytes);
    chunks.push(part);
    kept_bytes += part.length;
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), truncated: () => dropped };
}
