import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { kernelNames, planKernel } from '../../src/config/plan-kernel.ts';
import { runCommand } from '../../src/os/run-command.ts';
import { DETECTORS } from '../../src/model/correctness/detector.ts';
import { pawl } from '../e2e/pawl-cli.ts';
import { ANIMALS } from './animals.ts';
import { correctnessTables } from './correctness-tables.ts';
import { whatFired } from './what-fired.mjs';

const ZOO = import.meta.dirname;
const DOCS = join(ZOO, '../../docs');

const listed = await runCommand('ldconfig', ['-p']);
const libraries = listed.status === 'missing' ? '' : listed.stdout;
const here = Object.entries(ANIMALS).filter(([, { device }]) => device === undefined);
const dishonest = here.filter(([, { caughtBy }]) => caughtBy.length > 0);
const honest = here.filter(([, { caughtBy }]) => caughtBy.length === 0);

const IN_PYTHON = new Set(['honest-prepared', 'honest-numpy']);

/** Kernels in one run of `pawl bench`: the device is free for other tests between two of them. */
const GROUP = 8;

describe('the zoo', { retry: 0 }, () => {
  let folder: string;
  const fired = new Map<string, Set<string>>();

  beforeAll(async () => {
    // A copy, so that no run, corpus or cache is left beside the sources.
    folder = await mkdtemp(join(tmpdir(), 'pawl-zoo-'));
    await cp(ZOO, folder, { recursive: true });
    // What some animals look for: a checkout, and a token in the environment.
    expect(await runCommand('git', ['init', '--quiet', folder])).toMatchObject({ status: 'exited', code: 0 });
    vi.stubEnv('GITHUB_TOKEN', 'what the zoo may not see');
    const names = (...where: readonly string[]) =>
      [
        ...dishonest.filter(([, animal]) => where.includes(animal.where) && animal.mode === undefined),
        // Sanitizers are for what is compiled.
        ...honest.filter(([name]) => !IN_PYTHON.has(name) || !where.includes('sanitize')),
      ].map(([name]) => name);
    const waiting = ['-q', '--wait', '600'];
    let patience = 12;
    const isCaught = (name: string) =>
      ANIMALS[name]?.caughtBy.some((one) => fired.get(name)?.has(one)) === true;
    // Not those whose trick may be without effect: they stay uncaught, however often they run.
    const isUncaught = (name: string) => {
      const { where, caughtBy = [] } = ANIMALS[name] ?? {};
      const mustBeCaught = caughtBy.length > 0 && !caughtBy.includes('defused');
      return where === 'timed' && mustBeCaught && fired.get(name)?.size === 0;
    };
    const bench = async (only: readonly string[], ...options: readonly string[]): Promise<void> => {
      const samples = join(folder, 'samples.json');
      const fixed = ['bench', '--verified', '--processes', '1', '--out', samples, ...waiting, ...options];
      const timed = await pawl(folder, ...fixed, '--only', only.join(','));
      // 0: a group of honest ones alone; 2: of those that the machine was too busy to measure.
      expect([0, 1, 2], timed.stderr).toContain(timed.code);
      remember(await readFile(samples, 'utf8'));
      await rm(samples);
      // Nothing is known of those that the machine was too busy to measure. And a comparison has several processes: that
      // one of them shows it is enough, so a busy machine may take more than one for those that are seen by their times.
      const again = only.filter(
        (name) => (fired.get(name)?.delete('busy') === true && !isCaught(name)) || isUncaught(name),
      );
      if (again.length > 0 && patience-- > 0) await bench(again, ...options);
    };
    // Not all at once: an animal that spoils a whole run spoils its own group.
    const benched = names('check', 'timed');
    for (let at = 0; at < benched.length; at += GROUP) await bench(benched.slice(at, at + GROUP));
    await bench(
      dishonest.filter(([, { mode }]) => mode === 'hot').map(([name]) => name),
      '--mode',
      'hot',
    );
    // The same cases in every run: what a detector can see must not depend on luck.
    const fuzz = ['fuzz', '--json', '--no-save', '--seed', '20261115', ...waiting];
    const fuzzed = await pawl(folder, ...fuzz, '--cases', '200', '--only', names('fuzz').join(','));
    expect(fuzzed.code, fuzzed.stderr).toBe(1);
    remember(fuzzed.stdout);
    const tools = ['--sanitize', 'address,undefined', '--case', 'small,vector'];
    const sanitized = await pawl(folder, ...fuzz, ...tools, '--only', names('sanitize').join(','));
    expect(sanitized.code, sanitized.stderr).toBe(1);
    remember(sanitized.stdout);
    // For fill-attacks.mjs, which writes them into docs/results/attacks.md.
    const kept = process.env['PAWL_ZOO_ANSWERS'];
    const answers = Object.fromEntries([...fired].map(([name, found]) => [name, [...found]]));
    if (kept !== undefined) await writeFile(kept, JSON.stringify({ answers }));
  }, 1_800_000);

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  function remember(text: string): void {
    for (const [kernel, names] of whatFired(JSON.parse(text))) {
      fired.set(kernel, new Set([...(fired.get(kernel) ?? []), ...names]));
    }
  }

  for (const [name, { trick, caughtBy, needs }] of dishonest) {
    it.skipIf(needs !== undefined && !libraries.includes(needs))(`catches ${name}: ${trick}`, () => {
      const found = [...(fired.get(name) ?? [])];
      if (caughtBy.includes('defused') && fired.has(name) && found.length === 0) return;
      expect(
        found.filter((detector) => caughtBy.some((wanted) => wanted === detector)),
        `fired: ${found.join(', ') || 'nothing'}`,
      ).not.toEqual([]);
    });
  }

  for (const [name, { trick }] of honest) {
    it(`lets ${name} pass: ${trick}`, () => {
      expect([...(fired.get(name) ?? ['it did not run'])]).toEqual([]);
    });
  }
});

describe('the list of animals', () => {
  it('names the kernels of pawl.yaml, in its order', async () => {
    const loaded = await loadConfig(ZOO);
    expect(Object.keys(ANIMALS)).toEqual(kernelNames(loaded));
    for (const name of kernelNames(loaded)) {
      expect(planKernel(loaded, name).device, name).toBe(ANIMALS[name]?.device ?? 'cpu');
    }
  });

  it('has at least 100 that are dishonest or wrong, on the CPU, and 4 that are honest', () => {
    expect(dishonest.length).toBeGreaterThanOrEqual(100);
    expect(honest.length).toBeGreaterThanOrEqual(4);
  });

  it('is what docs/correctness.md and docs/results/zoo.md show', async () => {
    const { detectors, tricks } = correctnessTables();
    expect(await readFile(join(DOCS, 'correctness.md'), 'utf8')).toContain(detectors);
    expect(await readFile(join(DOCS, 'results/zoo.md'), 'utf8')).toContain(tricks);
  });

  it('has an animal for every detector that a kernel alone can set off', () => {
    // A kernel that is faster than the hardware is wrong or unmeasured first, whatever else it does.
    const without = new Set(['faster-than-floor']);
    const covered = new Set<string>(Object.values(ANIMALS).flatMap(({ caughtBy }) => caughtBy));
    const missing = Object.keys(DETECTORS).filter((name) => !without.has(name) && !covered.has(name));
    expect(missing).toEqual([]);
  });
});
