import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const RUNNER = join(import.meta.dirname, '..', '..', 'runner');

/** `0x41 0xd0c Neoverse-N1` for each core of a table, in C++ or in Python. */
async function coresOf(path: string): Promise<string[]> {
  const text = await readFile(join(RUNNER, path), 'utf8');
  const cores = text.matchAll(/(0x\w+), (0x\w+)\)?(?:,|:) "([^"]+)"/gu);
  return Array.from(cores, ([, maker, part, name]) => `${maker} ${part} ${name}`.toLowerCase()).toSorted();
}

test('both runners know the same Arm cores by the same names', async () => {
  const native = await coresOf('src/cpu/arm_core_name.hpp');
  expect(native).toContain('0x41 0xd4f neoverse-v2');
  expect(await coresOf('python/pawl_runner/arm_core.py')).toEqual(native);
});
