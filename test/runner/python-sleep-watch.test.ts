import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compileLibrary } from './native-build.ts';

const RUNNER = join(import.meta.dirname, '..', '..', 'runner', 'python');
/** Watches twenty calls of a library's `call`, or of sleep. */
const WATCH = `
import ctypes, sys, time
sys.path.insert(0, sys.argv[1])
from pawl_runner.sleep_watch import SleepWatch
call = ctypes.CDLL(sys.argv[2]).call if len(sys.argv) > 2 else lambda: time.sleep(0.002)
watch = SleepWatch()
for _ in range(20):
    watch(call)
print([found["detector"] for found in watch.look()])
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-sleep-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function found(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-B', '-c', WATCH, RUNNER, ...args]);
  return stdout.trim();
}

describe("Python's look at sleep", () => {
  it('sees calls that sleep', async () => {
    expect(await found()).toBe("['sleeping']");
  });

  it('does not take waiting for a thread that works on another CPU for sleep', async () => {
    const source = 'test/fixtures/python-kernels/spinning-pool.cpp';
    const library = await compileLibrary(source, join(folder, 'pool.so'));
    expect(await found(library)).toBe('[]');
  });
});
