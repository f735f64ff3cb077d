import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { applyClockPolicy, findClockLocks, recoverClocks } from '../../src/device/clocks.ts';
import { thisProcess } from '../../src/os/process-identity.ts';
import { compileModules } from './compile-modules.ts';
import { FakeNvidiaSmi } from './fake-nvidia-smi.ts';
import { temporaryFolder } from './temporary-folder.ts';

const UUID = 'GPU-11111111-2222-3333-4444-555555555555';
const GPU = { uuid: UUID, sm_clock_max_mhz: 1980 };
const LOCK = `-i ${UUID} -lgc 1980,1980`;
const RESET = `-i ${UUID} -rgc`;
const SET_WORDS =
  'GPU clocks set to "(gpuClkMin 1980, gpuClkMax 1980)" for GPU 00000000:03:00.0\nAll done.\n';

let compiled = '';
beforeAll(async () => {
  compiled = await compileModules('device/clocks.ts');
});

let smi: FakeNvidiaSmi;
let stateDir = '';
beforeEach(async () => {
  smi = await FakeNvidiaSmi.make();
  await smi.answer('lgc', SET_WORDS);
  stateDir = join(await temporaryFolder(), 'pawl');
});

const options = () => ({ stateDir, env: smi.env });
const journals = () => readdir(stateDir).catch(() => []);

async function eventually(what: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400 && !(await what()); i += 1) await sleep(25);
  expect(await what()).toBe(true);
}
const isReset = async () => (await smi.calls()).at(-1) === RESET && (await journals()).length === 0;

/** A real orchestrator that locks the clocks and then runs `then`. */
async function startOrchestrator(then: string): Promise<ChildProcess> {
  const module = pathToFileURL(join(compiled, 'device/clocks.js')).href;
  const program = `
    import { applyClockPolicy } from ${JSON.stringify(module)};
    const applied = await applyClockPolicy('lock', ${JSON.stringify(GPU)}, { stateDir: ${JSON.stringify(stateDir)} });
    console.log(JSON.stringify(applied.clocks));
    ${then}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: smi.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  expect(JSON.parse(String(line))).toEqual({ policy: 'lock', locked_mhz: 1980 });
  return child;
}

test('as-is changes nothing', async () => {
  const applied = await applyClockPolicy('as-is', GPU, options());
  await applied.release();
  expect(applied.clocks).toEqual({ policy: 'as-is' });
  expect(await smi.calls()).toEqual([]);
});

test('a lock is recorded, and release undoes it once', async () => {
  const applied = await applyClockPolicy('lock', GPU, options());
  expect(applied.clocks).toEqual({ policy: 'lock', locked_mhz: 1980 });
  expect(await smi.calls()).toEqual([LOCK]);
  const journal = await readFile(join(stateDir, `clock-lock-${UUID}.json`), 'utf8');
  expect(JSON.parse(journal)).toMatchObject({ uuid: UUID, locked_mhz: 1980, owner: { pid: process.pid } });
  await applied.release();
  await applied.release();
  expect(await smi.calls()).toEqual([LOCK, RESET]);
  expect(await journals()).toEqual([]);
});

test('a given clock is locked instead of the highest', async () => {
  const applied = await applyClockPolicy('lock', GPU, { ...options(), mhz: 1200 });
  await applied.release();
  expect(applied.clocks.locked_mhz).toBe(1200);
  expect((await smi.calls())[0]).toBe(`-i ${UUID} -lgc 1200,1200`);
});

test('the journal is on disk before the card is touched', async () => {
  await smi.before('lgc', `ls ${JSON.stringify(stateDir)} >"$here/seen"\n`);
  const applied = await applyClockPolicy('lock', GPU, options());
  await applied.release();
  expect(await readFile(join(smi.directory, 'seen'), 'utf8')).toBe(`clock-lock-${UUID}.json\n`);
});

test.each([
  ['by a missing permission', 'The current user does not have permission to change clocks for GPU 0.\n', 4],
  [
    'by a card that cannot, with exit code 0',
    'Setting locked GPU clocks is not supported for GPU 0.\nTreating as warning and moving on.\nAll done.\n',
    0,
  ],
])('a lock refused %s is recorded, and nothing is reset', async (_how, words, code) => {
  await smi.answer('lgc', words, code);
  const applied = await applyClockPolicy('lock', GPU, options());
  await applied.release();
  expect(applied.clocks.refused).toContain(words.split('\n')[0]);
  expect(applied.clocks).not.toHaveProperty('locked_mhz');
  expect(await smi.calls()).toEqual([LOCK]);
  expect(await journals()).toEqual([]);
});

test('a CPU and a missing nvidia-smi refuse in a sentence', async () => {
  expect((await applyClockPolicy('lock', undefined, options())).clocks.refused).toMatch(/NVIDIA GPU/);
  const empty = await temporaryFolder();
  const env = { PATH: `${empty}:/usr/bin:/bin` };
  const applied = await applyClockPolicy('lock', GPU, { stateDir, env });
  expect(applied.clocks.refused).toMatch(/not found/);
});

test('a state directory that cannot be made refuses: without a journal no clock is locked', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const applied = await applyClockPolicy('lock', GPU, { ...options(), stateDir: join(file, 'pawl') });
  expect(applied.clocks.refused).toMatch(/journal/);
  expect(await smi.calls()).toEqual([]);
});

test('a reset that fails is an error that says how to undo the lock, and the journal stays', async () => {
  const applied = await applyClockPolicy('lock', GPU, options());
  await smi.answer('rgc', 'Unknown Error\n', 15);
  await expect(applied.release()).rejects.toThrow(/still locked at 1980 MHz: Unknown Error/);
  expect(await journals()).toHaveLength(1);
});

test('an orchestrator that ends without release leaves no lock', async () => {
  const child = await startOrchestrator('');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  await eventually(isReset);
});

test('an orchestrator that throws leaves no lock', async () => {
  await startOrchestrator("throw new Error('broken');");
  await eventually(isReset);
});

test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to the whole group of the orchestrator leaves no lock',
  async (signal) => {
    const child = await startOrchestrator('setInterval(() => {}, 1000);');
    expect(await smi.calls()).toEqual([LOCK]);
    process.kill(-(child.pid ?? 0), signal);
    await eventually(isReset);
    expect(await smi.calls()).toEqual([LOCK, RESET]);
  },
);

test('kill -9 while the lock is still being set leaves no lock', async () => {
  await smi.before('lgc', 'touch "$here/locking"; sleep 0.5\n');
  const module = pathToFileURL(join(compiled, 'device/clocks.js')).href;
  const program = `
    import { applyClockPolicy } from ${JSON.stringify(module)};
    await applyClockPolicy('lock', ${JSON.stringify(GPU)}, { stateDir: ${JSON.stringify(stateDir)} });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: smi.env,
    stdio: 'ignore',
  });
  await eventually(async () => (await readdir(smi.directory)).includes('locking'));
  child.kill('SIGKILL');
  await eventually(isReset);
  expect(await smi.calls()).toEqual([LOCK, RESET]);
});

