import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink, lstat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { beforeAll, describe, expect, it } from 'vitest';

import { thisProcess } from '../../src/os/process-identity.ts';
import { parseBaseline } from '../../src/ratchet/parse-baseline.ts';
import { readBaseline, updateBaseline } from '../../src/ratchet/update-baseline.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { waive } from '../../src/ratchet/waivers.ts';
import { compileModules } from '../device/compile-modules.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { AUDIT, textOf, twoEntries } from './accepted-of.ts';

const WAIVER = { pattern: 'attention/*', reason: 'a test', expires: '2026-03-20' };

async function newBaseline(): Promise<string> {
  const path = join(await temporaryFolder(), 'pawl-baseline.json');
  await writeFile(path, textOf(twoEntries()));
  return path;
}

let compiled = '';
beforeAll(async () => {
  compiled = await compileModules('ratchet/update-baseline.ts', 'ratchet/waivers.ts');
});

/** A real process that adds `count` waivers to the file, one after the other. */
function startWriter(path: string, name: string, count: number): ChildProcess {
  const module = (file: string) => JSON.stringify(pathToFileURL(join(compiled, file)).href);
  const program = `
    import { updateBaseline } from ${module('ratchet/update-baseline.js')};
    import { waive } from ${module('ratchet/waivers.js')};
    const audit = { author: ${JSON.stringify(name)}, time: new Date(${JSON.stringify(AUDIT.time)}) };
    console.log('started');
    for (let i = 0; i < ${count}; i++) {
      await updateBaseline(${JSON.stringify(path)}, (b) => waive(b, ${JSON.stringify(WAIVER)}, audit), { wait_ms: 60_000 });
    }
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('updateBaseline', () => {
  it('starts a file where there is none', async () => {
    const path = join(await temporaryFolder(), 'pawl-baseline.json');
    expect(await readBaseline(path)).toBeUndefined();
    await updateBaseline(path, () => twoEntries());
    expect(verifyBaseline(await readFile(path, 'utf8'))).toEqual([]);
    expect((await readBaseline(path))?.entries).toHaveLength(2);
  });

  it('leaves nothing but the file behind', async () => {
    const path = await newBaseline();
    await writeFile(`${path}.0123456789ab.tmp`, 'half a file of a killed writer');
    await updateBaseline(path, (baseline) => waive(baseline, WAIVER, AUDIT));
    expect(await readdir(join(path, '..'))).toEqual(['pawl-baseline.json']);
  });

  it('writes nothing when nothing changes', async () => {
    const path = await newBaseline();
    const before = await readFile(path, 'utf8');
    await updateBaseline(path, (baseline) => baseline);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('writes through a link', async () => {
    const path = await newBaseline();
    const alias = join(await temporaryFolder(), 'alias.json');
    await symlink(path, alias);
    await updateBaseline(alias, (baseline) => waive(baseline, WAIVER, AUDIT));
    expect((await lstat(alias)).isSymbolicLink()).toBe(true);
    expect((await readBaseline(path))?.log).toHaveLength(3);
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, text.length / 2), /truncated/],
    ['of a newer schema', (text: string) => text.replace('pawl.baseline/1', 'pawl.baseline/9'), /newer Pawl/],
    ['edited by hand', (text: string) => text.replace('"commit": "c1"', '"commit": "c9"'), /edited by hand/],
  ])('refuses a file that is %s and leaves it as it is', async (_, spoil, message) => {
    const path = await newBaseline();
    const spoilt = spoil(await readFile(path, 'utf8'));
    await writeFile(path, spoilt);
    await expect(updateBaseline(path, (baseline) => waive(baseline, WAIVER, AUDIT))).rejects.toThrow(message);
    expect(await readFile(path, 'utf8')).toBe(spoilt);
    expect(await readdir(join(path, '..'))).toEqual(['pawl-baseline.json']);
  });

  it('refuses to write what would not be sound', async () => {
    const path = await newBaseline();
    const wrong = updateBaseline(path, ({ entries, log }) => ({ entries: entries.slice(1), log }));
    await expect(wrong).rejects.toThrow(/removed by hand/);
  });

  it('signs with a key, and refuses a signed file without it', async () => {
    const path = await newBaseline();
    const change = (baseline: Parameters<typeof waive>[0]) => waive(baseline, WAIVER, AUDIT);
    await expect(updateBaseline(path, change, { key: 'secret' })).rejects.toThrow(/is not signed/);
    await updateBaseline(path, (baseline) => baseline, { key: 'secret', adopt: true });
    await updateBaseline(path, change, { key: 'secret' });
    expect(verifyBaseline(await readFile(path, 'utf8'), { key: 'secret' })).toEqual([]);
    await expect(updateBaseline(path, change)).rejects.toThrow(/is signed/);
    await expect(updateBaseline(path, change, { key: 'other' })).rejects.toThrow(/made with another key/);
  });

  it('waits for another writer and says who it is', async () => {
    const path = await newBaseline();
    const holder = { host: hostname(), ...(await thisProcess()), since: '2026-03-01T00:00:00Z' };
    await writeFile(`${path}.lock`, JSON.stringify(holder));
    const update = updateBaseline(path, (baseline) => waive(baseline, WAIVER, AUDIT), { wait_ms: 50 });
    await expect(update).rejects.toMatchObject({
      kind: 'try-again',
      message: expect.stringContaining(`process ${process.pid} on ${hostname()}`) as string,
    });
  });

  it('never breaks the lock of another host', async () => {
    const path = await newBaseline();
    const holder = {
      host: 'elsewhere',
      pid: 1,
      start_ticks: '1',
      boot_id: 'x',
      since: '2026-03-01T00:00:00Z',
    };
    await writeFile(`${path}.lock`, JSON.stringify(holder));
    const update = updateBaseline(path, (baseline) => baseline, { wait_ms: 50 });
    await expect(update).rejects.toThrow(/on elsewhere/);
  });

  it('breaks the lock of a process that is gone', async () => {
    const path = await newBaseline();
    const gone = {
      host: hostname(),
      ...(await thisProcess()),
      start_ticks: '1',
      since: '2026-03-01T00:00:00Z',
    };
    await writeFile(`${path}.lock`, JSON.stringify(gone));
    await Promise.all(
      Array.from({ length: 5 }, () => updateBaseline(path, (baseline) => waive(baseline, WAIVER, AUDIT))),
    );
    expect((await readBaseline(path))?.log).toHaveLength(7);
    expect(await readdir(join(path, '..'))).toEqual(['pawl-baseline.json']);
  });

  it('loses nothing of two processes that write at once', async () => {
    const path = await newBaseline();
    const writers = ['one', 'two'].map((name) => startWriter(path, name, 15));
    const exits = await Promise.all(writers.map((writer) => once(writer, 'exit')));
    expect(exits.map(([code]) => code as number)).toEqual([0, 0]);
    const text = await readFile(path, 'utf8');
    expect(verifyBaseline(text)).toEqual([]);
    const { log } = parseBaseline(text, 'it');
    expect(log).toHaveLength(32);
    for (const name of ['one', 'two']) expect(log.filter(({ author }) => author === name)).toHaveLength(15);
    expect(await readdir(join(path, '..'))).toEqual(['pawl-baseline.json']);
  });

  it('leaves the old file or the new one after kill -9 at any moment', async () => {
    const path = await newBaseline();
    let records = 2;
    // On a busy machine the first rounds may end before anything was written.
    for (let round = 0; round < 12 || (records === 2 && round < 100); round++) {
      const writer = startWriter(path, 'victim', 1_000);
      await once(writer.stdout!, 'data');
      await sleep(3 + 7 * round);
      const exit = once(writer, 'exit');
      writer.kill('SIGKILL');
      await exit;
      const text = await readFile(path, 'utf8');
      expect(verifyBaseline(text)).toEqual([]);
      const { log } = parseBaseline(text, 'it');
      expect(log.length).toBeGreaterThanOrEqual(records);
      records = log.length;
    }
    expect(records).toBeGreaterThan(2);
    await updateBaseline(path, (baseline) => waive(baseline, WAIVER, AUDIT));
    expect((await readBaseline(path))?.log).toHaveLength(records + 1);
    const rest = (await readdir(join(path, '..'))).filter((name) => !name.includes('.lock.'));
    expect(rest).toEqual(['pawl-baseline.json']);
  });
});
