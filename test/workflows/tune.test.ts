import { randomUUID } from 'node:crypto';
import { appendFile, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { studySchema, type Study } from '../../src/model/tune/study-report.ts';
import { NcuProfiler } from '../../src/profile/capture/ncu-profiler.ts';
import { renderStudyTerminal } from '../../src/report/terminal/study-terminal.ts';
import { applyStudy, showStudy, tune, type TuneOptions } from '../../src/workflows/tune.ts';
import { FakeNcu } from '../profile/capture/fake-ncu.ts';
import { tuneConfig, tuneProject, type TuneProjectOptions } from './tune-project.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function project(options: TuneProjectOptions = {}): Promise<string> {
  const folder = await tuneProject(options);
  folders.push(folder);
  return folder;
}

/** Small, certain and patient. */
const CALM = {
  kernel: 'tuned',
  wait_s: 600,
  seed: 1,
  sampler: 'exhaustive',
  processes: 1,
  profile: false,
} as const;

async function study(folder: string, options: Partial<TuneOptions> = {}): Promise<Study> {
  const { studies } = await tune({ ...CALM, config: folder, confirm: 1, ...options });
  expect(studies).toHaveLength(1);
  return studySchema.parse(JSON.parse(JSON.stringify(studies[0])));
}

describe('a study among variants that do not build, hang, crash, are wrong or cheat', () => {
  let folder: string;
  let found: Study;

  beforeAll(async () => {
    folder = await project({
      work: '{ values: [1, 16, 32], default: 32 }',
      kind: '[0, 1, 2, 3, 4, 5]',
      constraints: "['KIND == 0 or WORK == 16']",
    });
    found = await study(folder, { timeout_s: 20, samples: 20 });
  }, 300_000);

  it('finds the variant that is many times as fast, and confirms it in fresh processes', () => {
    expect(found.reason).toMatch(/faster/);
    expect(found).toMatchObject({
      result: 'improved',
      ended_by: 'space',
      best: { variant: { WORK: 1, KIND: 0 } },
    });
    const [confirmed] = found.confirmations;
    expect(confirmed).toMatchObject({ verdict: 'improved' });
    expect(confirmed!.speedup).toBeGreaterThan(4);
    expect(confirmed!.processes[0]).toBeGreaterThanOrEqual(6);
  });

  it('tries the default first and every variant once, and rejects each wrong one for its reason', () => {
    expect(found.trials[0]).toMatchObject({ phase: 'default', variant: { WORK: 32, KIND: 0, PAD: 0 } });
    expect(found.trials).toHaveLength(8);
    const byKind = new Map(
      found.trials
        .filter(({ variant }) => variant.WORK === 16)
        .map(({ variant, outcome }) => [
          variant.KIND,
          outcome?.status === 'rejected' ? `${outcome.gate} ${outcome.reason}` : outcome?.status,
        ]),
    );
    expect(Object.fromEntries(byKind)).toEqual({
      0: 'measured',
      1: 'build build_failed',
      2: 'run timed_out',
      3: 'run numerics',
      4: 'run run_failed',
      5: 'run numerics',
    });
    expect(found.rejections).toEqual({ build_failed: 1, timed_out: 1, numerics: 2, run_failed: 1 });
  });

  it('writes suggestions, all trials, T4, a page and pictures', async () => {
    const text = await readFile(join(folder, 'tuning/suggestions.md'), 'utf8');
    expect(text).toMatch(/^# Autotune Report: small/);
    expect(text).toMatch(/\*\*Speedup\*\*: \d+\.\d\d× \(interval/);
    expect(text).toContain('- `WORK = 1` (default 32)');
    expect(text).toContain('target_compile_definitions(kernel PRIVATE WORK=1 KIND=0 PAD=0)');
    expect(text).toContain('-DWORK=1 -DKIND=0 -DPAD=0');
    expect(studySchema.parse(JSON.parse(await readFile(join(folder, 'tuning/trials.json'), 'utf8')))).toEqual(
      found,
    );
    const t4 = JSON.parse(await readFile(join(folder, 'tuning/t4-results.json'), 'utf8')) as {
      results: { invalidity: string }[];
    };
    expect(t4.results.map(({ invalidity }) => invalidity).toSorted()).toEqual([
      'compile',
      'correct',
      'correct',
      'correct',
      'correctness',
      'correctness',
      'runtime',
      'timeout',
    ]);
    const page = await readFile(join(folder, 'tuning/report.html'), 'utf8');
    expect(page).toContain('The search');
    expect(page).toContain('timed_out');
    expect(await readFile(join(folder, 'tuning/best-so-far.svg'), 'utf8')).toMatch(/^<svg/);
  });

  it('is shown again from what it wrote, and applied with every comment kept', async () => {
    const shown = await showStudy({ config: folder });
    expect(shown).toEqual(found);
    const before = await readFile(join(folder, 'pawl.yaml'), 'utf8');
    const dry = await applyStudy({ config: folder, dryRun: true });
    expect(dry).toMatchObject({ written: false, changes: [{ tunable: 'WORK', from: 32, to: 1 }] });
    expect(await readFile(join(folder, 'pawl.yaml'), 'utf8')).toBe(before);
    const applied = await applyStudy({ config: folder });
    expect(applied.diff).toEqual([
      '-      WORK: { values: [1, 16, 32], default: 32 } # how long it takes',
      '+      WORK: { values: [1, 16, 32], default: 1 } # how long it takes',
    ]);
    expect(await readFile(join(folder, 'pawl.yaml'), 'utf8')).toBe(
      before.replace('default: 32', 'default: 1'),
    );
    expect((await applyStudy({ config: folder })).changes).toEqual([]);
    await writeFile(join(folder, 'pawl.yaml'), before);
  });

  it('goes on where it ended: nothing is measured again, and the answer stays', async () => {
    const again = await study(folder, { resume: true });
    expect(again.id).toBe(found.id);
    expect(again.trials).toEqual(found.trials);
    expect(again.confirmations).toEqual(found.confirmations);
    expect(again.best).toEqual(found.best);
  });

  it('gives its best variants to another study, which tries them after the default', async () => {
    const other = await project({ work: '{ values: [1, 4, 16], default: 4 }' });
    const warm = await study(other, {
      warm: [join(folder, 'tuning/trials.json')],
      trials: 2,
      confirm: 0,
      sampler: 'random',
    });
    expect(warm.trials.map(({ phase, variant }) => [phase, variant.WORK])).toEqual([
      ['default', 4],
      ['warm', 1],
    ]);
  });

  it.each([
    [
      'sources',
      async () =>
        writeFile(
          join(folder, 'src/doubled.hpp'),
          `${await readFile(join(folder, 'src/doubled.hpp'), 'utf8')}// new\n`,
        ),
      /the sources of the kernel/,
    ],
    [
      'space',
      () => writeFile(join(folder, 'pawl.yaml'), tuneConfig({ kind: '[0, 1]' })),
      /the tunables or the constraints/,
    ],
    [
      'case',
      () => writeFile(join(folder, 'pawl.yaml'), tuneConfig({ cases: '{ small: { N: 2000 } }' })),
      /dimensions or tensors of the case/,
    ],
    ['mode', () => Promise.resolve(), /the mode \(hot → cold\)/],
  ])('is not resumed when the %s changed', async (what, change, words) => {
    await change();
    await expect(
      study(folder, { resume: true, ...(what === 'mode' ? { mode: 'cold' } : {}) }),
    ).rejects.toThrow(words);
  });
});

describe('a study in which nothing wins', () => {
  it('keeps the default, and says what it learnt', async () => {
    const folder = await project({ work: '{ values: [1, 16, 32], default: 1 }' });
    const found = await study(folder);
    expect(found).toMatchObject({ result: 'kept', best: { variant: { WORK: 1 } }, confirmations: [] });
    const text = await readFile(join(folder, 'tuning/suggestions.md'), 'utf8');
    expect(text).toContain('## No Change Advised');
    expect(text).toContain('below 25 % is not advised');
    expect(text).toContain('## What Was Learnt');
    await expect(applyStudy({ config: folder })).rejects.toThrow(/no confirmed winner/);
  });

  it('does not call a variant faster that is the same program', async () => {
    const folder = await project({ work: '[1]', pad: '[0, 1, 2, 3]' });
    const found = await study(folder);
    expect(found.result).toBe('kept');
    expect(found.trials.filter(({ same_binary_as }) => same_binary_as === 1)).toHaveLength(3);
  });
});

describe('a study without a valid variant', () => {
  it('is a full report with a histogram of reasons, and applies nothing', async () => {
    const folder = await project({ work: '[1, 4]', kind: '[3, 4]' });
    const found = await study(folder, { trials: 4 });
    expect(found).toMatchObject({ result: 'none-valid', rejections: { numerics: 2, run_failed: 2 } });
    expect(found.best).toBeUndefined();
    expect(await readFile(join(folder, 'tuning/suggestions.md'), 'utf8')).toMatch(/numerics \| 2/);
    await expect(applyStudy({ config: folder, force: true })).rejects.toThrow(/no confirmed winner/);
  });

  it('shows the fastest that runs where only the default does not, and applies it when forced', async () => {
    const folder = await project({ work: '[16, 1]', kind: '{ values: [0, 3], default: 3 }' });
    const found = await study(folder);
    expect(found).toMatchObject({ result: 'unconfirmed', best: { variant: { WORK: 1, KIND: 0 } } });
    expect(found.reason).toMatch(/no measured default/);
    await applyStudy({ config: folder, force: true });
    expect(await readFile(join(folder, 'pawl.yaml'), 'utf8')).toContain(
      'WORK: { values: [16, 1], default: 1 }',
    );
  });
});

describe('a variant whose build was cut short', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    ['killed', 'kill -KILL $$'],
    ['out of room', 'echo "as: can\'t write x.o: No space left on device" >&2; exit 1'],
  ])('is not rejected, and is built and measured when the study goes on (%s)', async (_, end) => {
    const folder = await project({ work: '[1]', kind: '[0, 6]' });
    // What was built once is not built again, nor by ccache where only a comment differs.
    await appendFile(join(folder, 'src', 'tuned.cpp'), `const char stamp[] = "${randomUUID()}";\n`);
    const tools = join(folder, 'tools');
    const [assembler, isOver] = [join(tools, 'as'), join(tools, 'over')];
    await mkdir(tools);
    await writeFile(
      assembler,
      `#!/bin/sh\nfor last; do :; done\nif [ ! -e ${isOver} ] && grep -q "# kind 6" "$last"; then ${end}; fi\nPATH=/usr/bin:/bin exec as "$@"\n`,
    );
    await chmod(assembler, 0o755);
    vi.stubEnv('PATH', `${tools}:${process.env['PATH']}`);
    const options = { confirm: 0, samples: 20 };
    await expect(study(folder, options)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^A variant could not be built: /) as string,
      hint: expect.stringContaining('--resume') as string,
    });
    await writeFile(isOver, '');
    const { trials } = await study(folder, { ...options, resume: true });
    expect(trials.map(({ variant, outcome }) => [variant['KIND'], outcome?.status])).toEqual([
      [0, 'measured'],
      [6, 'measured'],
    ]);
  });
});

