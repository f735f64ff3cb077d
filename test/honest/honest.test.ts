import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { kernelNames, planKernel } from '../../src/config/plan-kernel.ts';
import { pawl } from '../e2e/pawl-cli.ts';
import { torchVersion } from '../services/has-torch.ts';
import { whatFired } from '../zoo/what-fired.mjs';
import { HONEST_KERNELS } from './kernels.ts';

const HONEST = import.meta.dirname;
const DOCUMENT = join(HONEST, '../../docs/results/honest.md');
/** Kernels per command: the device is free for other tests between two of them. */
const GROUP = 8;
/** Commands beyond the first for each, for kernels that the machine was too busy to time. */
const PATIENCE = 20;

/** Kernels use what is new in it. */
const hasTorch = Number.parseInt(torchVersion) >= 2;
const isOnGpu = ({ needs, device }: (typeof HONEST_KERNELS)[string]) =>
  device === 'cuda' || needs === 'cuda' || needs === 'triton';
const all = Object.entries(HONEST_KERNELS);
const onCpu = all.filter(([, kernel]) => !isOnGpu(kernel));
const here = onCpu.filter(([, { needs }]) => needs !== 'torch' || hasTorch);

describe('the honest set', { retry: 0 }, () => {
  let folder: string;
  const fired = new Map<string, Set<string>>();
  const timed = new Map<string, Set<string>>();
  /** Why series were lost, in words. */
  const said = new Map<string, string>();

  beforeAll(async () => {
    // A copy, so that no run or cache is left beside the sources; with the zoo, whose problems are shared.
    folder = await mkdtemp(join(tmpdir(), 'pawl-honest-'));
    await cp(HONEST, join(folder, 'honest'), { recursive: true });
    await cp(join(HONEST, '../zoo'), join(folder, 'zoo'), { recursive: true });
    const samples = join(folder, 'samples.json');
    const bench = ['bench', '--verified', '--mode', 'cold,hot', '--processes', '1', '--no-history'];
    const rest = ['-q', '--wait', '600', '--out', samples];
    let patience = PATIENCE;
    for (let left = here.map(([name]) => name); left.length > 0;) {
      const names = left.slice(0, GROUP);
      left = left.slice(GROUP);
      await rm(samples, { force: true });
      const run = await pawl(join(folder, 'honest'), ...bench, ...rest, '--only', names.join(','));
      // 1 is for accusations, which the tests below name; 2 for kernels that could not be built or run, likewise.
      expect([0, 1, 2], run.stderr).toContain(run.code);
      remember(await readFile(samples, 'utf8'));
      // Nothing is known of those that the machine was too busy to measure.
      if (patience-- > 0) left.push(...names.filter((name) => fired.get(name)?.has('busy')));
    }
  }, 1_800_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  function remember(text: string): void {
    const document = JSON.parse(text);
    for (const [kernel, names] of whatFired(document)) fired.set(kernel, names);
    for (const { kernel, mode, series, lost = [] } of document.measurements) {
      for (const { message } of lost) said.set(kernel, `${said.get(kernel) ?? ''}${mode}: ${message}\n`);
      if (series.length > 0) timed.set(kernel, new Set([...(timed.get(kernel) ?? []), mode]));
    }
  }

  for (const [name, { particular, needs }] of onCpu) {
    it.skipIf(needs === 'torch' && !hasTorch)(`accuses ${name} of nothing: ${particular}`, ({ skip }) => {
      const found = [...(fired.get(name) ?? ['it did not run'])];
      if (found.every((reason) => reason === 'busy') && found.length > 0)
        skip(`the machine stayed too busy to time ${name}`);
      expect(found, said.get(name)).toEqual([]);
      expect(timed.get(name)).toEqual(new Set(['cold', 'hot']));
    });
  }
});

describe('the list of honest kernels', () => {
  it('names the kernels of pawl.yaml, in its order', async () => {
    const loaded = await loadConfig(HONEST);
    expect(Object.keys(HONEST_KERNELS)).toEqual(kernelNames(loaded));
    for (const [name, kernel] of all) {
      expect(planKernel(loaded, name).device, name).toBe(isOnGpu(kernel) ? 'cuda' : 'cpu');
    }
  });

  it('has at least 60 kernels, and at least 60 of them run without a GPU or PyTorch', () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(onCpu.filter(([, { needs }]) => needs !== 'torch').length).toBeGreaterThanOrEqual(60);
  });

  it('uses every file in kernels/, and each says in its first line why it is honest', async () => {
    const config = await readFile(join(HONEST, 'pawl.yaml'), 'utf8');
    for (const file of await readdir(join(HONEST, 'kernels'))) {
      if (file.endsWith('.hpp')) continue;
      expect(config).toContain(`kernels/${file}`);
      expect(await readFile(join(HONEST, 'kernels', file), 'utf8'), file).toMatch(/^(\/\/ |""")Honest: .+\./);
    }
  });

  it('is what docs/results/honest.md has results of', async () => {
    const text = await readFile(DOCUMENT, 'utf8');
    expect(all.map(([name]) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
