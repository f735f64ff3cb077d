import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runInCi, type CiEnd } from '../../../src/ci/run-in-ci.ts';
import { startStandIn, type StandIn } from '../../contract/github/stand-in.ts';
import { CiProject, fakeRunner, kernel, pullRequestEvent } from '../ci-project.ts';
import { eventOf, FORK, plant, publish, PULL, RUN } from './hostile-runs.ts';

/** What the artifact of a run is made with, in the order of a folder's walk. */
const PACK = `
import os, sys, zipfile
source, target = sys.argv[1:]
with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as archive:
    for folder, _, names in os.walk(source):
        for name in names:
            path = os.path.join(folder, name)
            archive.write(path, os.path.relpath(path, source))
`;

describe("a fork's pull request, from its run to its comment", () => {
  let standIn: StandIn;
  let project: CiProject;

  beforeAll(async () => {
    standIn = await startStandIn();
    project = await CiProject.create();
    await ci({}, true);
    project.commit('perf: ratchet baseline forward');
  });
  afterAll(() => standIn.close());

  function ci(env: NodeJS.ProcessEnv, update = false): Promise<CiEnd> {
    return runInCi({
      config: project.folder,
      out: join(project.folder, '.pawl/pawl-ci'),
      event: 'auto',
      comment: true,
      key: 'default',
      rules: 'base',
      profile: 'never',
      wait_s: 600,
      control: false,
      update,
      env,
      print: () => undefined,
      now: () => new Date(),
      random: () => 0.5,
      sleep: async () => undefined,
    });
  }

  it('shows what its run found, and leaves the baseline as it was', async () => {
    project.branch('gift');
    await project.write('src/right.cpp', kernel(160));
    const head = project.commit('four times as slow');
    const baseline = await project.read('pawl-baseline.json');
    const payload = pullRequestEvent({
      number: PULL,
      head,
      base: project.git('rev-parse', 'main'),
      fork: true,
    });
    const { env } = await fakeRunner({ name: 'pull_request', payload, sha: head, apiUrl: standIn.url });
    const { run, posted } = await ci(env, true);
    expect(run).toMatchObject({ verdict: 'regressed', conclusion: 'failure' });
    expect(posted.comment_id).toBeUndefined();

    const zip = join(project.folder, '.pawl/artifact.zip');
    execFileSync('python3', ['-c', PACK, join(project.folder, '.pawl/pawl-ci'), zip]);
    plant(standIn, readFileSync(zip), {
      run: { head_sha: head, conclusion: 'failure' },
      pull: { head: { ref: 'gift', sha: head, repo: FORK } },
    });
    const event = eventOf(standIn, { workflow_run: { id: RUN, head_sha: head } });
    const outcome = await publish(standIn, { event });
    if (outcome.state !== 'published') throw new Error(outcome.state);
    expect(outcome.notice).toBe(
      'Measured by code of this pull request; not used for the baseline. Its check is neutral at best.',
    );
    const { verdict, conclusion, policy } = run;
    expect(outcome.run).toMatchObject({ verdict, conclusion, policy });
    expect(outcome.run.check?.comparison).toEqual(JSON.parse(JSON.stringify(run.check!.comparison)));
    expect(standIn.state.comments).toMatchObject([
      {
        issue: PULL,
        body: expect.stringMatching(
          /^❌ \*\*\S+ is [\d.]+(?: %|×) slower on \S+ \([\d.]+ to [\d.]+(?: %|×)\)\*\*/u,
        ),
      },
    ]);
    expect(await project.read('pawl-baseline.json')).toBe(baseline);
  });
});
