import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import type { Samples } from '../../src/model/measure/samples.ts';
import {
  renderAdvance,
  renderBaseline,
  renderVerification,
} from '../../src/report/terminal/baseline-terminal.ts';
import {
  advanceBaseline,
  baselineLog,
  endWaiverEarly,
  resetEntries,
  showBaseline,
  signBaseline,
  verifyBaselineFile,
  waiveRegression,
} from '../../src/workflows/ratchet.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { runOf } from '../ratchet/accepted-of.ts';
import { GitProject } from '../ratchet/git-project.ts';

const FILE = 'pawl-baseline.json';
const now = () => new Date('2026-03-01T12:00:00Z');

/** A project in git with a baseline of two cases. */
async function project() {
  const git = await GitProject.create();
  const { PAWL_BASELINE_KEY: _, ...env } = process.env;
  const options = { cwd: git.root, now, env };
  const head = await git.commit('pawl.yaml', 'version: 1\n');
  await advanceBaseline({ ...options, samples: both(1, 2) });
  return { git, options, head, path: join(git.root, FILE) };
}

/** Two cases in one run. */
function both(training_ms: number, inference_ms: number, seed = 1): Samples {
  const [first, second] = [
    runOf(training_ms, seed),
    runOf(inference_ms, seed + 1, { case: 'inference_1024' }),
  ];
  return { ...first, measurements: [...first.measurements, ...second.measurements] };
}

async function handEdit(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"host": "gpu1"', '"host": "gpu2"'));
}

