import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ciRunSchema } from '../../src/model/reports/ci-run.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { fakeRunner, pullRequestEvent } from './ci-project.ts';
import { ciRun } from './ci-runs.ts';
import { HEAD_SHA, plantPull, PULL } from './planted.ts';

const PAWL = resolve(import.meta.dirname, '../../bin/pawl');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function pawl(cwd: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    execFile(PAWL, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Without what a CI that runs these tests has in its environment. */
const BARE = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GITHUB_')));

describe('pawl ci on the command line', () => {
  let folder: string;
  let standIn: StandIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-ci-cli-'));
    standIn = await startStandIn();
  });
  afterAll(() => standIn.close());

  it('runs without a word, and says in every form that it could not', async () => {
    await writeFile(join(folder, 'pawl.yaml'), 'version: 1\n');
    const { code, stdout } = await pawl(folder, BARE, 'ci', '--json', '--quiet');
    const run = ciRunSchema.parse(JSON.parse(stdout));
    expect(run).toMatchObject({ verdict: 'failed', failure: { kind: 'configuration' } });
    expect(code).toBe(78);
    expect(JSON.parse(await readFile(join(folder, 'pawl-ci/ci.json'), 'utf8'))).toEqual(run);
    expect(await readFile(join(folder, 'pawl-ci/comment.md'), 'utf8')).toMatch(/could not run/);
    expect((await pawl(folder, BARE, 'ci', '--quiet')).stdout).toMatch(/✗ doctor[\s\S]*could not run/);
  });

  it('refuses a key that could end its marker', async () => {
    for (const key of ['a -->', 'a--b', '', '<x']) {
      expect((await pawl(folder, BARE, 'ci', '--key', key)).code).toBe(64);
    }
  });

  it('posts what an earlier job measured', async () => {
    plantPull(standIn);
    const runner = await fakeRunner({
      name: 'pull_request',
      payload: pullRequestEvent({ number: PULL, head: HEAD_SHA, base: 'b'.repeat(40) }),
      sha: 'c'.repeat(40),
      apiUrl: standIn.url,
    });
    await mkdir(join(folder, 'from'), { recursive: true });
    await writeFile(join(folder, 'from/ci.json'), JSON.stringify(ciRun()));
    const env = { ...runner.env, GITHUB_TOKEN: TOKEN };
    const { code, stdout } = await pawl(folder, env, 'ci', 'post', '--out', 'from');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^::error title=Pawl%3A incorrect::/);
    expect(standIn.state.comments).toHaveLength(1);
    expect(standIn.state.checkRuns).toMatchObject([{ head_sha: HEAD_SHA }]);
    expect(await runner.summary()).toContain(standIn.state.comments[0]?.body);
    expect(await runner.outputs()).toMatch(/conclusion<<(\S+)\nfailure\n\1/);
    expect(stdout).not.toContain(TOKEN);
  });

  it('refuses to post what is no run', async () => {
    await mkdir(join(folder, 'bad'), { recursive: true });
    expect(await pawl(folder, BARE, 'ci', 'post', '--out', 'bad')).toMatchObject({ code: 64 });
    await writeFile(join(folder, 'bad/ci.json'), '{"schema":"pawl.ci/1"}');
    expect(await pawl(folder, BARE, 'ci', 'post', '--out', 'bad')).toMatchObject({ code: 65 });
  });
});
