import { join } from 'node:path';

import { Client } from 'pg';
import { expect, test } from 'vitest';

import { isPassing, isPostgres } from '../../src/os/postgres.ts';
import { storeFailure } from '../../src/history/store-failure.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { freePorts } from '../services/free-ports.ts';

function failing(code: string, syscall?: string): Error {
  return Object.assign(new Error('it failed'), { code, syscall });
}

async function refusal(options: ConstructorParameters<typeof Client>[0]): Promise<unknown> {
  return new Client(options).connect().then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('a server that is not up passes, by its port and by its socket', async () => {
  const port = await freePorts(1);
  expect(isPassing(await refusal({ host: '127.0.0.1', port }))).toBe(true);
  expect(isPassing(await refusal({ host: 'localhost', port }))).toBe(true);
  expect(isPassing(await refusal({ host: join(await temporaryFolder(), 'none') }))).toBe(true);
});

test.each([
  '08006',
  '57P01',
  '53300',
  '40001',
  '40P01',
  '55P03',
  '25P03',
  'ENOTFOUND',
  'ENETUNREACH',
  'EAI_AGAIN',
])('%s passes, and a history says that the store does not answer', (code) => {
  expect(isPassing(failing(code))).toBe(true);
  expect(storeFailure(failing(code), 'postgres://db/pawl')).toMatchObject({ kind: 'unavailable' });
});

test('what the client library says without a code passes', () => {
  expect(isPassing(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isPassing(new Error('Query read timeout'))).toBe(true);
});

test.each([
  failing('23505'),
  failing('42P01'),
  failing('28P01'),
  failing('ENOENT', 'open'),
  'text',
  undefined,
])('%o does not pass', (error) => {
  expect(isPassing(error)).toBe(false);
});

test('stores are told by their address', () => {
  expect(isPostgres('postgres://host/db')).toBe(true);
  expect(isPostgres('postgresql://host/db')).toBe(true);
  expect(isPostgres('.pawl/history.db')).toBe(false);
});