describe('a budget', () => {
  it('in trials is kept to the trial', async () => {
    const found = await study(await project(), { trials: 3, confirm: 0 });
    expect(found.trials).toHaveLength(3);
    expect(found.ended_by).toBe('trials');
  });

  it('in time ends the search, and is continued by what a resumed study adds', async () => {
    const folder = await project({ pad: `[${Array.from({ length: 400 }, (_, index) => index).join(', ')}]` });
    const first = await study(folder, { budget_s: 4, confirm: 0 });
    expect(first.ended_by).toBe('time');
    const more = await study(folder, { resume: true, budget_s: first.throughput.wall_s + 4 });
    expect(more.id).toBe(first.id);
    expect(more.throughput.wall_s).toBeGreaterThan(first.throughput.wall_s);
    const told = first.trials.filter(({ outcome }) => outcome !== undefined);
    expect(more.trials).toEqual(expect.arrayContaining(told));
    expect(new Set(more.trials.map(({ number }) => number)).size).toBe(more.trials.length);
  });

  it('in money needs a price', async () => {
    await expect(study(await project(), { max_cost: 1 })).rejects.toThrow(
      /The price of .* per hour is unknown/,
    );
    const priced = await project({ more: 'cost: { currency: EUR, default: 3600 }\n' });
    const found = await study(priced, { max_cost: 3, confirm: 0, sampler: 'exhaustive' });
    expect(found.cost.money).toMatchObject({ currency: 'EUR' });
    expect(['cost', 'space']).toContain(found.ended_by);
    expect(await readFile(join(priced, '.pawl/costs.jsonl'), 'utf8')).toContain(found.id);
  });
});

