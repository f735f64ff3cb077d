import { expect, it } from 'vitest';

import { holderText } from '../../src/model/device/wait-text.ts';
import { lockName } from '../../src/os/named-lock.ts';

it('gives whoever finds the name taken its holder as data', async () => {
  const id = `name-test-${process.pid}`;
  const now = () => new Date('2026-01-02T03:04:05Z');
  const lock = await lockName({ id, purpose: 'in use by (odd) words.', now });
  if (lock.state !== 'held') throw new Error('nobody else holds the name');
  const taken = await lockName({ id, purpose: 'second' });
  const holder = { pid: process.pid, purpose: 'in use by (odd) words.', since: '2026-01-02T03:04:05.000Z' };
  expect(taken).toEqual({ state: 'taken', holder });
  expect(holderText(holder)).toBe(
    `process ${process.pid} (in use by (odd) words.) since 2026-01-02T03:04:05.000Z`,
  );
  await lock.release();
  expect(await lockName({ id, purpose: 'third' })).toMatchObject({ state: 'held', id });
});

it('tells whoever waits who holds the name at once, and once', async () => {
  const id = `name-wait-test-${process.pid}`;
  const lock = await lockName({ id, purpose: 'first' });
  if (lock.state !== 'held') throw new Error('nobody else holds the name');
  const told: unknown[] = [];
  const heard = new Promise<void>((resolve) => {
    void lockName({
      id,
      purpose: 'second',
      wait_ms: 30_000,
      onWait: (holder) => {
        told.push(holder);
        resolve();
      },
    }).then((second) => (second.state === 'held' ? second.release() : undefined));
  });
  await heard;
  expect(told).toMatchObject([{ pid: process.pid, purpose: 'first' }]);
  expect(await lockName({ id, purpose: 'third', onWait: () => told.push('not waiting') })).toMatchObject({
    state: 'taken',
  });
  await lock.release();
  expect(told).toHaveLength(1);
});
