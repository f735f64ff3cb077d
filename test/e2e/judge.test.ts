import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { judgementSchema, judgementLineSchema, type Judgement } from '../../src/model/queue/judgement.ts';
import { candidateSources } from '../../src/adopt/candidate/candidate-sources.ts';
import { judge, judgeBatch } from '../../src/workflows/judge.ts';
import { Judge } from '../../src/workflows/runs/judge.ts';
import { busyKernel, CompareProject } from '../workflows/compare-project.ts';
import { hasTorch } from '../services/has-torch.ts';
import { pawl } from './pawl-cli.ts';

const WORK = 50_000;
const ADOPT = resolve(import.meta.dirname, '../fixtures/adopt');
const ZOO = resolve(import.meta.dirname, '../zoo');

const CANDIDATES: Readonly<Record<string, string>> = {
  // Far more than twice as fast and as slow, so that the first looks show it on any machine.
  fast: busyKernel(WORK / 10),
  slow: busyKernel(8 * WORK),
  wrong: busyKernel(WORK).replace('return doubled(call);', 'return 0;'),
  broken: busyKernel(WORK).replace('doubled(call)', 'nothing_of_that_name'),
  crashes: busyKernel(WORK).replace('return doubled(call);', '__builtin_trap();'),
  hangs: busyKernel(WORK).replace('return doubled(call);', 'for (volatile int i = 0;; i = 1) {}'),
};

const YAML = `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: { large: { N: 4000 }, small: { N: 1000 } }
  unjudged:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    cases: { small: { N: 1000 } }
  spoiled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: { small: { N: 1000 } }
  drawn:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: { small: { N: 1024 } }
    fuzz: { dims: { N: { min: 1, max: 3000 } } }
kernels:
  reference: { problem: doubled, device: cpu, language: c++, sources: [src/reference.cpp] }
  unjudged: { problem: unjudged, device: cpu, language: c++, sources: [src/reference.cpp] }
  spoiled: { problem: spoiled, device: cpu, language: c++, sources: [src/wrong.cpp] }
  drawn: { problem: drawn, device: cpu, language: c++, sources: [src/reference.cpp] }
  drawn-tiled: { problem: drawn, device: cpu, language: c++, sources: [src/tiled.cpp] }
measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed }
`;

/** Right in the declared case only: what is left after the last tile of 256 is not written. */
const TILED = `#include "doubled.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (int64_t i = 0; i < size(call) / 256 * 256; ++i) output(call)[i] = 2 * input(call)[i];
  return 0;
}
`;

const WAIT = ['--wait', '600', '--quiet'];