describe('advanceBaseline', () => {
  it('makes no entry of what only a blind tolerance calls right, and moves none', async () => {
    const { options } = await project();
    const blind = [{ answer: 'zeros', tensor: 'y', max_abs_err: 1, atol: 1e-7, rtol: 1e-3 }];
    const check = { passed: true, oracle: 'o', tensors: [], tampering: [], blind };
    const unseen = (samples: Samples): Samples => ({
      ...samples,
      measurements: samples.measurements.map((one) => ({ ...one, check })),
    });
    const samples = unseen({
      ...runOf(0.5, 9),
      measurements: [...both(0.5, 0.5).measurements, ...runOf(1, 3, { case: 'other' }).measurements],
    });
    const before = await showBaseline(options);
    const result = await advanceBaseline({
      ...options,
      samples,
      accept: { pattern: '*', reason: 'trust me' },
    });
    expect(result).toMatchObject({ first: [], advanced: [], accepted: [], kept: [], refused: [] });
    expect(result.unproven.map((one) => one.case)).toHaveLength(3);
    expect(result.unproven[0]?.why).toMatch(
      /^the tolerance is blind: zeros .*tolerance: { atol: 1e-7, rtol: 1e-3 }$/,
    );
    expect(await showBaseline(options)).toEqual(before);
    await expect(resetEntries({ ...options, pattern: '*', reason: 'anew', samples })).rejects.toThrow(
      /cannot be a baseline: the tolerance is blind/,
    );
  });

  it('starts a baseline with new entries, which are no wins', async () => {
    const { options, head } = await project();
    const view = await showBaseline(options);
    expect(view).toMatchObject({ exists: true, problems: [], waivers: [] });
    expect(view.entries.map(({ key, processes, samples }) => [key.case, processes, samples])).toEqual([
      ['inference_1024', 6, 180],
      ['training_512', 6, 180],
    ]);
    expect(view.entries[0]!.median_ms).toBeCloseTo(2, 1);
    const { records } = await baselineLog(options);
    expect(records).toMatchObject([
      { type: 'first', author: 'Grace <grace@example.org>', commit: head, time: '2026-03-01T12:00:00.000Z' },
      { type: 'first' },
    ]);
  });

  it('moves only what the confirmation calls improved', async () => {
    const { options } = await project();
    const samples = both(0.9, 2, 5);
    const confirmation = compareSamples(both(1, 2, 11), samples);
    const result = await advanceBaseline({ ...options, samples, confirmation });
    expect(result.advanced).toMatchObject([{ case: 'training_512' }]);
    expect(result.kept).toMatchObject([
      { key: { case: 'inference_1024' }, why: expect.stringMatching(/^maintained: /) as string },
    ]);
    expect((await showBaseline(options)).entries[1]!.median_ms).toBeCloseTo(0.9, 1);
    expect((await verifyBaselineFile(options)).problems).toEqual([]);
  });

  it('moves nothing without a confirmation, however fast the run was', async () => {
    const { options, path } = await project();
    const before = await readFile(path, 'utf8');
    const result = await advanceBaseline({ ...options, samples: both(0.5, 1, 5) });
    expect(result).toMatchObject({ advanced: [], first: [], kept: [{}, {}] });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('takes nothing that was measured under load, unless that is accepted', async () => {
    const { options: given, path } = await project();
    // As for users, and not as for these tests.
    const options = { ...given, env: { ...given.env, PAWL_ACCEPT_LOAD: '' } };
    const before = await readFile(path, 'utf8');
    const load = { cpus: 2, other_cpus: 1.2 };
    const onCpu = (samples: Samples): Samples => ({
      ...samples,
      device: { kind: 'cpu', name: 'A CPU' },
      environment: { ...samples.environment, load },
    });
    const first = onCpu(runOf(1, 3, { case: 'other' }));
    const result = await advanceBaseline({ ...options, samples: first });
    expect(result).toMatchObject({ first: [], loaded: [{ key: { case: 'other' }, load, isKept: false }] });
    expect(renderAdvance(result)).toMatch(
      /left out .*other.*other work kept 1.2 of 2 CPUs busy.*--accept-load/,
    );
    expect(await readFile(path, 'utf8')).toBe(before);

    const taken = await advanceBaseline({ ...options, samples: first, acceptLoad: true });
    expect(taken).toMatchObject({ first: [{}], loaded: [{ isKept: true }] });
    const entry = (await showBaseline(options)).entries.find(({ key }) => key.case === 'other');
    expect(entry?.provenance.load).toEqual(load);
    expect(renderBaseline(await showBaseline(options))).toMatch(/, under load .*other/);

    const faster = onCpu(runOf(0.5, 5, { case: 'other' }));
    const confirmation = compareSamples(first, faster);
    const moved = await advanceBaseline({ ...options, samples: faster, confirmation });
    expect(moved).toMatchObject({ advanced: [], loaded: [{ isKept: false }] });
  });

  it('does not mind what ran beside a GPU on its host, and minds other processes on the GPU', async () => {
    const { options: given } = await project();
    const options = { ...given, env: { ...given.env, PAWL_ACCEPT_LOAD: '' } };
    const samples = runOf(1, 3, { case: 'quiet' });
    const environment = { ...samples.environment, load: { cpus: 2, other_cpus: 2, gpu_busy_pct: 1 } };
    expect(await advanceBaseline({ ...options, samples: { ...samples, environment } })).toMatchObject({
      first: [{ key: { case: 'quiet' } }],
      loaded: [],
    });
    const busy = runOf(1, 3, { case: 'busy' });
    for (const one of busy.measurements[0]!.series) one.state_before = { foreign_pids: [7] };
    expect(await advanceBaseline({ ...options, samples: busy })).toMatchObject({
      first: [],
      loaded: [{ load: { foreign_pids: [7] }, isKept: false }],
    });
  });

  it('starts a new entry on another device class and says so', async () => {
    const { options } = await project();
    const samples = { ...both(3, 4), device: { name: 'NVIDIA L4', driver: '580.65' } };
    const { first } = await advanceBaseline({ ...options, samples });
    expect(first).toHaveLength(2);
    expect(first[0]!.note).toMatch(/ran on NVIDIA L4.*the baseline knows it on NVIDIA H200/);
    expect((await showBaseline(options)).entries).toHaveLength(4);
  });

  it('accepts a slower case for a reason', async () => {
    const { options } = await project();
    const samples = both(1.3, 2, 5);
    const accept = { pattern: '*/training_512', reason: 'the fast one was wrong' };
    const result = await advanceBaseline({ ...options, samples, accept });
    expect(result.accepted).toMatchObject([{ case: 'training_512' }]);
    expect((await baselineLog({ ...options, pattern: '*/training_512' })).records.at(-1)).toMatchObject({
      type: 'accept',
      reason: 'the fast one was wrong',
    });
  });
});

describe('waiveRegression', () => {
  const request = {
    pattern: '*/training_512',
    reason: 'overflow fix',
    expires: '2026-03-10',
    slower_pct: 12,
  };

  it('is refused without a size', async () => {
    const { options } = await project();
    const { slower_pct: _, ...without } = request;
    await expect(waiveRegression({ ...options, ...without })).rejects.toThrow(
      /needs the size of the slowdown/,
    );
  });

  it('shows with its entry until it expires', async () => {
    const { options } = await project();
    const { covered } = await waiveRegression({ ...options, ...request });
    expect(covered).toHaveLength(1);
    const waived = (await showBaseline(options)).entries.find(({ waiver }) => waiver !== undefined);
    expect(waived).toMatchObject({ key: { case: 'training_512' }, waiver: { reason: 'overflow fix' } });
    const later = { ...options, now: () => new Date('2026-03-11T00:00:00Z') };
    expect((await showBaseline(later)).waivers).toEqual([]);
    expect((await baselineLog(later)).records).toHaveLength(3);
  });

  it('can be ended early', async () => {
    const { options } = await project();
    const { record } = await waiveRegression({ ...options, ...request, author: 'CI' });
    expect(record.author).toBe('CI');
    await endWaiverEarly({ ...options, record: record.n, reason: 'mended' });
    expect((await showBaseline(options)).waivers).toEqual([]);
    const about = await baselineLog({ ...options, pattern: '*/training_512' });
    expect(about.records.map(({ type }) => type)).toEqual(['first', 'waive', 'expire']);
  });
});

describe('verifyBaselineFile', () => {
  it('finds a hand edit, and no change builds on it', async () => {
    const { options, path } = await project();
    await handEdit(path);
    const verified = await verifyBaselineFile(options);
    expect(verified.sound).toBe(false);
    expect(verified.problems).toEqual([expect.stringContaining('was edited by hand')]);
    await expect(
      advanceBaseline({ ...options, samples: runOf(1, 1, { case: 'new' }) }),
    ).rejects.toMatchObject({
      kind: 'bad-data',
    });
  });

  it('finds a forged file in git’s history though its hashes fit', async () => {
    const { git, options, path } = await project();
    await git.commit('x', 'x');
    expect(await verifyBaselineFile(options)).toMatchObject({ sound: true, history: { commits: 1 } });
    await git.git('rm', '-q', '--cached', FILE);
    const elsewhere = join(await temporaryFolder(), FILE);
    await advanceBaseline({ ...options, baseline: elsewhere, samples: both(9, 9) });
    await git.commit(FILE, await readFile(elsewhere, 'utf8'));
    const verified = await verifyBaselineFile(options);
    expect(verified).toMatchObject({ path, problems: [], sound: false, history: { breaks: [{}] } });
  });

  it('says in a shallow clone what it could not look at', async () => {
    const { git, options } = await project();
    await git.commit('x', 'x');
    expect(renderVerification(await verifyBaselineFile(options))).not.toContain('shallow');
    // As `git clone --depth 1` writes it.
    await writeFile(join(git.root, '.git/shallow'), `${await git.git('rev-parse', 'HEAD')}\n`);
    const text = renderVerification(await verifyBaselineFile(options));
    expect(text).toContain('this clone is shallow');
    expect(text).toContain('git fetch --unshallow');
  });

  it('verifies the signature where there is a key', async () => {
    const { options } = await project();
    expect((await verifyBaselineFile(options)).signature).toBe('not-verified');
    const env = { ...options.env, PAWL_BASELINE_KEY: 'secret' };
    expect(await verifyBaselineFile({ ...options, env })).toMatchObject({ signature: 'wrong', sound: false });
    await signBaseline({ ...options, env });
    expect(await verifyBaselineFile({ ...options, env })).toMatchObject({
      signature: 'verified',
      sound: true,
    });
    await expect(signBaseline(options)).rejects.toThrow(/No key to sign/);
  });

  it('says where a baseline would be when there is none', async () => {
    const git = await GitProject.create();
    await git.commit('pawl.yaml', 'version: 1\n');
    await expect(verifyBaselineFile({ cwd: git.root })).rejects.toThrow(
      /no baseline at .*pawl-baseline\.json/,
    );
    expect(await showBaseline({ cwd: git.root })).toMatchObject({ exists: false, entries: [] });
    await expect(showBaseline({ cwd: await temporaryFolder() })).rejects.toThrow(/No pawl\.yaml/);
  });
});

describe('resetEntries', () => {
  it('takes entries out for a reason', async () => {
    const { options } = await project();
    const { removed } = await resetEntries({ ...options, pattern: '*/training_512', reason: 'new cooling' });
    expect(removed).toHaveLength(1);
    expect((await showBaseline(options)).entries).toHaveLength(1);
    await expect(resetEntries({ ...options, pattern: 'nope', reason: 'x' })).rejects.toThrow(/No entry/);
  });

  it('puts a run in their place', async () => {
    const { options } = await project();
    const samples = both(3, 4, 8);
    const { replaced } = await resetEntries({ ...options, pattern: '*', reason: 'new cooling', samples });
    expect(replaced).toHaveLength(2);
    expect((await showBaseline(options)).entries[0]!.provenance).toMatchObject({
      how: 'reset',
      commit: 'c9',
    });
  });

  it('mends a hand edit, and says so in the log', async () => {
    const { options, path } = await project();
    await handEdit(path);
    await resetEntries({ ...options, pattern: '*', reason: 'somebody edited it' });
    expect((await verifyBaselineFile(options)).problems).toEqual([]);
    expect((await baselineLog(options)).records.at(-1)).toMatchObject({ reason: 'somebody edited it' });
  });

  it('mends an entry that was taken out by hand', async () => {
    const { options, path } = await project();
    const document = JSON.parse(await readFile(path, 'utf8')) as { entries: unknown[] };
    document.entries.pop();
    await writeFile(path, JSON.stringify(document));
    const { removed } = await resetEntries({ ...options, pattern: '*/training_512', reason: 'gone' });
    expect(removed).toHaveLength(1);
    expect((await verifyBaselineFile(options)).problems).toEqual([]);
  });

  it('begins a new log only when everything is reset, and names the file it replaces', async () => {
    const { options, path } = await project();
    const document = JSON.parse(await readFile(path, 'utf8')) as { log: unknown[] };
    document.log.shift();
    await writeFile(path, JSON.stringify(document));
    const part = resetEntries({ ...options, pattern: '*/training_512', reason: 'x' });
    await expect(part).rejects.toThrow(/does not reach back/);
    const all = await resetEntries({ ...options, pattern: '*', reason: 'the log was cut' });
    expect(all).toMatchObject({ restarted: true });
    expect((await baselineLog(options)).records).toMatchObject([
      { n: 1, type: 'reset', replaces: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      { n: 2, type: 'reset' },
    ]);
    expect((await verifyBaselineFile(options)).problems).toEqual([]);
  });

  it('refuses a file that cannot be read, and leaves it', async () => {
    const { options, path } = await project();
    await writeFile(path, '{"schema": "pawl.baseline/1", "entr');
    await expect(resetEntries({ ...options, pattern: '*', reason: 'x' })).rejects.toThrow(/truncated/);
    expect(await readFile(path, 'utf8')).toBe('{"schema": "pawl.baseline/1", "entr');
  });
});
