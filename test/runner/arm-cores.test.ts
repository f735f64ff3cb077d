import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { compile } from './native-build.ts';

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-arm-cores-'));
  program = join(folder, 'name');
  await compile(['test/runner/name-arm-core.cpp'], program);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['0x41', '0xd4f', 'Neoverse-V2'],
  ['0x41', '0xd0c', 'Neoverse-N1'],
  ['0xc0', '0xac3', 'Ampere-1'],
  ['0x41', '0xfff', 'Arm 0x41 0xfff'],
  // The same part of another maker is another core.
  ['0xc0', '0xd0c', 'Arm 0xc0 0xd0c'],
])('the Arm core %s %s goes by the name %s', async (implementer, part, name) => {
  const { stdout } = await promisify(execFile)(program, [implementer, part]);
  expect(stdout).toBe(name);
});