describe('judging candidates of a problem of pawl.yaml', { timeout: 600_000 }, () => {
  let project: CompareProject;
  const run = (...args: readonly string[]) => pawl(project.folder, 'judge', ...args, ...WAIT);
  const judged = async (name: string, ...args: readonly string[]) => {
    const asked = ['--problem', 'doubled', '--candidate', `src/${name}.cpp`, '--json', ...args];
    const { stdout, code } = await run(...asked);
    return { judgement: judgementSchema.parse(JSON.parse(stdout)), code };
  };

  const line = (id: string, name: string, comment = ''): string =>
    JSON.stringify({ id, files: { 'kernel.cpp': `${comment}${CANDIDATES[name]!}` } });

  beforeAll(async () => {
    project = await CompareProject.create();
    await project.write('src/reference.cpp', busyKernel(WORK));
    for (const [name, source] of Object.entries(CANDIDATES)) await project.write(`src/${name}.cpp`, source);
    await project.write('src/tiled.cpp', TILED);
    await project.write('pawl.yaml', YAML);
  });

  it('rewards one that is right and faster by no more than what was measured', async () => {
    const { judgement, code } = await judged('fast');
    expect(judgement).toMatchObject({
      verdict: 'improved',
      correct: true,
      findings: [],
      problem: 'doubled',
      reference: 'reference',
    });
    const { speedup, reward, cases, cost } = judgement;
    expect(speedup!.low).toBeLessThanOrEqual(speedup!.estimate);
    expect(reward).toBeGreaterThan(1);
    expect(reward).toBeLessThanOrEqual(speedup!.low);
    expect(cases.map((one) => one.case)).toEqual(['large', 'small']);
    for (const one of cases) expect(one.candidate_ms).toBeLessThan(one.reference_ms!);
    expect(cost.wall_s).toBeGreaterThanOrEqual(cost.device_s);
    expect(code).toBe(0);
  });

  it('ends after two processes per side where one is many times slower', async () => {
    const { judgement, code } = await judged('slow');
    expect(judgement).toMatchObject({ verdict: 'regressed', correct: true });
    expect(judgement.cases.map(({ processes }) => processes)).toEqual([
      [2, 2],
      [2, 2],
    ]);
    expect(judgement.reward).toBeLessThan(0.5);
    expect(code).toBe(1);
  });

  it.each([
    ['wrong', 'unwritten-output', 'small'],
    ['crashes', 'crashed', 'small'],
    ['broken', 'build-failed', undefined],
  ])('answers that one is incorrect, which is no error: %s', async (name, detector, where) => {
    const { judgement, code } = await judged(name);
    expect(judgement).toMatchObject({ verdict: 'incorrect', correct: false, reward: 0 });
    expect(judgement).not.toHaveProperty('speedup');
    expect(judgement.findings[0]?.detector).toBe(detector);
    // The smallest case is looked at first, and no other one after it.
    if (where !== undefined) expect(judgement.findings.every((one) => one.case === where)).toBe(true);
    expect(judgement.build_log === undefined).toBe(name !== 'broken');
    expect(code).toBe(1);
  });

  it('answers that one hangs after the time limit', async () => {
    const { judgement } = await judged('hangs', '--timeout', '2');
    expect(judgement).toMatchObject({ verdict: 'incorrect', correct: false, reward: 0 });
    expect(judgement.findings[0]?.detector).toBe('hung');
  });

  it('draws cases where pawl.yaml says from what, and pays nothing for one that is right in the declared ones only', async () => {
    const judgedTiled = (...args: readonly string[]) =>
      run('--problem', 'drawn', '--candidate', 'src/tiled.cpp', '--json', ...args);
    const drawn = judgementSchema.parse(JSON.parse((await judgedTiled()).stdout));
    expect(drawn).toMatchObject({ verdict: 'incorrect', correct: false, reward: 0 });
    expect(drawn.findings).toEqual([
      {
        detector: 'unwritten-output',
        evidence: expect.stringMatching(/N=\d+ .*seed=\d+/u),
        case: 'generated-0',
      },
    ]);
    expect(drawn.reason).toContain('unwritten-output');
    const declared = judgementSchema.parse(JSON.parse((await judgedTiled('--fuzz', '0')).stdout));
    expect(declared).toMatchObject({ correct: true, findings: [] });
    expect(declared.reward).toBeGreaterThan(0);
    // What the reference gets wrong as well says nothing about a candidate.
    const alike = judgementSchema.parse(
      JSON.parse((await judgedTiled('--reference', 'drawn-tiled', '--processes', '2')).stdout),
    );
    expect(alike).toMatchObject({ correct: true, findings: [] });
  });

  it('calls the reference itself unchanged', async () => {
    const { judgement, code } = await judged('reference');
    expect(judgement).toMatchObject({ correct: true, findings: [] });
    expect(judgement.verdict).not.toBe('improved');
    expect(judgement.reward).toBeLessThanOrEqual(1.05);
    expect([0, 1, 2]).toContain(code);
  });

  it('finds the headers of the reference, and builds the oracle with those of the problem', async () => {
    // A header that would make everything right, if the oracle found it.
    await project.write('doubled.hpp', '#error the candidate brings its own');
    await project.write('own.cpp', busyKernel(WORK));
    const options = { config: project.folder, wait_s: 600, processes: 2 };
    const judgement = await judge('doubled', [join(project.folder, 'own.cpp')], options);
    expect(judgement.build_log).toContain('the candidate brings its own');
    expect(judgement.reason).not.toContain('oracle');
    await rm(join(project.folder, 'doubled.hpp'));
    const found = await judge('doubled', [join(project.folder, 'own.cpp')], options);
    expect(found.correct).toBe(true);
  });

  it('refuses a problem that cannot judge, with exit code 65', async () => {
    const unjudged = await run('--problem', 'unjudged', '--candidate', 'src/fast.cpp');
    expect([unjudged.code, unjudged.stderr]).toEqual([65, expect.stringContaining('no oracle')]);
    const spoiled = await run('--problem', 'spoiled', '--candidate', 'src/fast.cpp');
    expect([spoiled.code, spoiled.stderr]).toEqual([65, expect.stringContaining('cannot judge candidates')]);
  });

  it('refuses a name that nothing has, and a call without a candidate', async () => {
    expect(await run('--problem', 'dubbled', '--candidate', 'src/fast.cpp')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('doubled'),
    });
    expect(await run('--problem', 'doubled')).toMatchObject({ code: 64 });
    expect(await run('--problem', 'doubled', '--candidate', 'src/nothing.cpp')).toMatchObject({ code: 64 });
  });

  it('answers a batch line by line, bad lines too, and goes on where it was killed', async () => {
    const lines = [
      line('slow', 'slow'),
      'this is not JSON',
      line('same', 'slow'),
      JSON.stringify({ id: 'nothing' }),
      JSON.stringify({ id: 'outside', files: { '../kernel.cpp': '' } }),
      JSON.stringify({ id: 'missing', candidate: 'nowhere.cpp' }),
      JSON.stringify({ id: 'broken', candidate: 'src/broken.cpp' }),
      line('wrong', 'wrong', '// once more\n'),
    ];
    await project.write('batch.jsonl', lines.join('\n'));
    const asked = ['--problem', 'doubled', '--batch', 'batch.jsonl', '--out', 'answers.jsonl', '--json'];
    const { stdout, code } = await run(...asked);
    const parsed = stdout.trim().split('\n');
    const answers = parsed.map((text) => judgementLineSchema.parse(JSON.parse(text)));
    expect(code).toBe(65);
    expect(answers).toHaveLength(lines.length);
    const of = (id: string) => answers.find((one) => one.id === id);
    expect(of('slow')).toMatchObject({ verdict: 'regressed', correct: true });
    expect(of('same')).toMatchObject({ verdict: 'regressed', same_as: 'slow', cost: { device_s: 0 } });
    expect(of('broken')).toMatchObject({ verdict: 'incorrect', reward: 0 });
    expect(of('wrong')).toMatchObject({ verdict: 'incorrect', reward: 0 });
    for (const id of ['nothing', 'outside', 'missing']) {
      expect(of(id)).toMatchObject({
        schema: 'pawl.judgement-error/1',
        error: { message: expect.any(String) },
      });
    }
    expect(answers.find((one) => one.id === undefined)).toMatchObject({ line: 2 });

    // What a kill left: the first answer, and half of the second.
    const path = join(project.folder, 'answers.jsonl');
    const [first = '', second = ''] = (await readFile(path, 'utf8'))
      .split('\n')
      .filter((text) => text.includes('sources_sha256'));
    await writeFile(path, `${first}\n${second.slice(0, 20)}`);
    const known = (JSON.parse(first) as Judgement).id;
    const again: string[] = [];
    const outcome = await judgeBatch('doubled', join(project.folder, 'batch.jsonl'), {
      config: project.folder,
      out: path,
      wait_s: 600,
      onAnswer: ({ id }) => again.push(id ?? ''),
    });
    expect(outcome).toEqual({ judged: 3, errors: 4, known: 1 });
    expect(again).not.toContain(known);
    const kept = (await readFile(path, 'utf8')).trim().split('\n');
    const ids = kept.map((text) => judgementLineSchema.parse(JSON.parse(text)).id);
    for (const id of ['slow', 'same', 'broken', 'wrong']) {
      expect(ids.filter((one) => one === id)).toHaveLength(1);
    }
  });

  it('measures candidates that are ready beside the same processes of the reference', async () => {
    const taken: string[] = [];
    const open = await Judge.open('doubled', {
      config: project.folder,
      cases: ['small'],
      wait_s: 600,
      onProgress: (progress) => {
        if (progress.type === 'step' && progress.detail === 'done') taken.push(progress.label);
      },
    });
    const names = ['slow', 'wrong', 'reference', 'broken', 'fast'];
    const told = new Map<string, Judgement>();
    try {
      const sources = names.map((name) => candidateSources([join(project.folder, `src/${name}.cpp`)]));
      const built = await Promise.all(sources.map(async (found) => open.build(await found)));
      onTestFinished(() => Promise.all(built.map(({ remove }) => remove())).then(() => undefined));
      await open.judgeTogether(built, (at, judged) => {
        if (judged.status === 'rejected') throw judged.reason;
        expect(told.has(names[at]!)).toBe(false);
        told.set(names[at]!, judgementSchema.parse(judged.value));
      });
    } finally {
      await open.close();
    }
    // Of those that are right, the one that is clear after two processes is told first.
    expect([...told.keys()].slice(0, 3)).toEqual(['broken', 'wrong', 'slow']);
    const verdicts = names.map((name) => told.get(name)!.verdict);
    expect(verdicts.toSpliced(2, 1)).toEqual(['regressed', 'incorrect', 'incorrect', 'improved']);
    expect(['maintained', 'undecided']).toContain(verdicts[2]);
    const right = names.map((name) => told.get(name)!).filter(({ correct }) => correct);
    const processes = right.map(({ cases }) => cases[0]!.processes!);
    for (const [reference, candidate] of processes) expect(reference).toBe(candidate);
    expect(processes[0]).toEqual([2, 2]);
    const most = Math.max(...processes.map(([, candidate]) => candidate));
    expect(taken.filter((label) => label.startsWith('base '))).toHaveLength(most);
    for (const { cost } of told.values()) expect(cost.wall_s).toBeGreaterThanOrEqual(cost.device_s);
  });

  it('ends with the failure of an answer that cannot be kept', async () => {
    const lines = [line('slow', 'slow'), line('wrong', 'wrong')];
    await project.write('refused.jsonl', lines.join('\n'));
    const told: string[] = [];
    const batch = judgeBatch('doubled', join(project.folder, 'refused.jsonl'), {
      config: project.folder,
      wait_s: 600,
      onAnswer: ({ id = '' }) => {
        told.push(id);
        throw new Error('no space left');
      },
    });
    await expect(batch).rejects.toThrow('no space left');
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told).size).toBe(told.length);
  });

  it('takes a folder as a batch: each file and each folder in it is a candidate', async () => {
    const files = { 'many/one.cpp': 'wrong', 'many/two/kernel.cpp': 'broken' } as const;
    await mkdir(join(project.folder, 'many/two'), { recursive: true });
    for (const [path, name] of Object.entries(files)) await project.write(path, CANDIDATES[name]!);
    const { stdout, code } = await run('--problem', 'doubled', '--candidate', 'many', '--json');
    const answers = stdout
      .trim()
      .split('\n')
      .map((text) => judgementSchema.parse(JSON.parse(text)));
    expect(Object.fromEntries(answers.map(({ id, verdict }) => [id, verdict]))).toEqual({
      'one.cpp': 'incorrect',
      two: 'incorrect',
    });
    expect(code).toBe(0);
  });
});

