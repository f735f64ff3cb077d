import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { runInCi, type CiEnd, type RunInCiOptions } from '../../src/ci/run-in-ci.ts';
import { ciRunSchema } from '../../src/model/reports/ci-run.ts';
import { waiveRegression } from '../../src/workflows/ratchet.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { CiProject, fakeRunner, kernel, pullRequestEvent, type FakeRunner } from './ci-project.ts';
import { plantPull, PULL } from './planted.ts';

describe('pawl ci, on a repository with a baseline', () => {
  let project: CiProject;
  let standIn: StandIn;
  let runner: FakeRunner;
  let printed: string[];

  async function ci(env: NodeJS.ProcessEnv, options: Partial<RunInCiOptions> = {}): Promise<CiEnd> {
    printed = [];
    return runInCi({
      config: project.folder,
      out: join(project.folder, 'pawl-ci'),
      event: 'auto',
      comment: true,
      key: 'default',
      rules: 'base',
      profile: 'never',
      wait_s: 600,
      control: false,
      env,
      print: (line) => printed.push(line),
      now: () => new Date(),
      random: () => 0.5,
      sleep: async () => {},
      ...options,
    });
  }

  async function onPullRequest(
    message: string,
    { fork = false, ...options }: Partial<RunInCiOptions> & { fork?: boolean } = {},
  ): Promise<CiEnd> {
    const head = project.commit(message);
    plantPull(standIn);
    runner = await fakeRunner({
      name: 'pull_request',
      payload: pullRequestEvent({ number: PULL, head, base: project.git('rev-parse', 'main'), fork }),
      sha: head,
      apiUrl: standIn.url,
    });
    return ci({ ...runner.env, GITHUB_TOKEN: TOKEN }, options);
  }

  const comment = () => standIn.state.comments[0]?.body ?? '';

  beforeAll(async () => {
    standIn = await startStandIn();
    project = await CiProject.create();
    const { run } = await ci({}, { event: 'none', update: true });
    expect(run.verdict).toBe('new');
    expect(run.steps.at(-1)).toMatchObject({ name: 'baseline', status: 'passed' });
    project.commit('perf: ratchet baseline forward');
  });
  afterAll(() => standIn.close());
  afterEach(() => standIn.reset());

  it('is green for a change that changes nothing, and the work tree stays as it was', async () => {
    project.branch('remark');
    await project.write('src/right.cpp', `${kernel(40)}// a remark\n`);
    const { run } = await onPullRequest('a remark');
    expect(run).toMatchObject({ verdict: 'maintained', conclusion: 'success', judge_changes: [] });
    expect(run.policy).toMatchObject({ source: 'base', regression_pct: 25 });
    expect(comment()).toMatch(/^✔️ \*\*\S+ keeps its speed in \S+: a slowdown of \d+ % is excluded\*\*/);
    expect(project.git('status', '--porcelain')).toBe('');
    const written: unknown = JSON.parse(await readFile(join(project.folder, 'pawl-ci/ci.json'), 'utf8'));
    expect(ciRunSchema.parse(written)).toEqual(JSON.parse(JSON.stringify(run)));
  });

  it('judges by the rules of the base, and shows what the change does to its own gate', async () => {
    project.branch('slow');
    await project.write('src/right.cpp', kernel(160));
    await project.edit('pawl.yaml', 'regression_pct: 25', 'regression_pct: 99');
    await project.edit('pawl.yaml', 'oracle: {', 'tolerance: { atol: 9 }\n    oracle: {');
    const { run, posted } = await onPullRequest('four times as slow, and nobody shall notice');
    expect(run).toMatchObject({ verdict: 'regressed', conclusion: 'failure' });
    expect(run.judge_changes.map(({ text }) => text)).toEqual([
      'thresholds.regression_pct: 25 → 99',
      'tolerance of doubled: atol: 0.002 → 9',
    ]);
    expect(comment()).toMatch(/^❌ \*\*\S+ is [\d.]+(?: %|×) slower on \S+ \([\d.]+ to [\d.]+(?: %|×)\)\*\*/);
    expect(comment()).toMatch(/alters its own judge: the judge of the base was used/);
    expect(standIn.state.checkRuns).toMatchObject([{ conclusion: 'failure', name: 'Pawl' }]);
    expect(await runner.summary()).toContain(comment());
    expect(await runner.outputs()).toMatch(/verdict<<(\S+)\nregressed\n\1\n/);
    expect(await runner.outputs()).toMatch(new RegExp(`comment-id<<(\\S+)\\n${posted.comment_id}\\n\\1\\n`));
    expect(printed[0]).toMatch(
      /^::error title=Pawl%3A regressed::\S+ is [\d.]+(?: %25|×) slower on \S+ \([\d.]+ to [\d.]+(?: %25|×)\)$/u,
    );
  });

  it('does not believe entries that the change wrote into the baseline', async () => {
    project.branch('forged');
    await project.write('src/right.cpp', kernel(160));
    project.commit('slow');
    const forged = await ci(
      {},
      { event: 'none', rules: 'head', baseline: join(project.folder, '.pawl/other.json'), update: true },
    );
    expect(forged.run.verdict).toBe('new');
    await project.write('pawl-baseline.json', await project.read('.pawl/other.json'));
    const { run } = await onPullRequest('a baseline of its own');
    expect(run.verdict).toBe('regressed');
    expect(run.judge_changes[0]).toMatchObject({ kind: 'baseline', subject: 'pawl-baseline.json' });
  });

  it('applies a waiver that a trusted change brings along, and not one from a fork', async () => {
    project.branch('waived');
    await project.write('src/right.cpp', kernel(160));
    const expires = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await waiveRegression({
      config: project.folder,
      pattern: 'right/small',
      reason: 'exact now',
      slower_pct: 1000,
      author: 'Ada',
      expires,
    });
    const trusted = await onPullRequest('slower and right');
    expect(trusted.run).toMatchObject({ verdict: 'maintained', conclusion: 'success' });
    expect(trusted.run.judge_changes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/waiver for right\/small, up to 1000 % slower, .*"exact now".*applied here/),
    ]);
    expect(comment()).toMatch(/exact now/);
    standIn.reset();
    project.git('commit', '--quiet', '--allow-empty', '--message', 'again');
    await project.write('src/right.cpp', kernel(161));
    const fork = await onPullRequest('from a fork', { fork: true });
    expect(fork.run).toMatchObject({ verdict: 'regressed', conclusion: 'failure' });
    expect(fork.run.judge_changes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/not applied: this code comes from another/),
    ]);
    expect(standIn.requests).toEqual([]);
    expect(fork.posted.fallbacks).toEqual([expect.stringMatching(/fork/)]);
  });

  it('is red for a wrong kernel, which is not timed', async () => {
    project.branch('wrong');
    await project.edit('pawl.yaml', 'src/right.cpp', 'src/wrong-result.cpp');
    const { run } = await onPullRequest('wrong');
    expect(run).toMatchObject({ verdict: 'incorrect', conclusion: 'failure' });
    expect(run.steps.find(({ name }) => name === 'correctness')?.status).toBe('failed');
    expect(comment()).toMatch(/^⛔ \*\*\S+ gives wrong results in \S+\*\*/);
  });

  it("is red for a kernel that does not build, with the compiler's words", async () => {
    project.branch('broken');
    await project.write('src/right.cpp', `${kernel(40)}this is not C++;\n`);
    const { run } = await onPullRequest('broken');
    expect(run).toMatchObject({ verdict: 'incorrect', conclusion: 'failure' });
    expect(run.steps.find(({ name }) => name === 'build')).toMatchObject({ status: 'failed' });
    expect(comment()).toMatch(/^⛔ \*\*\S+ does not build\*\*/);
    expect(comment()).toMatch(/error/);
  });

  it('calls a new case new, and compares a case without an entry with the base', async () => {
    project.branch('no-entries');
    project.git('rm', '--quiet', 'pawl-baseline.json');
    const base = project.commit('no baseline yet');
    await project.edit('pawl.yaml', 'small: { N: 1000 }', 'small: { N: 1000 }\n      larger: { N: 4000 }');
    await project.write('src/right.cpp', kernel(160));
    project.commit('slower, and one case more');
    const { run } = await ci({}, { event: 'none', base });
    expect(run.check?.comparison.cases.map(({ case: name, verdict }) => [name, verdict])).toEqual([
      ['small', 'regressed'],
      ['larger', 'new'],
    ]);
  });

  it('says that it could not run, which is no regression, and shows that too', async () => {
    project.branch('bad-config');
    await project.edit('pawl.yaml', 'version: 1', 'version: 7');
    const { run } = await onPullRequest('another version');
    expect(run).toMatchObject({
      verdict: 'failed',
      conclusion: 'failure',
      failure: { kind: 'configuration' },
    });
    expect(comment()).toMatch(/^⚠️ \*\*Pawl could not run: /);
    expect(comment()).toMatch(/speed of the change was not measured/);
  });

  it('asks for the whole history where the base is not there', async () => {
    project.branch('shallow');
    const { run } = await ci({}, { event: 'none', base: 'f'.repeat(40) });
    expect(run.failure).toMatchObject({ kind: 'usage', hint: expect.stringMatching(/fetch-depth: 0/) });
  });

  it('judges a trial merge by what it was merged into', async () => {
    project.branch('merged');
    await project.write('src/right.cpp', `${kernel(40)}// merged\n`);
    const head = project.commit('a remark');
    const base = project.git('rev-parse', 'main');
    project.git('checkout', '--quiet', '--detach', 'main');
    await project.edit('pawl.yaml', 'regression_pct: 25', 'regression_pct: 26');
    project.commit('other rules on main');
    project.git('merge', '--quiet', '--no-ff', '--message', 'trial', head);
    plantPull(standIn);
    runner = await fakeRunner({
      name: 'pull_request',
      payload: pullRequestEvent({ number: PULL, head, base }),
      sha: project.git('rev-parse', 'HEAD'),
      apiUrl: standIn.url,
    });
    const { run } = await ci(runner.env, { comment: false });
    expect(run).toMatchObject({ verdict: 'maintained', judge_changes: [], policy: { regression_pct: 26 } });
  });

  it('judges a branch by where it left main, whatever was merged since', async () => {
    project.branch('behind');
    await project.write('src/right.cpp', `${kernel(40)}// behind\n`);
    const head = project.commit('behind');
    project.git('checkout', '--quiet', 'main');
    await project.edit('pawl.yaml', 'regression_pct: 25', 'regression_pct: 26');
    project.commit('other rules on main');
    project.git('checkout', '--quiet', head);
    const { run } = await ci({}, { event: 'none', base: 'main' });
    project.git('checkout', '--quiet', 'main');
    project.git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(run).toMatchObject({ verdict: 'maintained', judge_changes: [], policy: { regression_pct: 25 } });
  });
});
