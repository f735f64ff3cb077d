import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { judgementSchema, type Judgement } from '../../src/model/queue/judgement.ts';
import { leaderboardSchema, queueStatusSchema, type SubmissionAnswer } from '../../src/model/queue/queue.ts';
import { Judge } from '../../src/workflows/runs/judge.ts';
import { candidateSources, textsHash, writtenSources } from '../../src/adopt/candidate/candidate-sources.ts';
import { busyKernel, CompareProject } from '../workflows/compare-project.ts';
import { pawl, startPawl } from './pawl-cli.ts';

const WORK = 50_000;
const YAML = `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: { small: { N: 1000 } }
kernels:
  reference: { problem: doubled, device: cpu, language: c++, sources: [src/reference.cpp] }
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
`;

type Child = ReturnType<typeof startPawl>;

describe('the queue, with real workers', { timeout: 600_000 }, () => {
  let project: CompareProject;
  const children: Child[] = [];

  const queue = async (...args: readonly string[]) => {
    const run = await pawl(project.folder, 'queue', ...args, '--json');
    if (run.code !== 0) throw new Error(run.stderr);
    return JSON.parse(run.stdout) as unknown;
  };
  const submit = async (name: string, source: string, ...args: readonly string[]) => {
    await project.write(`${name}.cpp`, source);
    const asked = [
      '--tenant',
      'blue',
      '--problem',
      'doubled',
      '--candidate',
      `${name}.cpp`,
      '--author',
      name,
    ];
    return (await queue('submit', ...asked, ...args)) as SubmissionAnswer;
  };
  const show = async (id: string): Promise<SubmissionAnswer> => {
    const { stdout } = await pawl(project.folder, 'queue', 'show', id, '--json');
    return JSON.parse(stdout) as SubmissionAnswer;
  };
  const judged = async (id: string): Promise<Judgement> => {
    await expect
      .poll(async () => (await show(id)).schema, { timeout: 300_000, interval: 500 })
      .not.toBe('pawl.submission/1');
    return judgementSchema.parse(await show(id));
  };
  const start = async (...args: readonly string[]): Promise<Child> => {
    const child = startPawl(project.folder, ...args);
    children.push(child);
    await expect
      .poll(() => child.text(), { timeout: 120_000 })
      .toMatch(/"event":"ready"|"schema":"pawl.serve/);
    return child;
  };
  const worker = (...args: readonly string[]) =>
    start('queue', 'work', '--problem', 'doubled', '--processes', '2', '--json', '--quiet', ...args);
  const ended = (child: Child) =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
      else child.once('exit', (code) => resolve(code));
    });

  beforeAll(async () => {
    project = await CompareProject.create();
    await project.write('src/reference.cpp', busyKernel(WORK));
    await project.write('pawl.yaml', YAML);
    await queue('tenant', 'blue');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      await ended(child);
    }
  });

  it('judges a fleet of good, slow, wrong and broken candidates, and ranks them', async () => {
    await worker();
    const ids = {
      fast: (await submit('fast', busyKernel(WORK / 10))).id!,
      slow: (await submit('slow', busyKernel(8 * WORK))).id!,
      wrong: (await submit('wrong', busyKernel(WORK).replace('return doubled(call);', 'return 0;'))).id!,
      broken: (await submit('broken', 'this is no C++')).id!,
      kills: (await submit('kills', busyKernel(WORK).replace('return', '__builtin_trap(); return'))).id!,
    };
    expect(await judged(ids.fast)).toMatchObject({ correct: true, id: ids.fast });
    expect(await judged(ids.slow)).toMatchObject({ verdict: 'regressed', correct: true });
    for (const name of ['wrong', 'broken', 'kills'] as const) {
      expect(await judged(ids[name])).toMatchObject({ verdict: 'incorrect', reward: 0 });
    }
    const board = leaderboardSchema.parse(await queue('leaderboard', 'doubled'));
    expect(board.candidates.map(({ author, rank }) => [author, rank])).toEqual([
      ['fast', [1, 1]],
      ['slow', [2, 2]],
    ]);
    expect(board).toMatchObject({ reference: 'reference', judged: 5 });
    // The same sources again have their answer at once.
    expect(await submit('fast', busyKernel(WORK / 10))).toMatchObject({
      schema: 'pawl.judgement/1',
      same_as: expect.any(String),
    });
  });

  it('goes on after a worker was killed, and counts one answer', async () => {
    const first = await worker('--lease', '3', '--name', 'first');
    const { id } = await submit('killed', `${busyKernel(20 * WORK)}// killed`);
    await expect.poll(() => first.text(), { timeout: 60_000 }).toContain(`"leased","id":"${id}"`);
    first.kill('SIGKILL');
    await ended(first);
    expect(await show(id!)).toMatchObject({ state: 'leased' });
    const second = await worker('--lease', '10', '--name', 'second');
    expect(await judged(id!)).toMatchObject({ correct: true });
    expect(second.text()).toContain('"alone":true');
    const status = queueStatusSchema.parse(await queue('status'));
    expect(status.tenants[0]).toMatchObject({ queued: 0, leased: 0 });
  });

  it('gives back what it holds at SIGTERM, and ends with 0', async () => {
    const first = await worker();
    const { id } = await submit('stopped', `${busyKernel(40 * WORK)}// stopped`);
    await expect.poll(() => first.text(), { timeout: 60_000 }).toContain(`"leased","id":"${id}"`);
    first.kill('SIGTERM');
    expect(await ended(first)).toBe(0);
    expect(await show(id!)).toMatchObject({ state: 'queued', lost: 0 });
    await queue('cancel', id!);
  });

  it('takes candidates over HTTP and answers with judgements, from a worker that reaches no database', async () => {
    const server = await start('serve', '--judge', '--port', '0', '--json');
    const { url } = JSON.parse(server.text().split('\n')[0]!) as { readonly url: string };
    const token = async (role: string) =>
      ((await queue('token', 'blue', '--role', role)) as { readonly token: string }).token;
    const [submits, works] = [await token('submit,read'), await token('work')];
    process.env['PAWL_QUEUE_TOKEN'] = works;
    await worker('--server', url).finally(() => delete process.env['PAWL_QUEUE_TOKEN']);
    const body = { problem: 'doubled', files: { 'kernel.cpp': `${busyKernel(WORK / 8)}// by HTTP` } };
    const response = await fetch(`${url}/api/judge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${submits}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = judgementSchema.parse(await response.json());
    expect([response.status, answer.correct]).toEqual([200, true]);
  });
});

describe('the identity of a judge', { timeout: 600_000 }, () => {
  let project: CompareProject;
  const identityIn = async (folder: string, more = {}): Promise<string> => {
    const judge = await Judge.open('doubled', { config: folder, wait_s: 600, ...more });
    try {
      return await judge.identity();
    } finally {
      await judge.close();
    }
  };
  beforeAll(async () => {
    project = await CompareProject.create();
    await project.write('src/reference.cpp', busyKernel(WORK));
    await project.write('pawl.yaml', YAML);
  });

  it('is that of what judges, wherever it lies', async () => {
    const { folder } = project;
    const first = await identityIn(folder);
    const copy = join(await mkdtemp(join(tmpdir(), 'pawl-copy-')), 'elsewhere');
    await cp(folder, copy, { recursive: true, filter: (path) => !path.includes('.pawl') });
    expect(await identityIn(copy)).toBe(first);

    const seen = new Set([first]);
    const change = async (path: string, from: string, to: string): Promise<void> => {
      const text = await readFile(join(folder, path), 'utf8');
      expect(text).toContain(from);
      await project.write(path, text.replace(from, to));
      const identity = await identityIn(folder);
      expect(seen).not.toContain(identity);
      seen.add(identity);
    };
    await change('pawl.yaml', 'N: 1000', 'N: 2000');
    await change('pawl.yaml', 'cases:', 'tolerance: { rtol: 1e-5, atol: 1e-6 }\n    cases:');
    await change('pawl.yaml', 'fill: normal', 'fill: uniform');
    await change('src/reference.cpp', String(WORK), String(WORK + 1000));
    // What the reference and the oracle include.
    await change('src/doubled.hpp', '  return 0;', '  return size(call) < 0 ? 7 : 0;');
    expect(seen).not.toContain(await identityIn(folder, { processes: 4 }));
  });
});

describe('sources', () => {
  it('have the same hash as texts and as files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-sources-'));
    for (const files of [
      { 'kernel.cpp': 'ä text' },
      { 'a.cpp': '1', 'inc/b.h': '2' },
      { 'src/a.cpp': '1', 'src/inc/b.h': '' },
    ] as Record<string, string>[]) {
      const place = await mkdtemp(join(folder, 'x-'));
      const written = await writtenSources(files, place);
      expect(textsHash(files)).toBe(written.sha256);
      expect((await candidateSources(written.files)).sha256).toBe(written.sha256);
    }
  });
});