describe('judging candidates that cheat', { timeout: 600_000 }, () => {
  it.each([
    ['cached-by-pointer.cpp', 'small', ['cached-result', 'wrong-result', 'timed-result-wrong']],
    ['clock-interposed.cpp', 'small', ['timer-tampered', 'clock-mismatch']],
    ['forked-helper.cpp', 'small', ['helper-process']],
  ])('gives %s no reward, and says why', async (animal, name, detectors) => {
    const judgement = await judge('softmax', [join(ZOO, 'animals', animal)], {
      config: ZOO,
      reference: 'honest-workspace',
      cases: [name],
      modes: ['hot'],
      wait_s: 600,
    });
    expect(judgement).toMatchObject({ verdict: 'incorrect', correct: false, reward: 0 });
    expect(detectors).toContain(judgement.findings[0]?.detector);
  });
});

describe('judging a file that was not written for Pawl', { timeout: 600_000 }, () => {
  const shapes = ['--shape', 'x=rows,cols', '--shape', 'y=rows,cols', '--size', 'rows=64,cols=64'];
  const quick = ['--processes', '2', ...WAIT];

  it('prints the reference against itself for `pawl adopt --run --json`', async () => {
    const { stdout, code } = await pawl(
      ADOPT,
      'adopt',
      'c/softmax.cpp',
      ...shapes,
      '--run',
      '--json',
      ...quick,
    );
    const judgement = judgementSchema.parse(JSON.parse(stdout));
    expect(judgement).toMatchObject({ correct: true, findings: [], problem: 'softmax' });
    expect(judgement.speedup!.low).toBeLessThan(1);
    expect([0, 2]).toContain(code);
  });

  it('judges a file with the same function, and refuses one without it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-judge-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const source = await readFile(join(ADOPT, 'c/softmax.cpp'), 'utf8');
    await writeFile(join(folder, 'row_max.h'), await readFile(join(ADOPT, 'c/row_max.h')));
    await writeFile(join(folder, 'mine.cpp'), source);
    await writeFile(join(folder, 'other.cpp'), source.replaceAll('softmax', 'something'));
    const judged = async (name: string): Promise<Judgement> => {
      const asked = ['--problem', 'c/softmax.cpp', '--candidate', join(folder, name), '--json'];
      const { stdout } = await pawl(ADOPT, 'judge', ...asked, ...shapes, ...quick);
      return judgementSchema.parse(JSON.parse(stdout));
    };
    expect(await judged('mine.cpp')).toMatchObject({ correct: true, findings: [] });
    expect(await judged('other.cpp')).toMatchObject({
      verdict: 'incorrect',
      reward: 0,
      findings: [{ detector: 'build-failed' }],
    });
  });
});

describe.skipIf(!hasTorch)("judging a submission in a suite's form", { timeout: 900_000 }, () => {
  const options = { wait_s: 600, processes: 2 };

  it('of KernelBench', async () => {
    const [problem, mine] = ['scaled_linear.py', 'scaled_linear_new.py'].map((name) =>
      join(ADOPT, 'python', name),
    );
    expect(await judge(problem!, [mine!], options)).toMatchObject({ correct: true, findings: [] });
    // It has no ModelNew.
    expect(await judge(problem!, [problem!], options)).toMatchObject({ verdict: 'incorrect', reward: 0 });
  });

  it('of GPU MODE', async () => {
    const problem = join(ADOPT, 'gpumode/rowscale');
    const [faster, zeros] = ['faster.py', 'zeros.py'].map((name) => join(problem, name));
    expect(await judge(problem, [faster!], options)).toMatchObject({ correct: true });
    expect(await judge(problem, [zeros!], options)).toMatchObject({ verdict: 'incorrect', reward: 0 });
  });
});
