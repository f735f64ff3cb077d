import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, it, vi } from 'vitest';

import { traced } from '../../src/runner/trace-requests.ts';

afterEach(() => vi.unstubAllEnvs());

it('writes down what requests took, failed ones too', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'pawl-trace-')), 'trace.txt');
  vi.stubEnv('PAWL_TRACE', file);
  expect(await traced('sample', async () => ({ phases_ms: { 'warm-up': 3.2, samples: 20 } }))).toEqual({
    phases_ms: { 'warm-up': 3.2, samples: 20 },
  });
  await expect(traced('open', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  const [first, second] = (await readFile(file, 'utf8')).split('\n');
  expect(first).toMatch(/^\d+ sample \d+ \(warm-up 3, samples 20\)$/u);
  expect(second).toMatch(/^\d+ open \d+$/u);
});
