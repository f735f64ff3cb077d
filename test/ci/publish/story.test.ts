import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { FetchGitHub } from '../../../src/ci/github/fetch-github.ts';
import type { GitHub } from '../../../src/ci/github/github.ts';
import { publishRun } from '../../../src/ci/publish-run.ts';
import { startContractProxy, type ContractProxy } from '../../contract/github/contract-proxy.ts';
import { startStandIn, TOKEN, type StandIn } from '../../contract/github/stand-in.ts';
import { ciRun } from '../ci-runs.ts';
import { eventOf, goodRun, plant, PULL, REPO, reportZip, slowCheck } from './hostile-runs.ts';

const PAWL = resolve(import.meta.dirname, '../../../bin/pawl');

describe("publishing a fork's runs", () => {
  let standIn: StandIn;
  let folder: string;

  beforeAll(async () => {
    standIn = await startStandIn();
    folder = mkdtempSync(join(tmpdir(), 'pawl-publish-'));
  });
  afterEach(() => standIn.reset());
  afterAll(async () => {
    await standIn.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('updates its one comment, speaking as the API describes', async () => {
    const proxy: ContractProxy = await startContractProxy(standIn);
    try {
      const client = (apiUrl: string): FetchGitHub =>
        new FetchGitHub({
          token: TOKEN,
          apiUrl,
          now: () => new Date('2026-11-15T00:00:00Z'),
          random: () => 0.5,
          sleep: async () => undefined,
        });
      const described = client(proxy.url);
      // The proxy reads every body as text: bytes come straight from the stand-in.
      const direct = client(standIn.url);
      const github: GitHub = {
        request: (...call) => described.request(...call),
        pages: (...call) => described.pages(...call),
        download: (...call) => direct.download(...call),
      };
      const options = { repo: REPO, event: eventOf(standIn), key: 'default', server: 'https://github.com' };
      plant(standIn, reportZip(ciRun({ verdict: 'regressed', check: slowCheck() })), {
        run: { conclusion: 'failure' },
      });
      const first = await publishRun(github, options);
      standIn.state.artifacts[0]!.zip = reportZip(goodRun());
      standIn.state.runs[0]!.conclusion = 'success';
      const second = await publishRun(github, options);
      expect(proxy.violations()).toEqual([]);
      expect([first, second]).toMatchObject([
        { run: { verdict: 'regressed', conclusion: 'failure' }, posted: { fallbacks: [] } },
        { run: { verdict: 'improved', conclusion: 'neutral' }, posted: { fallbacks: [] } },
      ]);
      expect(standIn.state.comments).toMatchObject([
        { issue: PULL, body: expect.stringMatching(/^✅ .* faster (?:in|on) .*, none slower/u) },
      ]);
    } finally {
      await proxy.close();
      standIn.publicUrl = standIn.url;
    }
  });

  /** The built command, as a workflow runs it. */
  function pawlPublish(...args: readonly string[]): Promise<{
    readonly code: number;
    readonly log: string;
    readonly summary: string;
    readonly outputs: string;
  }> {
    const path = (name: string): string => join(folder, name);
    for (const name of ['summary', 'outputs']) writeFileSync(path(name), '');
    writeFileSync(path('event.json'), JSON.stringify(eventOf(standIn)));
    const env = {
      PATH: process.env['PATH'],
      GITHUB_ACTIONS: 'true',
      GITHUB_TOKEN: TOKEN,
      GITHUB_REPOSITORY: REPO,
      GITHUB_API_URL: standIn.url,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_EVENT_PATH: path('event.json'),
      GITHUB_EVENT_NAME: 'workflow_run',
      GITHUB_STEP_SUMMARY: path('summary'),
      GITHUB_OUTPUT: path('outputs'),
    };
    return new Promise((done) => {
      execFile(PAWL, ['ci', 'publish', ...args], { cwd: folder, env }, (error, stdout, stderr) => {
        done({
          code: error === null ? 0 : Number(error.code),
          log: stdout + stderr,
          summary: readFileSync(path('summary'), 'utf8'),
          outputs: readFileSync(path('outputs'), 'utf8'),
        });
      });
    });
  }

  it('is a command that comments, writes the summary and hands over its outputs', async () => {
    plant(standIn, reportZip(goodRun()));
    const { code, log, summary, outputs } = await pawlPublish();
    expect(log).toBe(`Pull request ${PULL}: improved (neutral).\n`);
    expect(code).toBe(0);
    expect(standIn.state.comments).toHaveLength(1);
    expect(summary.trim()).toBe(standIn.state.comments[0]!.body);
    expect(outputs).toMatch(
      /^verdict<<(pawl-\w+)\nimproved\n\1\nconclusion<<(pawl-\w+)\nneutral\n\2\ncomment-id<</u,
    );
  });

  it('prints nothing of a hostile report: no workflow command, no escape sequence', async () => {
    const text = '\n::set-env name=PATH::/evil\n::add-mask::x\n##[error]gotcha\u001B[2J';
    const run = goodRun({
      judge_changes: [{ kind: 'oracle', subject: text, text }],
      steps: [{ name: 'build', status: 'warned', detail: text }],
    });
    for (const one of run.check!.comparison.cases) one.reason = text;
    plant(standIn, reportZip(run));
    for (const flags of [[], ['--json']]) {
      const { log, outputs } = await pawlPublish(...flags);
      expect(log).not.toMatch(/::|##\[|[^\P{Cc}\n]|evil|gotcha/u);
      expect(outputs).not.toMatch(/evil|gotcha/u);
    }
  });

  it('ends with 65 and one sentence where it refuses, and repeats nothing hostile', async () => {
    plant(standIn, reportZip({ ...goodRun(), schema: '::error::pawl.ci/1' }));
    const { code, log, summary } = await pawlPublish();
    expect(code).toBe(65);
    expect(log.split('\n')[0]).toBe('pawl: the report does not have the format pawl.ci/1');
    expect(log).not.toContain('::');
    expect(summary).toContain('Pawl published nothing');
    expect(standIn.state.checkRuns).toMatchObject([{ conclusion: 'neutral' }]);
  });

  it('keeps the report in the summary where the token may not write, and shows no token', async () => {
    plant(standIn, reportZip(goodRun()));
    Object.assign(standIn.permissions, { comments: false, checks: false });
    const { code, log, summary } = await pawlPublish();
    expect(code).toBe(0);
    expect(summary).toMatch(/✅ \*\*[^]*Without the comment/u);
    expect(log + summary).not.toContain(TOKEN);
  });
});
