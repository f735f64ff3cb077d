import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { prepareTargets } from '../../src/rig/prepare-targets.ts';
import { selectKernels } from '../../src/rig/select-kernels.ts';
import { KeptJudge } from '../../src/runner/kept-judge.ts';
import { prepareRequest, type Target } from '../../src/runner/target.ts';
import { fixtureProject } from '../e2e/pawl-cli.ts';

const TIMEOUT_MS = 30_000;
const SAMPLE = { op: 'sample', mode: 'hot', count: 3, budget_ms: TIMEOUT_MS, timing: 'blocked' } as const;

let folder: string;
let targets: readonly Target[];
let judge: KeptJudge;

beforeAll(async () => {
  folder = await fixtureProject(['right', 'printed-answers', 'crashes-later']);
  const loaded = await loadConfig(folder);
  const { signal } = new AbortController();
  const options = { loaded, gpuIndex: 0, onProgress: () => undefined, signal };
  ({ targets } = await prepareTargets(selectKernels(loaded, {}), options));
});
afterEach(() => judge.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

function named(name: string): Target {
  return targets.find(({ plan }) => plan.name === name)!;
}

/** Opens, prepares and times a kernel once, and gives the judge back. */
async function timed(target: Target) {
  const runner = await judge.open(target, TIMEOUT_MS);
  await runner.process.request(prepareRequest(target, target.plan.cases[0]!, '7'), TIMEOUT_MS);
  const sampled = await runner.process.request(SAMPLE, TIMEOUT_MS).catch(() => undefined);
  const posed = await runner.process.posedAnswer();
  const output = runner.process.output;
  await judge.giveBack(runner, target);
  return { judge: runner.process.pid, candidate: runner.opened.pid, sampled, posed, output };
}

/** The processes that a judge watches over: each of its children is the guard of one. */
function guardsOf(judge: number): number[] {
  const tasks = readFileSync(`/proc/${judge}/task/${judge}/children`, 'utf8').trim();
  return tasks === '' ? [] : tasks.split(' ').map(Number);
}

describe('a judge that starts ahead', () => {
  beforeEach(() => {
    judge = new KeptJudge({ ahead: true });
  });

  it('has the process of the next candidate before that is opened, and no other', async () => {
    const right = named('right');
    const first = await timed(right);
    const [waiting, ...others] = guardsOf(first.judge!);
    expect(others).toEqual([]);
    const runner = await judge.open(right, TIMEOUT_MS);
    expect(runner.process.pid).toBe(first.judge);
    const guard = Number(
      /^PPid:\s+(\d+)/mu.exec(readFileSync(`/proc/${runner.opened.pid}/status`, 'utf8'))![1],
    );
    expect([guard, runner.opened.pid]).toContain(waiting);
    await judge.giveBack(runner, right);
    await judge.close();
    expect(existsSync(`/proc/${runner.opened.pid}`)).toBe(false);
  });

  it('measures in each of them as in any other, and finds what a kernel does', async () => {
    const first = await timed(named('right'));
    const second = await timed(named('right'));
    const liar = await timed(named('printed-answers'));
    const last = await timed(named('right'));
    expect(new Set([first, second, liar, last].map(({ candidate }) => candidate)).size).toBe(4);
    for (const { sampled } of [first, second, last]) {
      expect(sampled?.samples_ms).toHaveLength(3);
      expect(sampled?.tampering).toEqual([]);
    }
    expect(liar.posed).toBeDefined();
    expect(last).toMatchObject({ posed: undefined, output: '' });
  });

  it('starts another one where the one that waited was killed', async () => {
    const first = await timed(named('right'));
    for (const pid of guardsOf(first.judge!)) process.kill(pid, 'SIGKILL');
    const next = await timed(named('right'));
    expect(next.judge).toBe(first.judge);
    expect(next.sampled?.samples_ms).toHaveLength(3);
  });

  it('starts another one for a kernel with variables of its own', async () => {
    const right = named('right');
    const first = await timed(right);
    const waiting = guardsOf(first.judge!);
    const other = await timed({ ...right, open: { ...right.open, env: { OTHER: '1' } } });
    expect(other.judge).toBe(first.judge);
    expect(other.sampled?.samples_ms).toHaveLength(3);
    for (const pid of waiting) expect(existsSync(`/proc/${pid}`)).toBe(false);
  });
});

describe('a judge under a tool that follows it to its children', () => {
  beforeEach(() => {
    judge = new KeptJudge();
  });

  it('starts the candidate itself, without a guard, and ends it', async () => {
    const right = named('right');
    const followed = { ...right, open: { ...right.open, confined: false, followed: true } };
    const runner = await judge.open(followed, TIMEOUT_MS);
    const { pid } = runner.opened;
    expect(guardsOf(runner.process.pid!)).toEqual([pid]);
    await runner.process.request(prepareRequest(right, right.plan.cases[0]!, '7'), TIMEOUT_MS);
    const { samples_ms, phases_ms } = await runner.process.request(SAMPLE, TIMEOUT_MS);
    expect(samples_ms).toHaveLength(3);
    expect(Object.keys(phases_ms!)).toContain('intervals');
    await judge.giveBack(runner, followed);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('says how a candidate ended that crashed', async () => {
    const crashing = named('crashes-later');
    const open = { ...crashing.open, confined: false, followed: true };
    const runner = await judge.open({ ...crashing, open }, TIMEOUT_MS);
    await runner.process.request(prepareRequest(crashing, crashing.plan.cases[0]!, '7'), TIMEOUT_MS);
    const asked = runner.process.request({ ...SAMPLE, count: 500 }, TIMEOUT_MS);
    await expect(asked).rejects.toMatchObject({ reason: 'crashed' });
    await runner.process.close();
  });
});

describe('a kept judge', () => {
  beforeEach(() => {
    judge = new KeptJudge();
  });

  it('serves one candidate after another, each a new process that is gone before the next', async () => {
    const first = await timed(named('right'));
    expect(existsSync(`/proc/${first.candidate}`)).toBe(false);
    const second = await timed(named('right'));
    expect(second.judge).toBe(first.judge);
    expect(second.candidate).not.toBe(first.candidate);
    expect(second.sampled?.samples_ms).toHaveLength(3);
    expect(second.sampled?.tampering).toEqual([]);
  });

  it('holds nothing against a kernel that the one before it printed', async () => {
    const liar = await timed(named('printed-answers'));
    expect(liar.posed).toBeDefined();
    const honest = await timed(named('right'));
    expect(honest.judge).toBe(liar.judge);
    expect(honest).toMatchObject({ posed: undefined, output: '' });
  });

  it('stays after a candidate that does not load, and is rid of it', async () => {
    const right = named('right');
    const first = await timed(right);
    const kernel = { ...right.open.kernel, function: 'nowhere' };
    await expect(judge.open({ ...right, open: { ...right.open, kernel } }, TIMEOUT_MS)).rejects.toMatchObject(
      { reason: 'load-failed' },
    );
    expect(guardsOf(first.judge!)).toEqual([]);
    const next = await timed(right);
    expect(next.judge).toBe(first.judge);
    expect(next.sampled?.tampering).toEqual([]);
  });

  it('is a new one after a kernel that ended its process', async () => {
    const crashed = await timed(named('crashes-later'));
    expect(crashed.sampled).toBeUndefined();
    const next = await timed(named('right'));
    expect(next.judge).not.toBe(crashed.judge);
    expect(next.sampled?.samples_ms).toHaveLength(3);
  });

  it('is a new one where the machine ended it between two candidates', async () => {
    const first = await timed(named('right'));
    process.kill(first.judge!, 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${first.judge}`)).toBe(false);
    const next = await timed(named('right'));
    expect(next.judge).not.toBe(first.judge);
    expect(next.sampled?.samples_ms).toHaveLength(3);
  });

  it('is a new one for what is started in another way', async () => {
    const right = named('right');
    const first = await timed(right);
    const other = await timed({ ...right, runner: { ...right.runner, env: { OTHER: '1' } } });
    expect(other.judge).not.toBe(first.judge);
    expect(existsSync(`/proc/${first.judge}`)).toBe(false);
  });
});
