/** The line that made a kernel slower, from the commit to the pull request: `pawl check` and `pawl ci` as users run them. */
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { profileReportSchema } from '../../src/model/profile/profile-report.ts';
import { checkReportSchema } from '../../src/model/reports/check-report.ts';
import { startStandIn, TOKEN, type StandIn } from '../contract/github/stand-in.ts';
import { fakeRunner, pullRequestEvent } from '../ci/ci-project.ts';
import { plantPull, PULL } from '../ci/planted.ts';
import { whyNoPerf } from '../services/perf.ts';
import { doubledYaml, PAWL, type CliRun } from './pawl-cli.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/kernels');
const TIMEOUT_MS = 600_000;

/** Binaries of the cache, which runs share, name the folder that they were built in: these are of this run. */
const RUN = randomUUID();

/** Two loops over the same data. What the second costs is one line, and `steps` says how much. */
function kernel(steps: number, above: readonly string[] = []): string {
  return `#include "pawl_kernel.h"
${above.join('\n')}
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  const int64_t n = call->tensors[0].shape[0];
  for (int64_t i = 0; i < n; ++i) {
    volatile float first = x[i];
    for (int k = 0; k < 20; ++k) first = first + 0.0f;
    y[i] = first;
  }
  for (int64_t i = 0; i < n; ++i) {
    volatile float second = x[i];
    for (int k = 0; k < ${steps}; ++k) second = second + 0.0f;
    y[i] = y[i] + second;
  }
  return 0;
}
extern "C" const char *const run = "${RUN}";
`;
}

function lineWith(text: string, part: string): number {
  return text.split('\n').findIndex((line) => line.includes(part)) + 1;
}

const why = whyNoPerf();

describe.skipIf(why !== undefined)(`a slower line${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let top: string;
  let folder: string;
  let standIn: StandIn;

  const git = (...args: readonly string[]): string => {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
    return execFileSync('git', [...identity, ...args], { cwd: top, encoding: 'utf8' }).trim();
  };
  const commit = (message: string): string => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  const write = (text: string): Promise<void> => writeFile(join(folder, 'src/loops.cpp'), text);
  const pawl = (env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<CliRun> =>
    new Promise((done) => {
      execFile(PAWL, args, { cwd: folder, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });

  beforeAll(async () => {
    standIn = await startStandIn();
    // The project lies below the repository's top, as it does in most.
    top = await mkdtemp(join(tmpdir(), 'pawl-slower-line-'));
    folder = join(top, 'perf');
    await mkdir(join(folder, 'src'), { recursive: true });
    for (const file of ['doubled.hpp', 'oracle.cpp'])
      await copyFile(join(FIXTURES, file), join(folder, 'src', file));
    await writeFile(
      join(folder, 'pawl.yaml'),
      doubledYaml(
        'source: src/oracle.cpp',
        ['  loops: { problem: doubled, device: cpu, language: c++, sources: [src/loops.cpp] }'],
        'measure: { mode: hot, samples: 10, warmup: 2, stopping: fixed, processes: 3 }',
        // The planted change is of a factor of two and more.
        'thresholds: { regression_pct: 30, improvement_pct: 35 }',
      ),
    );
    await writeFile(join(top, '.gitignore'), '.pawl/\npawl-ci/\n');
    await write(kernel(20));
    git('init', '--quiet', '--initial-branch=main');
    commit('first');
    const first = await pawl(process.env, 'check', '--update', '--quiet', '--wait', '600');
    expect(first.code, first.stderr).toBe(0);
    commit('perf: ratchet baseline forward');
    // The base's binary, with its lines, is in the cache since then, and names files of this folder.
    const before = await pawl(process.env, 'profile', 'loops', '--quiet', '--wait', '600');
    // 2 where the machine has no counters: lines are sampled anyway.
    expect([0, 2], before.stderr).toContain(before.code);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await standIn.close();
    await rm(top, { recursive: true, force: true });
  });

  it(
    'is named by pawl check where it is now, although lines above it moved it',
    async () => {
      const slower = kernel(120, ['// Two remarks, which move', '// everything below them.']);
      await write(slower);
      const { env } = process;
      const { code, stdout, stderr } = await pawl(env, 'check', '--json', '--quiet', '--wait', '600');
      const report = checkReportSchema.parse(JSON.parse(stdout));
      expect(code, stderr).toBe(1);
      expect(report.not_profiled, JSON.stringify(report.not_profiled)).toBeUndefined();
      const line = lineWith(slower, '120');
      expect(report.profiles?.[0]?.at).toMatchObject({ path: 'perf/src/loops.cpp', line });
      expect(report.profiles?.[0]?.at?.text).toMatch(
        new RegExp(`src/loops\\.cpp:${line}, which changed, takes [\\d.]+ µs more: .*120`, 'u'),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'is compared with what the base took there',
    async () => {
      const slower = kernel(120, ['// One remark.']);
      await write(slower);
      const { stdout } = await pawl(
        process.env,
        'profile',
        'loops',
        '--base',
        'main',
        '--json',
        '--wait',
        '600',
      );
      const { comparisons } = profileReportSchema.parse(JSON.parse(stdout));
      const changed = comparisons?.[0]?.lines?.find(({ line }) => line === lineWith(slower, '120'));
      expect(changed).toMatchObject({ file: 'src/loops.cpp', changed: true });
      expect(changed!.before_us).toBeGreaterThan(0);
      expect(changed!.after_us).toBeGreaterThan(2 * changed!.before_us);
    },
    TIMEOUT_MS,
  );

  it(
    'stands in the comment of the pull request, and as an annotation at its file and line',
    async () => {
      git('checkout', '--quiet', '-B', 'slower');
      const slower = kernel(120, ['// One remark.']);
      await write(slower);
      const head = commit('slower');
      const line = lineWith(slower, '120');
      standIn.reset();
      plantPull(standIn);
      const payload = pullRequestEvent({ number: PULL, head, base: git('rev-parse', 'main') });
      const runner = await fakeRunner({ name: 'pull_request', payload, sha: head, apiUrl: standIn.url });
      const env = { ...runner.env, GITHUB_TOKEN: TOKEN };
      const { code, stdout, stderr } = await pawl(env, 'ci', 'run', '--quiet', '--wait', '600');
      expect(code, `${stdout}${stderr}`).toBe(1);

      const comment = standIn.state.comments[0]?.body ?? '';
      expect(line).toBe(14);
      const place = `perf/src/loops.cpp#L${line}`;
      expect(comment).toMatch(/\*\*Why\*\*: src\/loops\.cpp\S*14, which changed, takes [\d.]+ µs more/u);
      expect(comment).toContain(`/acme/kernels/blob/${head}/${place}`);

      expect(stdout).toMatch(
        new RegExp(`^::error file=perf/src/loops\\.cpp,line=${line},title=Pawl%3A .*slower`, 'mu'),
      );
      const posted = standIn.requests.find(
        ({ method, path }) => method === 'POST' && path.endsWith('/check-runs'),
      );
      expect(posted?.body).toMatchObject({
        output: {
          annotations: [
            {
              path: 'perf/src/loops.cpp',
              start_line: line,
              end_line: line,
              annotation_level: 'failure',
              title: expect.stringMatching(/slower: loops\/small/u),
            },
          ],
        },
      });
    },
    TIMEOUT_MS,
  );
});
