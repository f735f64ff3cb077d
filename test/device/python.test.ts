import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { findPython } from '../../src/device/python.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function program(shell: string): Promise<string> {
  const path = join(await temporaryFolder(), 'python3');
  await writeFile(path, `#!/bin/sh\n${shell}\n`);
  await chmod(path, 0o755);
  return path;
}

test('python3 on the PATH is found with its version and the path it really has', async () => {
  const found = await findPython({ env: { PATH: process.env['PATH'] } });
  expect(found).toMatchObject({ status: 'found', path: expect.stringMatching(/^\//) as string });
});

test('$PAWL_PYTHON is taken before python3', async () => {
  const path = await program('echo /some/python; echo 3.12.1');
  expect(await findPython({ env: { ...process.env, PAWL_PYTHON: path } })).toEqual({
    status: 'found',
    path: '/some/python',
    version: '3.12.1',
  });
});

test('a $PAWL_PYTHON that is not there is missing, and python3 does not take its place', async () => {
  const found = await findPython({ env: { ...process.env, PAWL_PYTHON: '/nonexistent/python' } });
  expect(found).toMatchObject({
    status: 'missing',
    message: '$PAWL_PYTHON (/nonexistent/python) does not exist.',
  });
});

test.each(['3.8.18', '2.7.18'])('Python %s is too old', async (version) => {
  const path = await program(`echo /old/python; echo ${version}`);
  expect((await findPython({ env: { ...process.env, PAWL_PYTHON: path } })).status).toBe('too-old');
});

test('a Python that breaks says so in its own last line', async () => {
  const path = await program('echo first >&2; echo "no module named encodings" >&2; exit 1');
  expect(await findPython({ env: { ...process.env, PAWL_PYTHON: path } })).toEqual({
    status: 'failed',
    message: `$PAWL_PYTHON (${path}) ended with 1: no module named encodings.`,
  });
});
