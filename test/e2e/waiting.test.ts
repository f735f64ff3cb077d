import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { lockDevice } from '../../src/device/device-lock.ts';
import { cpuDeviceId } from '../../src/device/host.ts';
import { fixtureProject, startPawl } from './pawl-cli.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a command that waits for a device', () => {
  it('says so at once, with who holds it, to its user and to whoever watches the runs', async () => {
    // Nobody else's measurements: this holder measures nothing.
    vi.stubEnv('PAWL_LOCK_NAMESPACE', `waiting-${process.pid}`);
    const folder = await fixtureProject(['right']);
    const runs = join(folder, '.pawl', 'runs');
    const held = await lockDevice({ id: cpuDeviceId(), purpose: 'pawl tune of gemm' });
    const bench = startPawl(folder, 'bench', '--wait', '10m', '--processes', '1', '--samples', '2');
    const ended = once(bench, 'exit');
    await expect
      .poll(() => bench.text(), { timeout: 60_000 })
      .toMatch(
        new RegExp(
          `waiting for the device cpu:.*, which is in use by process ${process.pid} \\(pawl tune of gemm\\) since 20`,
        ),
      );
    await expect.poll(async () => (await readdir(runs)).length).toBe(1);
    const [waiting] = await readdir(runs);
    await expect
      .poll(() => readFile(join(runs, waiting!, 'journal.jsonl'), 'utf8'))
      .toMatch(/"type":"waiting".*"purpose":"pawl tune of gemm"/);
    await held.release();
    expect(await ended).toEqual([0, null]);
    const [measured, ...others] = await readdir(runs);
    expect(others).toEqual([]);
    expect(measured).not.toBe(waiting);
  });
});
