/**
 * One writer at a time for a baseline file, by a lock file beside it that says who holds it.
 *
 * The lock appears whole (a link to a finished file, which fails where there is one already) and is taken away by its
 * holder. A holder that was killed leaves it behind; that is seen by the start time of its process, and the lock is
 * broken. Breaking is done by one process at a time, under an abstract socket of this machine: two that find the
 * same stale lock could otherwise each remove a lock, the second one that of the first. A lock of another host is
 * never broken, since its processes cannot be seen from here.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { readIfThere } from '../os/read-if-there.ts';
import { lockName } from '../os/named-lock.ts';
import { isAlive, thisProcess } from '../os/process-identity.ts';
import { PawlError } from '../model/pawl-error.ts';
import { runContext } from '../os/run-context.ts';

const holderSchema = z.object({
  host: z.string(),
  pid: z.int(),
  start_ticks: z.string(),
  boot_id: z.string(),
  since: z.iso.datetime(),
});
type Holder = z.infer<typeof holderSchema>;

const POLL_MS = 20;
const WAIT_MS = 10_000;

export interface LockOptions {
  /** How long to wait for another writer; default 10 s, many times what a write takes. */
  readonly wait_ms?: number;
  readonly now?: () => Date;
}

export async function withBaselineLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const release = await take(`${path}.lock`, options);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function take(lock: string, options: LockOptions): Promise<() => Promise<void>> {
  const { now } = runContext(options);
  const own = { host: hostname(), ...(await thisProcess()), since: now().toISOString(), nonce: nonce() };
  const text = `${JSON.stringify(own)}\n`;
  const draft = `${lock}.${own.nonce}.tmp`;
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(text).finally(() => file.close());
    const deadline_ms = performance.now() + (options.wait_ms ?? WAIT_MS);
    while (!(await linked(draft, lock))) {
      if (await breakStale(lock)) continue;
      if (performance.now() >= deadline_ms) throw await busy(lock);
      await sleep(POLL_MS);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    // Somebody may have removed the lock by hand, and another writer taken it: theirs is not ours to remove.
    if ((await readIfThere(lock)) === text) await rm(lock, { force: true });
  };
}

function nonce(): string {
  return randomBytes(6).toString('hex');
}

async function linked(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** True when a lock of a dead process was removed. */
async function breakStale(lock: string): Promise<boolean> {
  if (!(await isStale(lock))) return false;
  const id = `baseline-${createHash('sha256').update(lock).digest('hex').slice(0, 32)}`;
  const alone = await lockName({ id, purpose: 'removing the lock of a dead writer', wait_ms: WAIT_MS });
  // Somebody else is at it, and has been for long.
  if (alone.state === 'taken') return false;
  try {
    if (!(await isStale(lock))) return true;
    await rm(lock, { force: true });
    return true;
  } finally {
    await alone.release();
  }
}

/** Whether a lock, or the draft of one, is by a process of this host that is gone. */
export async function isStale(lock: string): Promise<boolean> {
  const holder = holderOf(await readIfThere(lock));
  if (holder === undefined || holder.host !== hostname()) return false;
  return !(await isAlive(holder));
}

function holderOf(text: string | undefined): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

async function busy(lock: string): Promise<PawlError> {
  const holder = holderOf(await readIfThere(lock));
  const who =
    holder === undefined ? 'somebody else' : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new PawlError(
    'try-again',
    `The baseline is being written by ${who}.`,
    `Try again; if that process is gone, remove ${lock}.`,
  );
}
