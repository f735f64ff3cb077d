/** Runs on the default branch whose kernels write where later steps look, and runs that only propose. */
import { access, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { readHandedOver } from '../../src/ci/read-handed-over.ts';
import { runInCi, type CiEnd } from '../../src/ci/run-in-ci.ts';
import { NO_CONTEXT } from '../../src/ci/context.ts';
import { BASELINE_FILE } from '../../src/model/judge/baseline.ts';
import { parseBaseline } from '../../src/ratchet/parse-baseline.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { CiProject, fakeRunner, kernel, pullRequestEvent } from './ci-project.ts';
import { ciRun } from './ci-runs.ts';
import { slowCheck } from './publish/hostile-runs.ts';

const NOWHERE = 'http://127.0.0.1:9';
/** Each measures for seconds, after waiting for the device. */
const TIMEOUT_MS = 900_000;

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Ended extends CiEnd {
  readonly out: string;
  readonly printed: readonly string[];
}

async function ci(
  project: CiProject,
  env: NodeJS.ProcessEnv,
  options: { readonly propose?: boolean; readonly update?: boolean } = {},
): Promise<Ended> {
  const out = await mkdtemp(join(tmpdir(), 'pawl-out-'));
  const printed: string[] = [];
  const end = await runInCi({
    config: project.folder,
    out,
    event: 'auto',
    comment: false,
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
  return { ...end, out, printed };
}

async function pushEvent(project: CiProject): Promise<NodeJS.ProcessEnv> {
  const sha = project.git('rev-parse', 'HEAD');
  const payload = { ref: 'refs/heads/main', after: sha, repository: { default_branch: 'main' } };
  return (await fakeRunner({ name: 'push', payload, sha, apiUrl: NOWHERE })).env;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('a run that proposes a baseline', () => {
  it(
    'writes it beside the report, at its commit, and leaves a signed file alone, without the key',
    async () => {
      const project = await CiProject.create();
      vi.stubEnv('PAWL_BASELINE_KEY', 'the key');
      expect((await ci(project, {}, { update: true })).run.verdict).toBe('new');
      vi.unstubAllEnvs();
      project.commit('a signed baseline');
      const signed = await project.read(BASELINE_FILE);
      expect(signed).toContain('"signature"');
      await project.edit('pawl.yaml', 'small: { N: 1000 }', 'small: { N: 1000 }\n      larger: { N: 4000 }');
      const head = project.commit('one case more');

      const { run, out, printed } = await ci(project, await pushEvent(project), { propose: true });
      expect(run.steps.at(-1)).toMatchObject({
        name: 'baseline',
        status: 'passed',
        detail: expect.stringMatching(/proposal/),
      });
      expect(await project.read(BASELINE_FILE)).toBe(signed);
      const text = await readFile(join(out, BASELINE_FILE), 'utf8');
      expect(verifyBaseline(text)).toEqual([]);
      const proposed = parseBaseline(text, 'proposed');
      expect(proposed.signature).toBeUndefined();
      expect(proposed.log.map(({ type, commit }) => [type, commit === head])).toEqual([
        ['first', false],
        ['first', true],
      ]);
      expect(printed.join('\n')).not.toMatch(/with a secret/);
    },
    TIMEOUT_MS,
  );

  it(
    'proposes nothing on a pull request, and says that its step has a secret',
    async () => {
      const project = await CiProject.create();
      const head = project.git('rev-parse', 'HEAD');
      const { env } = await fakeRunner({
        name: 'pull_request',
        payload: pullRequestEvent({ number: 1, head, base: head }),
        sha: head,
        apiUrl: NOWHERE,
      });
      const { run, out, printed } = await ci(project, { ...env, GITHUB_TOKEN: 'planted' }, { propose: true });
      expect(run.steps.at(-1)).toMatchObject({
        name: 'baseline',
        status: 'skipped',
        detail: 'a pull request never updates the baseline',
      });
      expect(await isThere(join(out, BASELINE_FILE))).toBe(false);
      expect(printed.at(-1)).toMatch(
        /^::warning title=Pawl%3A kernels ran in a step with a secret::This step has GITHUB_TOKEN\./,
      );
      expect(printed.join('\n')).not.toContain('planted');
    },
    TIMEOUT_MS,
  );
});

describe('a kernel that looks for secrets', () => {
  /** It looks when it is loaded: a call that reads files is refused for that alone. */
  const curious = `#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
extern char **environ;
static int look() {
  for (char **entry = environ; *entry != nullptr; ++entry) {
    if (std::strstr(*entry, "planted") != nullptr) return 1;
  }
  std::ifstream file("/proc/self/environ", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.find("planted") != std::string::npos) return 2;
  return std::getenv("MODEL_DIR") == nullptr ? 3 : 0;
}
static const int found = look();
${kernel(40).replace('{\n  for', '{\n  if (found != 0) return found;\n  for')}`;

  it(
    'sees none of those that its step has, and what its project names',
    async () => {
      const project = await CiProject.create();
      await project.write('src/right.cpp', curious);
      await project.write('pawl.yaml', `${await project.read('pawl.yaml')}environment: [MODEL_DIR]\n`);
      project.commit('a curious kernel');
      for (const name of ['GITHUB_TOKEN', 'PAWL_BASELINE_KEY', 'AWS_SECRET_ACCESS_KEY', 'ANYTHING']) {
        vi.stubEnv(name, 'planted');
      }
      const { run } = await ci(project, await pushEvent(project));
      expect(run.check?.comparison.cases).toMatchObject([{ case: 'small', verdict: 'incorrect' }]);
      vi.stubEnv('MODEL_DIR', '/models');
      const again = await ci(project, await pushEvent(project));
      expect(again.run.check?.comparison.cases).toMatchObject([{ case: 'small', verdict: 'new' }]);
    },
    TIMEOUT_MS,
  );
});

describe('a kernel that writes into the repository', () => {
  /** Like `kernel`, and on its way it writes a setting that a later git would obey. */
  const hostile = (folder: string) => `#include <cstdio>
${kernel(40).replace(
  '{\n  for',
  `{
  if (std::FILE *file = std::fopen("${folder}/.git/config", "a")) {
    std::fputs("[core]\\n\\tsshCommand = evil\\n", file);
    std::fclose(file);
  }
  for`,
)}`;

  it(
    'ends in a run that is not believed and proposes nothing, unless it could not write at all',
    async () => {
      const project = await CiProject.create();
      await project.write('src/right.cpp', hostile(project.folder));
      project.commit('an honest kernel, surely');
      const { run, out } = await ci(project, await pushEvent(project), { propose: true });
      const config = await project.read('.git/config');
      // A sandbox may have kept it from writing; then there is nothing to notice.
      if (!config.includes('evil')) return;
      expect(run).toMatchObject({
        verdict: 'failed',
        conclusion: 'failure',
        failure: {
          kind: 'permission',
          message: expect.stringContaining('.git/config changed while kernels ran'),
        },
      });
      expect(await isThere(join(out, BASELINE_FILE))).toBe(false);
      expect(await isThere(join(project.folder, BASELINE_FILE))).toBe(false);
    },
    TIMEOUT_MS,
  );
});

describe('a report that another job hands over', () => {
  const context = { ...NO_CONTEXT, event: 'pull_request', head_sha: 'c'.repeat(40) } as const;

  async function folderWith(text: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-handed-'));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'ci.json'), text);
    return folder;
  }

  it('is shown by its numbers, not by its words, for the repository’s own branches too', async () => {
    const forged = ciRun({ verdict: 'improved', conclusion: 'success', check: slowCheck() });
    forged.check!.verdict = 'improved';
    const { run, notice } = await readHandedOver(await folderWith(JSON.stringify(forged)), context);
    expect(run).toMatchObject({
      verdict: 'regressed',
      conclusion: 'failure',
      check: { commit: context.head_sha },
    });
    expect(notice).toMatch(/claims improved/);
  });

  it('is not green where the job that measured was red', async () => {
    const { run } = await readHandedOver(await folderWith(JSON.stringify(ciRun())), context, 'failure');
    expect(run.conclusion).not.toBe('success');
  });

  it('is refused where it is no run, and where it is a link', async () => {
    await expect(readHandedOver(await folderWith('::set-env::'), context)).rejects.toMatchObject({
      kind: 'bad-data',
    });
    const folder = await mkdtemp(join(tmpdir(), 'pawl-handed-'));
    await symlink(join(await folderWith(JSON.stringify(ciRun())), 'ci.json'), join(folder, 'ci.json'));
    await expect(readHandedOver(folder, context)).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringContaining('it is a link'),
    });
  });
});