test('a lock whose orchestrator and guardian were both killed is found, and recovered once', async () => {
  const child = await startOrchestrator('setInterval(() => {}, 1000);');
  const { guardian_pid } = JSON.parse(await readFile(join(stateDir, `clock-lock-${UUID}.json`), 'utf8')) as {
    guardian_pid: number;
  };
  process.kill(-guardian_pid, 'SIGKILL');
  process.kill(child.pid ?? 0, 'SIGKILL');
  await once(child, 'exit');
  expect(await findClockLocks(options())).toMatchObject([{ uuid: UUID, status: 'stale' }]);
  expect(await smi.calls()).toEqual([LOCK]);
  expect(await recoverClocks(options())).toMatchObject([{ uuid: UUID, status: 'undone' }]);
  expect(await smi.calls()).toEqual([LOCK, RESET]);
  expect(await recoverClocks(options())).toEqual([]);
});

test('the lock of a run that goes on is left alone, and refuses another', async () => {
  const applied = await applyClockPolicy('lock', GPU, options());
  expect(await recoverClocks(options())).toMatchObject([{ uuid: UUID, status: 'held' }]);
  const second = await applyClockPolicy('lock', GPU, options());
  expect(second.clocks.refused).toContain(`process ${process.pid}`);
  expect(await smi.calls()).toEqual([LOCK]);
  await applied.release();
});

test('a journal from before a restart of the machine is removed, and no card is touched', async () => {
  const applied = await applyClockPolicy('lock', GPU, options());
  const path = join(stateDir, `clock-lock-${UUID}.json`);
  const journal = JSON.parse(await readFile(path, 'utf8')) as object;
  await applied.release();
  await writeFile(
    path,
    JSON.stringify({ ...journal, owner: { ...(await thisProcess()), boot_id: 'another' } }),
  );
  expect(await recoverClocks(options())).toEqual([]);
  expect(await journals()).toEqual([]);
  expect(await smi.calls()).toEqual([LOCK, RESET]);
});

test('a journal that cannot be read is reported with what to do', async () => {
  const applied = await applyClockPolicy('lock', GPU, options());
  await applied.release();
  await writeFile(join(stateDir, `clock-lock-${UUID}.json`), '{');
  const [found] = await recoverClocks(options());
  expect(found).toMatchObject({ uuid: UUID, status: 'failed' });
  expect(found?.message).toContain('-rgc');
});