describe('several cases', () => {
  it('give a table of winners, and the advice to use one where one will do', async () => {
    const folder = await project({
      work: '{ values: [1, 16], default: 16 }',
      cases: '{ small: { N: 1000 }, other: { N: 1200 } }',
    });
    const outcome = await tune({ ...CALM, config: folder, cases: ['small', 'other'], confirm: 1 });
    expect(outcome.studies.map(({ result }) => result)).toEqual(['improved', 'improved']);
    expect(outcome.dispatch).toMatchObject({
      rows: [
        { case: 'small', dims: { N: 1000 }, variant: { WORK: 1 } },
        { case: 'other', dims: { N: 1200 }, variant: { WORK: 1 } },
      ],
    });
    expect(outcome.dispatch!.advice).toMatch(/The same variant is best for every shape/);
    const header = await readFile(join(folder, 'tuning/dispatch.hpp'), 'utf8');
    expect(header).toContain('if (N == 1000) return 0;');
    await expect(tune({ ...CALM, config: folder })).rejects.toThrow(/several cases/);
  });
});

describe('the profile of a winner', () => {
  const profilers = { cpu: new NcuProfiler(), cuda: new NcuProfiler() };

  async function profiled(capture: string, gates = ''): Promise<{ found: Study; folder: string }> {
    const folder = await project({ work: '{ values: [1, 16], default: 16 }' });
    if (gates !== '') {
      const config = await readFile(join(folder, 'pawl.yaml'), 'utf8');
      const withGates = config.replace('    constraints:', `    gates: ${gates}\n    constraints:`);
      expect(withGates).not.toBe(config);
      await writeFile(join(folder, 'pawl.yaml'), withGates);
    }
    const { env } = await FakeNcu.make('good', { head: capture });
    return { found: await study(folder, { profile: true, profilers, env }), folder };
  }

  it('warns by the name of a gate that its counters break, and stays the winner', async () => {
    const { found, folder } = await profiled('bank_conflict_transpose');
    expect(found).toMatchObject({ result: 'improved', best: { variant: { WORK: 1 } } });
    const message = '93.9 % of the shared-memory wavefronts are conflicts; up to 10 % pass';
    expect(found.profile?.warnings).toEqual([{ gate: 'bank_conflicts', message }]);
    for (const file of ['suggestions.md', 'report.html'])
      expect(await readFile(join(folder, 'tuning', file), 'utf8')).toMatch(/bank_conflicts.*93\.9 %/);
    expect(renderStudyTerminal(found, { color: false, columns: 100 })).toContain(
      `bank_conflicts: ${message}`,
    );
  });

  it('warns of what pawl.yaml asks, and not where the gate is off or its limit is kept', async () => {
    const { found } = await profiled('uncoalesced_load', '{ bad_coalescing: 70 }');
    expect(found.profile?.warnings?.map(({ gate }) => gate)).toEqual(['bad_coalescing']);
    const { found: loose } = await profiled('uncoalesced_load', '{ bad_coalescing: off }');
    expect(loose.profile?.summary).toBeDefined();
    expect(loose.profile?.warnings).toBeUndefined();
  });
});
