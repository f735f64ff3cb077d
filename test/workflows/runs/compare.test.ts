import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { comparisonSchema, type CaseComparison } from '../../../src/model/judge/comparison.ts';
import { samplesSchema } from '../../../src/model/measure/samples.ts';
import { compareRevisions, compareVariants } from '../../../src/workflows/runs/compare/compare-builds.ts';
import { compareFiles } from '../../../src/workflows/runs/compare/compare-files.ts';
import type { CompareOutcome } from '../../../src/workflows/runs/compare/compare-sides.ts';
import { measurementOf, samplesOf } from '../../judge/samples-of.ts';
import { busyKernel, CompareProject, config } from '../compare-project.ts';

/** Effects are huge and thresholds wide: the machines that run tests have other work to do. */
const CALM = { processes: 24, wait_s: 300, policy: { regressionPct: 25, improvementPct: 25 } };
const WRONG = busyKernel(20_000).replace(
  'return doubled(call);',
  'doubled(call); output(call)[7] += 1; return 0;',
);

let project: CompareProject;
let temporary: string;
const inherited = process.env['TMPDIR'];

beforeAll(async () => {
  project = await CompareProject.create();
  temporary = await mkdtemp(join(tmpdir(), 'pawl-compare-tmp-'));
  process.env['TMPDIR'] = temporary;
});
afterAll(async () => {
  if (inherited === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = inherited;
  await rm(project.repository, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});

/** Commits on top of the base. */
async function commit(tag: string, files: Readonly<Record<string, string>>): Promise<void> {
  project.git('checkout', '--quiet', '--force', 'base');
  for (const [path, text] of Object.entries(files)) await project.write(path, text);
  project.commit(tag);
}

function compare(
  head: string,
  options: Partial<Parameters<typeof compareRevisions>[0]> = {},
): Promise<CompareOutcome> {
  return compareRevisions({
    config: project.folder,
    base: 'base',
    head,
    only: ['busy'],
    ...CALM,
    ...options,
  });
}

function only({ comparison }: CompareOutcome): CaseComparison {
  comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)));
  expect(comparison.cases).toHaveLength(1);
  return comparison.cases[0]!;
}

