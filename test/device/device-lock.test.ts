import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { lockDevice } from '../../src/device/device-lock.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { compileModules } from './compile-modules.ts';

let count = 0;
/** A device of this test process alone. */
const newId = () => `GPU-test-${process.pid}-${(count += 1)}`;

// The ids are apart already; the names of sockets are then as users have them.
beforeEach(() => {
  vi.stubEnv('PAWL_LOCK_NAMESPACE', '');
});

let compiled = '';
beforeAll(async () => {
  compiled = await compileModules('device/device-lock.ts');
});

/** A real process that takes the lock, starts a child that outlives it, and stays. */
async function startHolder(id: string) {
  const module = pathToFileURL(join(compiled, 'device/device-lock.js')).href;
  const program = `
    import { spawn } from 'node:child_process';
    import { lockDevice } from ${JSON.stringify(module)};
    await lockDevice({ id: ${JSON.stringify(id)}, purpose: 'pawl bench of attention-cpu' });
    const child = spawn('sleep', ['30'], { stdio: 'ignore', detached: true });
    console.log(child.pid);
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(holder.stdout, 'data')) as [Buffer];
  const childPid = Number(String(line));
  const pid = holder.pid ?? 0;
  const killHolder = async () => {
    const exit = once(holder, 'exit');
    process.kill(pid, 'SIGKILL');
    await exit;
  };
  return { pid, childPid, killHolder };
}

test('the second user of a device is told who holds it', async () => {
  const id = newId();
  const lock = await lockDevice({ id, purpose: 'pawl tune', now: () => new Date('2026-01-02T03:04:05Z') });
  const refused = await lockDevice({ id, purpose: 'pawl bench' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PawlError);
  expect(refused).toMatchObject({
    kind: 'try-again',
    message: `The device ${id} is in use by process ${process.pid} (pawl tune) since 2026-01-02T03:04:05.000Z.`,
  });
  await lock.release();
});

test('a namespace has locks of its own, which exclude each other as any', async () => {
  const id = newId();
  const plain = await lockDevice({ id, purpose: 'pawl bench' });
  vi.stubEnv('PAWL_LOCK_NAMESPACE', 'apart');
  const apart = await lockDevice({ id, purpose: 'pawl bench in a test' });
  expect(apart.id).toBe(id);
  await expect(lockDevice({ id, purpose: 'second' })).rejects.toThrow(
    `The device ${id} is in use by process ${process.pid} (pawl bench in a test)`,
  );
  await apart.release();
  await (await lockDevice({ id, purpose: 'second' })).release();
  await plain.release();
});

test('a released device can be locked again', async () => {
  const id = newId();
  const first = await lockDevice({ id, purpose: 'first' });
  await first.release();
  await first.release();
  const second = await lockDevice({ id, purpose: 'second' });
  await second.release();
});

test('two devices are locked apart from each other', async () => {
  const locks = await Promise.all([newId(), newId()].map((id) => lockDevice({ id, purpose: 'both' })));
  await Promise.all(locks.map((lock) => lock.release()));
});

test('an id longer than a socket name is still one lock', async () => {
  const id = `cpu:${'very-long-host-name.'.repeat(10)}${newId()}`;
  const lock = await lockDevice({ id, purpose: 'long' });
  await expect(lockDevice({ id, purpose: 'again' })).rejects.toThrow(/in use by process/);
  const other = await lockDevice({ id: `${id}x`, purpose: 'other' });
  await Promise.all([lock.release(), other.release()]);
});

test('of many that ask at once exactly one gets the device', async () => {
  const id = newId();
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => lockDevice({ id, purpose: `asker ${i}` })),
  );
  const got = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(got).toHaveLength(1);
  await got[0]?.release();
});

test('who waits gets the device when it is released', async () => {
  const id = newId();
  const first = await lockDevice({ id, purpose: 'first' });
  const waiting = lockDevice({ id, purpose: 'second', wait_ms: 30_000 });
  await sleep(250);
  await first.release();
  const second = await waiting;
  await expect(lockDevice({ id, purpose: 'third' })).rejects.toThrow(/\(second\)/);
  await second.release();
});

test('who waits is not outrun by the holder, who comes back after a moment', async () => {
  const id = newId();
  let first = await lockDevice({ id, purpose: 'first' });
  const waiting = lockDevice({ id, purpose: 'second', wait_ms: 30_000 });
  await sleep(150);
  await first.release();
  // Shorter than any interval of looking: who only looked now and then would find it taken again.
  await sleep(25);
  const back = lockDevice({ id, purpose: 'first again', wait_ms: 30_000 });
  await (await waiting).release();
  first = await back;
  await first.release();
});

test('a caller that never hangs up does not keep a lock from being released', async () => {
  const id = newId();
  const lock = await lockDevice({ id, purpose: 'first' });
  const socket = connect({ path: `\0pawl-device-${id}`.padEnd(108, '.'), allowHalfOpen: true });
  await once(socket, 'data');
  await lock.release();
  await (await lockDevice({ id, purpose: 'second' })).release();
  socket.destroy();
});

test('waiting for a device can be given up', async () => {
  const id = newId();
  const lock = await lockDevice({ id, purpose: 'first' });
  const abort = new AbortController();
  const waiting = lockDevice({ id, purpose: 'second', wait_ms: 60_000, signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  await expect(waiting).rejects.toThrow(/abort/i);
  await lock.release();
});

test('kill -9 of the holder frees the device, though a child that it started lives on', async () => {
  const id = newId();
  const { pid, childPid, killHolder } = await startHolder(id);
  try {
    await expect(lockDevice({ id, purpose: 'second' })).rejects.toThrow(
      `in use by process ${pid} (pawl bench of attention-cpu)`,
    );
    await killHolder();
    expect(() => process.kill(childPid, 0)).not.toThrow();
    const lock = await lockDevice({ id, purpose: 'second' });
    await lock.release();
  } finally {
    process.kill(childPid, 'SIGKILL');
  }
});

test('a holder that is stopped still holds the device', async () => {
  const id = newId();
  const { pid, childPid, killHolder } = await startHolder(id);
  try {
    process.kill(pid, 'SIGSTOP');
    await expect(lockDevice({ id, purpose: 'second' })).rejects.toThrow(/in use by another process/);
  } finally {
    await killHolder();
    process.kill(childPid, 'SIGKILL');
  }
});