describe('compareRevisions', () => {
  afterEach(async () => {
    project.git('checkout', '--quiet', '--force', 'base');
    expect(project.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect((await readdir(temporary)).filter((name) => name.startsWith('pawl-compare-'))).toEqual([]);
  });

  it('calls a commit that is eight times as slow regressed, with a control and where everything came from', async () => {
    await commit('slow', { 'src/busy.cpp': busyKernel(160_000) });
    const outcome = await compare('slow', { modes: ['hot'] });
    const row = only(outcome);
    expect(row).toMatchObject({
      kernel: 'busy',
      case: 'small',
      mode: 'hot',
      verdict: 'regressed',
      state: 'estimated',
    });
    expect(outcome.comparison.verdict).toBe('regressed');
    expect(outcome.control!.cases).toMatchObject([{ kernel: 'busy', case: 'small' }]);
    expect(outcome.stopped_by).toBe('decided');

    const { base, control, head } = outcome.samples;
    const commitOf = (tag: string): string => project.git('rev-parse', tag).trim();
    for (const [samples, tag] of [
      [base, 'base'],
      [control!, 'base'],
      [head, 'slow'],
    ] as const) {
      samplesSchema.parse(JSON.parse(JSON.stringify(samples)));
      expect(samples.environment).toMatchObject({
        seed: expect.any(String),
        finished_at: expect.any(String),
      });
      expect(samples.device).toMatchObject({ kind: 'cpu' });
      expect(samples.measurements).toMatchObject([{ kernel: 'busy', commit: commitOf(tag), dirty: false }]);
      expect(samples.measurements[0]!.series).toHaveLength(row.processes[0]);
    }
    expect(control!.measurements[0]!.binary).toEqual(base.measurements[0]!.binary);
    expect(head.measurements[0]!.binary!.sha256).not.toBe(base.measurements[0]!.binary!.sha256);
    expect(head.measurements[0]!.check).toMatchObject({ passed: true });
    expect(outcome.cost.processes).toBe(3 * row.processes[0]);
    expect(outcome.cost.looks).toBeGreaterThan(0);
    expect(outcome.cost.wall_s).toBeGreaterThanOrEqual(outcome.cost.device_s);
  });

  it('calls a tenth of the time improved, in the work tree as it is', async () => {
    await project.write('src/busy.cpp', busyKernel(10_000));
    const outcome = await compare('worktree', { control: false });
    expect(only(outcome).verdict).toBe('improved');
    expect(outcome.samples.head.measurements[0]).toMatchObject({ dirty: true });
    expect(outcome.control).toBeUndefined();
    expect(outcome.samples.control).toBeUndefined();
  });

  it('does not measure a commit that changes a comment only, unless it is asked to', async () => {
    await commit('comment', { 'src/busy.cpp': busyKernel(20_000, '/* No change. */\n') });
    const outcome = await compare('comment');
    expect(only(outcome)).toMatchObject({
      state: 'not-estimated',
      verdict: 'maintained',
      reason: 'the binaries are identical.',
    });
    expect(outcome.cost).toMatchObject({ processes: 0, looks: 0 });

    const measured = await compare('comment', { measureIdentical: true });
    const row = only(measured);
    expect(row.state).toBe('estimated');
    expect(['maintained', 'undecided']).toContain(row.verdict);
  });

  it('does not measure the same machine code in another file, with lines moved and debug information', async () => {
    const yaml = await readFile(join(project.folder, 'pawl.yaml'), 'utf8');
    const busy = 'sources: [src/busy.cpp]';
    await commit('debuggable', {
      'pawl.yaml': yaml.replace(busy, `${busy}, flags: [-g]`),
      'src/busy.cpp': busyKernel(20_000, '/* No change. */\n\n\n'),
    });
    const outcome = await compare('debuggable');
    expect(only(outcome)).toMatchObject({
      verdict: 'maintained',
      reason:
        'the machine code is the same: only parts that are not loaded differ, such as line information.',
    });
    expect(outcome.cost.processes).toBe(0);
  });

  it('measures the same binary again where its environment variables changed', async () => {
    const yaml = await readFile(join(project.folder, 'pawl.yaml'), 'utf8');
    const busy = 'sources: [src/busy.cpp]';
    await commit('variables', { 'pawl.yaml': yaml.replace(busy, `${busy}, env: { MODE: fast }`) });
    const outcome = await compare('variables', { control: false });
    expect(only(outcome).state).toBe('estimated');
  });

  it('says of a head that does not build that it does not, in the words of the compiler', async () => {
    await commit('broken', {
      'src/busy.cpp': busyKernel(20_000).replace('doubled(call)', 'doubbled(call)'),
    });
    const outcome = await compare('broken');
    expect(only(outcome)).toMatchObject({
      verdict: 'incorrect',
      reason: expect.stringContaining('doubbled'),
    });
    expect(outcome.skipped.head).toMatchObject([{ kernel: 'busy', reason: 'build-failed' }]);
    expect(outcome.comparison.missing).toEqual([]);
    expect(outcome.cost.processes).toBe(0);
  });

  it('does not time a head that is wrong, and calls what comes after a base that is wrong new', async () => {
    await commit('wrong', { 'src/busy.cpp': WRONG });
    const outcome = await compare('wrong');
    expect(only(outcome)).toMatchObject({
      verdict: 'incorrect',
      reason: expect.stringMatching(/1 of 1000 elements of 'y'/),
    });
    expect(outcome.cost.processes).toBe(0);
    const mended = await compare('base', { base: 'wrong' });
    expect(only(mended)).toMatchObject({ verdict: 'new', reason: expect.stringMatching(/elements of 'y'/) });
  });

  it('calls a head that crashes incorrect', async () => {
    await commit('crash', {
      'src/busy.cpp': WRONG.replace('output(call)[7] += 1', '*(volatile int *)nullptr = 1'),
    });
    expect(only(await compare('crash'))).toMatchObject({
      verdict: 'incorrect',
      reason: expect.stringContaining('SIGSEGV'),
    });
  });

  it('judges a case that changed under its name as the base has it, and one that only the head has as new', async () => {
    await commit('cases', {
      'pawl.yaml': config('{ small: { N: 2000 }, large: { N: 4000 } }'),
    });
    const { comparison, cost } = await compare('cases');
    expect(comparison.cases.map((one) => [one.case, one.verdict, one.reason])).toEqual([
      ['small', 'undecided', expect.stringMatching(/^maintained by the base's judge: the binaries are/)],
      ['large', 'undecided', expect.stringMatching(/^new by the base's judge: the baseline does not have/)],
    ]);
    expect(comparison.judge_changes?.map(({ text }) => text)).toEqual([
      'the case small of busy has other dimensions: N=1000 → N=2000',
    ]);
    expect(comparison.missing).toEqual([]);
    expect(cost.processes).toBe(0);
  });

  it('compares a changed default of a tunable', async () => {
    await commit('default', { 'pawl.yaml': config().replace('default: 20000', 'default: 160000') });
    const outcome = await compare('default', { only: ['tuned'] });
    expect(only(outcome)).toMatchObject({ kernel: 'tuned', verdict: 'regressed' });
    expect(only(outcome).variant).toBeUndefined();
    expect(outcome.samples.head.measurements[0]!.variant).toEqual({ WORK: 160_000 });
  });

  it('stops when the budget is spent, with what there is', async () => {
    const outcome = await compare('base', { measureIdentical: true, budget_s: 0.001 });
    expect(outcome.samples.base.measurements[0]!.series).toHaveLength(1);
    expect(outcome.stopped_by).toBe('budget');
    expect(outcome.cost.looks).toBe(1);
  });

  it('keeps what it measured when it is interrupted', async () => {
    const aborter = new AbortController();
    const outcome = await compare('base', {
      measureIdentical: true,
      signal: aborter.signal,
      onProgress: (progress) => {
        if (progress.type === 'step' && progress.detail === 'done' && progress.done === 4) aborter.abort();
      },
    });
    expect(outcome.stopped_by).toBe('interrupted');
    expect(outcome.samples.base).toMatchObject({ incomplete: expect.any(String) });
    expect(outcome.samples.base.measurements[0]!.series.length).toBeGreaterThan(0);
    expect(only(outcome).verdict).toBe('undecided');
  });

  it('does not take an interrupted build for one that failed', async () => {
    // New to the cache of builds, every time.
    await commit('other', { 'src/busy.cpp': busyKernel(123_456, `// ${randomUUID()}\n`) });
    const aborter = new AbortController();
    const interrupted = compare('other', {
      signal: aborter.signal,
      onProgress: (progress) => {
        if (progress.type === 'step' && progress.detail === 'compiling') aborter.abort();
      },
    });
    await expect(interrupted).rejects.toMatchObject({ name: 'PawlError', kind: 'try-again' });
  });

  it.each(['nowhere', '--all', ''])('refuses the revision "%s"', async (base) => {
    await expect(compare('base', { base })).rejects.toMatchObject({ name: 'PawlError', kind: 'usage' });
  });

  it('names the revision whose pawl.yaml is of no use', async () => {
    await commit('unreadable', { 'pawl.yaml': 'version: 7\n' });
    project.git('checkout', '--quiet', '--force', 'base');
    await expect(compare('unreadable')).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringMatching(/^At unreadable \([0-9a-f]{10}\): perf\/pawl\.yaml/),
    });
  });

  it('refuses a kernel that neither side has', async () => {
    await expect(compare('base', { only: ['bussy'] })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('bussy'),
    });
  });
});

describe('compareVariants', () => {
  it('measures two variants of a kernel against each other', async () => {
    const outcome = await compareVariants({
      config: project.folder,
      kernel: 'tuned',
      a: { WORK: 160_000 },
      b: { WORK: 20_000 },
      ...CALM,
    });
    expect(only(outcome)).toMatchObject({ kernel: 'tuned', case: 'small', verdict: 'improved' });
    expect(outcome.samples.base.measurements[0]!.variant).toEqual({ WORK: 160_000 });
  });
});

describe('compareFiles', () => {
  let folder: string;
  const before = measurementOf({ level_ms: 1, processes: 8, seed: 1 }, { kernel: 'k' });
  const after = measurementOf({ level_ms: 1.1, processes: 8, seed: 2 }, { kernel: 'k' });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-compare-files-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  it('compares two files by the policy that is asked for', async () => {
    const baseline = await write('a.json', samplesOf(before));
    const candidate = await write('b.json', samplesOf(after));
    expect(await compareFiles({ baseline, candidate })).toMatchObject({
      comparison: { verdict: 'regressed' },
    });
    const { comparison: lenient } = await compareFiles({
      baseline,
      candidate,
      policy: { regressionPct: 30 },
    });
    expect(lenient).toMatchObject({ verdict: 'maintained', thresholds: { regression_pct: 30 } });
  });

  it('reads a folder as one file, each measurement with the device of its own file', async () => {
    const [one, other] = [
      { ...before, case: 'one' },
      { ...before, case: 'other' },
    ];
    await write('base/one.json', { ...samplesOf(one), device: { name: 'H200' } });
    await write('base/other.json', { ...samplesOf(other), device: { name: 'A100' } });
    await write('base/report.md', 'not samples');
    const candidate = await write('b.json', { ...samplesOf(other), device: { name: 'A100' } });
    const { comparison } = await compareFiles({ baseline: join(folder, 'base'), candidate });
    expect(comparison.cases).toMatchObject([{ case: 'other', verdict: 'maintained' }]);
    expect(comparison.missing).toMatchObject([{ case: 'one' }]);
    const elsewhere = await write('c.json', { ...samplesOf(one), device: { name: 'A100' } });
    await expect(compareFiles({ baseline: join(folder, 'base'), candidate: elsewhere })).rejects.toThrow(
      /H200/,
    );
  });

  it('refuses a case that two files of a folder have', async () => {
    await write('base/a.json', samplesOf(before));
    await write('base/b.json', samplesOf(after));
    const refused = compareFiles({ baseline: join(folder, 'base'), candidate: join(folder, 'base') });
    await expect(refused).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringMatching(/k\/training_512 is in both .*a\.json and .*b\.json/),
    });
  });

  it.each([
    ['is empty', 'x.json', '', /x\.json is empty/],
    ['is cut short', 'x.json', JSON.stringify(samplesOf(before)).slice(0, 500), /x\.json is truncated/],
    ['is not JSON', 'x.json', 'median 3 ms', /x\.json is not JSON/],
    ['has no schema', 'x.json', '{}', /x\.json has no schema; only pawl\.samples\/1/],
    ['has another schema', 'x.json', '{"schema":"pawl.bench/1"}', /"pawl\.bench\/1"; only pawl\.samples\/1/],
    ['is a list', 'x.json', '[]', /has no schema/],
    [
      'holds a time below zero',
      'x.json',
      samplesOf({ case: 'a', series: [{ samples_ms: [-1] }] }),
      /does not match the schema pawl\.samples\/1 at measurements\.0\.series\.0\.samples_ms\.0/,
    ],
  ])('says of a file that %s which it is and what was expected', async (_, name, content, words) => {
    const baseline = await write(name, content);
    const candidate = await write('good.json', samplesOf(after));
    await expect(compareFiles({ baseline, candidate })).rejects.toMatchObject({
      name: 'PawlError',
      kind: 'bad-data',
      message: expect.stringMatching(words),
    });
  });

  it('says what is missing', async () => {
    const candidate = await write('good.json', samplesOf(after));
    await expect(compareFiles({ baseline: join(folder, 'none.json'), candidate })).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/There is no .*none\.json/),
    });
    await mkdir(join(folder, 'empty'));
    await expect(compareFiles({ baseline: join(folder, 'empty'), candidate })).rejects.toThrow(
      /no \.json file/,
    );
  });
});
