import { execFile } from 'node:child_process';
import { access, chmod, cp, mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buildAll } from '../../src/build/build-all.ts';
import type { BuildJob, BuildOutcome } from '../../src/build/build-job.ts';
import type { BuildOptions } from '../../src/build/build-all.ts';
import type { Progress } from '../../src/model/measure/progress.ts';
import { ADD_FILES, Project, built, plainEnv } from './project.ts';

let project: Project;
beforeEach(async () => {
  project = await Project.create(ADD_FILES);
});
afterEach(async () => {
  await project.remove();
});

async function build(job: BuildJob, options: Partial<BuildOptions> = {}): Promise<BuildOutcome> {
  const [outcome] = await buildAll([job], { root: project.root, env: plainEnv(), ...options });
  if (outcome === undefined) throw new Error('no outcome for the job');
  return outcome;
}

describe('buildAll', () => {
  it('builds a library that exports the kernel and hides everything else', async () => {
    const outcome = built(await build(project.job()));
    expect(outcome.status).toBe('built');
    expect(outcome.compiler).toMatchObject({ name: 'g++', version: expect.stringMatching(/^\d+\.\d+/) });
    const { stdout } = await promisify(execFile)('nm', ['-D', '--defined-only', outcome.artifact]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stdout).toContain('T pawl_run');
  });

  it.each([
    ['in the source', 'kernels/add.cpp'],
    ['in a header', 'include/outer.h'],
  ])('hints at a tunable that is also a template parameter %s', async (_, file) => {
    await project.write(file, 'template <int BN, int BM> int tile() { return BM; }\n');
    if (file !== 'kernels/add.cpp') await project.write('kernels/add.cpp', '#include "outer.h"\n');
    const outcome = await build(project.job({ defines: { BM: 64, BK: 8 } }));
    expect(outcome).toMatchObject({ status: 'failed', reason: 'compile-error' });
    const { hint = '' } = outcome as Extract<BuildOutcome, { status: 'failed' }>;
    expect(hint).toContain('BM is a tunable, and tunables are macros (-DBM=64)');
    expect(hint).toContain(`${file}:1`);
  });

  it('keeps that hint to itself where another error stopped the build', async () => {
    await project.write('kernels/add.cpp', '#if BM == 64\n#endif\nint x = nothing;\n');
    const outcome = await build(project.job({ defines: { BM: 64 } }));
    expect(outcome).not.toHaveProperty('hint');
  });

  it('compiles sources of a group as one file, in their order, and sees a change in each of them', async () => {
    const sources = ['kernels/first.cpp', 'kernels/second.cpp'].map((name) => project.path(name));
    await project.write('kernels/first.cpp', 'static int value() { return 1; }\n');
    await project.write(
      'kernels/second.cpp',
      '#include "pawl_kernel.h"\nPAWL_EXPORT int pawl_run(const pawl_call *) { return value(); }\n',
    );
    expect(await build(project.job({ sources }))).toMatchObject({
      status: 'failed',
      reason: 'compile-error',
    });
    const job = project.job({ sources, together: [sources] });
    const first = built(await build(job));
    expect(first.commands).toHaveLength(2);
    expect(await build(job)).toMatchObject({ status: 'cached', sha256: first.sha256 });
    await project.write('kernels/first.cpp', 'static int value() { return 2; }\n');
    const second = built(await build(job));
    expect([second.status, second.sha256 === first.sha256]).toEqual(['built', false]);
  });

  it('answers from the cache without running the compiler', async () => {
    const runs = project.path('runs');
    const env = plainEnv({
      CXX: await project.script('logging-g++', `echo "$1" >> ${runs}\nexec g++ "$@"`),
    });
    const first = built(await build(project.job(), { env }));
    const runsOfFirst = await readFile(runs, 'utf8');
    const second = built(await build(project.job(), { env }));
    expect(second).toMatchObject({ status: 'cached', artifact: first.artifact, sha256: first.sha256 });
    expect(second.key).toBe(first.key);
    expect(await readFile(runs, 'utf8')).toBe(runsOfFirst);
  });

  it('rebuilds after a change in a header that a header includes, and finds the old build again', async () => {
    const first = built(await build(project.job()));
    await project.write('include/inner/value.h', '#define VALUE 2\n');
    const second = built(await build(project.job()));
    expect(second.status).toBe('built');
    expect(second.sha256).not.toBe(first.sha256);
    await project.write('include/inner/value.h', '#define VALUE 1\n');
    expect(await build(project.job())).toMatchObject({ status: 'cached', sha256: first.sha256 });
  });

  it('rebuilds when a header appears that comes before the one that was included', async () => {
    const first = built(await build(project.job()));
    await project.write('kernels/offset.h', '#define OFFSET 7\n');
    const second = built(await build(project.job()));
    expect(second.status).toBe('built');
    expect(second.sha256).not.toBe(first.sha256);
  });

  it('does not rebuild when files are touched or the project moves', async () => {
    const first = built(await build(project.job({ flags: [`-I${project.path('include/inner')}`] })));
    const later = new Date(Date.now() + 1000);
    await utimes(project.path('kernels/add.cpp'), later, later);
    await utimes(project.path('include/offset.h'), later, later);
    const touched = await build(project.job({ flags: [`-I${project.path('include/inner')}`] }));
    expect(touched.status).toBe('cached');

    const other = await Project.create({});
    try {
      await cp(project.root, other.root, { recursive: true });
      await rm(project.root, { recursive: true });
      const [moved] = await buildAll([other.job({ flags: [`-I${other.path('include/inner')}`] })], {
        root: other.root,
        env: plainEnv(),
      });
      expect(moved).toMatchObject({ status: 'cached', sha256: first.sha256 });
      expect(built(moved).artifact.startsWith(other.root)).toBe(true);
    } finally {
      await other.remove();
    }
  });

  it.each([
    ['a source', {}, { 'kernels/add.cpp': `${ADD_FILES['kernels/add.cpp']}\nint more;\n` }],
    ['a flag', { flags: ['-O1'] }, {}],
    ['a define', { defines: { STEP: 4 } }, {}],
    ['a link flag', { links: ['-Wl,-z,now'] }, {}],
    ['-march=native', { flags: ['-march=native'] }, {}],
  ])('rebuilds after a change of %s', async (_what, changes, files) => {
    const first = built(await build(project.job()));
    for (const [name, text] of Object.entries(files)) await project.write(name, text);
    const second = built(await build(project.job(changes)));
    expect(second.status).toBe('built');
    expect(second.key).not.toBe(first.key);
  });

  it('rebuilds when a library that the links name has changed', async () => {
    const job = project.job({ links: ['-Llib', '-lplus'] });
    const library = async (value: number) => {
      await project.write('plus.c', `int plus(void) { return ${value}; }\n`);
      await mkdir(project.path('lib'), { recursive: true });
      const run = promisify(execFile);
      await run('gcc', ['-fPIC', '-c', 'plus.c', '-o', 'plus.o'], { cwd: project.root });
      await run('ar', ['rcs', 'lib/libplus.a', 'plus.o'], { cwd: project.root });
    };
    await library(1);
    expect((await build(job)).status).toBe('built');
    expect((await build(job)).status).toBe('cached');
    await library(2);
    expect((await build(job)).status).toBe('built');
  });

  it('turns tunables into macros: booleans into 1 and 0, strings as they are', async () => {
    await project.write(
      'kernels/add.cpp',
      `#include "pawl_kernel.h"
static_assert(BLOCK == 32 && FAST == 1 && SLOW == 0);
int twice(int x);
int NAME(int x) { return 2 * x; }
PAWL_EXPORT int pawl_run(const pawl_call *) { return twice(3) + (RATE > 0.25); }
`,
    );
    const defines = { BLOCK: 32, FAST: true, SLOW: false, NAME: 'twice', RATE: 0.5 };
    expect((await build(project.job({ defines }))).status).toBe('built');
    const { SLOW: _slow, RATE: _rate, ...rest } = defines;
    const reordered = { RATE: 0.5, SLOW: false, ...rest };
    expect((await build(project.job({ defines: reordered }))).status).toBe('cached');
  });

  it('builds several sources of the same name, in C too, into a program', async () => {
    await project.write('a/part.c', 'int other(void);\nint main(void) { return other(); }\n');
    await project.write('b/part.c', 'int other(void) { return 3; }\n');
    const outcome = built(
      await build(
        project.job({
          name: 'three',
          language: 'c',
          output: 'executable',
          sources: [project.path('a/part.c'), project.path('b/part.c')],
        }),
      ),
    );
    expect(outcome.artifact.endsWith('/three')).toBe(true);
    await expect(promisify(execFile)(outcome.artifact)).rejects.toMatchObject({ code: 3 });
  });

  it('returns the compiler’s first error as a value', async () => {
    await project.write('kernels/add.cpp', '#include <cstdio>\nint f() { return missing_name; }\n');
    expect(await build(project.job())).toMatchObject({
      status: 'failed',
      reason: 'compile-error',
      message: expect.stringMatching(/^kernels\/add\.cpp:2:\d+: error: .missing_name. was not declared/),
      log: expect.stringContaining('missing_name'),
    });
  });

  it.each([
    ['kill -KILL $$', /killed by SIGKILL/],
    ['echo "fatal error: error writing to x.s: No space left on device" >&2; exit 1', /No space left/],
  ])('does not blame the source where the compiler does: %s', async (end, message) => {
    const compiler = join(project.root, 'c++');
    await writeFile(compiler, `#!/bin/bash\ncase " $* " in *" -c "*) ${end};; esac\nexec c++ "$@"\n`);
    await chmod(compiler, 0o755);
    const env = plainEnv({ CXX: compiler });
    expect(await build(project.job(), { env })).toMatchObject({
      reason: 'out-of-resources',
      message: expect.stringMatching(message),
    });
  });

  it('says where to add the folder of a header that is not found', async () => {
    const outcome = await build(project.job({ includeDirs: [] }));
    expect(outcome).toMatchObject({
      reason: 'compile-error',
      message: expect.stringContaining('offset.h'),
      hint: expect.stringContaining('include_dirs'),
    });
  });

  it('does not leave a missing symbol for the runner to find', async () => {
    await project.write(
      'kernels/add.cpp',
      `#include "pawl_kernel.h"
int elsewhere();
PAWL_EXPORT int pawl_run(const pawl_call *) { return elsewhere(); }
`,
    );
    expect(await build(project.job())).toMatchObject({
      reason: 'compile-error',
      message: expect.stringContaining('undefined reference to `elsewhere()'),
      hint: expect.stringContaining('links'),
    });
  });

  it('says which source is missing', async () => {
    const outcome = await build(project.job({ sources: [project.path('kernels/sub.cpp')] }));
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: 'source-missing',
      message: 'kernels/sub.cpp does not exist.',
    });
  });

  it('says so when there is no compiler, or CXX names none, or it does not run', async () => {
    expect(await build(project.job(), { env: { PATH: project.path('empty') } })).toMatchObject({
      reason: 'compiler-missing',
      message: expect.stringContaining('g++, clang++'),
      hint: expect.stringContaining('pawl doctor'),
    });
    expect(await build(project.job(), { env: plainEnv({ CXX: 'no-such-g++ -m64' }) })).toMatchObject({
      reason: 'compiler-missing',
      message: expect.stringContaining('"no-such-g++ -m64"'),
    });
    const broken = await project.script('broken-g++', 'exit 1');
    expect(await build(project.job(), { env: plainEnv({ CXX: broken }) })).toMatchObject({
      reason: 'compiler-missing',
      message: expect.stringContaining('--version'),
    });
  });

  it('uses the arguments in CXX, and another compiler makes another build', async () => {
    const first = built(await build(project.job()));
    const second = built(await build(project.job(), { env: plainEnv({ CXX: 'g++ -DSTEP=9' }) }));
    expect(second.sha256).not.toBe(first.sha256);
    const patched = await project.script(
      'patched-g++',
      'if [ "$1" = --version ]; then echo "g++ (patched) 12.9.9"; exit 0; fi\nexec g++ "$@"',
    );
    const third = built(await build(project.job(), { env: plainEnv({ CXX: patched }) }));
    expect(third.status).toBe('built');
    expect(third.compiler.version).toBe('12.9.9');
  });

  it('ends a compiler that takes too long, and one whose build is cancelled', async () => {
    const slow = await project.script(
      'slow-g++',
      'if [ "$1" = --version ]; then exec g++ --version; fi\nsleep 600',
    );
    const env = plainEnv({ CXX: slow });
    expect(await build(project.job(), { env, timeout_ms: 200 })).toMatchObject({
      reason: 'timed-out',
      message: 'slow-g++ was stopped after 0.2 s.',
    });
    const abort = new AbortController();
    const onProgress = (progress: Progress) => {
      if (progress.type === 'step' && progress.detail === 'compiling') abort.abort();
    };
    expect(await build(project.job(), { env, signal: abort.signal, onProgress })).toMatchObject({
      reason: 'cancelled',
    });
    expect(await readdir(project.path('.pawl/cache/build/tmp'))).toEqual([]);
  });

  it('uses an optional flag where the compiler can link with it, and leaves it out elsewhere', async () => {
    const job = project.job({ optionalFlags: ['-fopenmp', '-fno-such-flag-at-all'] });
    const first = built(await build(job));
    expect(first.flags).toEqual(['-fopenmp']);
    expect(first.commands[0]).toContain('-fopenmp');
    expect(await build(job)).toMatchObject({ status: 'cached', flags: ['-fopenmp'] });
  });

  it('shows the commands of a dry run, runs none and writes nothing', async () => {
    const job = project.job({ defines: { STEP: 2 }, flags: ['-O1'] });
    const outcome = await build(job, { dryRun: true });
    expect(outcome).toMatchObject({ status: 'planned', cached: false });
    const [compile, link] = outcome.commands;
    expect(compile).toEqual(expect.arrayContaining(['-DSTEP=2', '-Iinclude', '-c', 'kernels/add.cpp']));
    // The job's own -O1 comes after the default, so that it wins.
    expect(compile?.indexOf('-O1')).toBeGreaterThan(compile?.indexOf('-O3') ?? Infinity);
    expect(link).toContain('-shared');
    await expect(access(project.path('.pawl'))).rejects.toThrow('ENOENT');
    await build(job);
    expect(await build(job, { dryRun: true })).toMatchObject({ status: 'planned', cached: true });
  });

  it('keeps the order of jobs, builds equal ones once and tells how far it is', async () => {
    const runs = project.path('runs');
    const env = plainEnv({ CXX: await project.script('logging-g++', `echo "$@" >> ${runs}\nexec g++ "$@"`) });
    const told: Progress[] = [];
    const bad = project.job({ name: 'bad', flags: ['-fno-such-flag-at-all'] });
    const outcomes = await buildAll(
      [
        project.job({ name: 'one' }),
        bad,
        project.job({ name: 'two' }),
        project.job({ defines: { STEP: 5 } }),
      ],
      { root: project.root, env, parallel: 2, onProgress: (progress) => told.push(progress) },
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['built', 'failed', 'built', 'built']);
    expect(built(outcomes[0]).artifact).toBe(built(outcomes[2]).artifact);
    const compiles = (await readFile(runs, 'utf8')).split('\n').filter((line) => / -c /.test(line));
    expect(compiles.filter((line) => !/no-such|STEP/.test(line))).toHaveLength(1);
    expect(told[0]).toEqual({ type: 'started', title: 'building', total: 4 });
    expect(told.at(-1)).toEqual({ type: 'finished' });
    expect(told.findLast(({ type }) => type === 'step')).toMatchObject({ done: 4 });
  });

  it('runs no more compilers at a time than it may', async () => {
    const counting = await project.script(
      'counting-g++',
      `if [ "$1" = --version ]; then exec g++ --version; fi
touch ${project.path('now')}.$$
ls ${project.root} | grep -c '^now' >> ${project.path('counts')}
sleep 0.05
rm ${project.path('now')}.$$
exec g++ "$@"`,
    );
    const jobs = [1, 2, 3, 4].map((step) => project.job({ defines: { STEP: step } }));
    await buildAll(jobs, { root: project.root, env: plainEnv({ CXX: counting }), parallel: 1 });
    const counts = (await readFile(project.path('counts'), 'utf8')).trim().split('\n');
    expect(counts).toEqual(Array.from({ length: 8 }, () => '1'));
  });

  it('puts ccache before the compiler but not before the linker, unless it is switched off', async () => {
    await mkdir(project.path('bin'));
    const log = project.path('ccache-runs');
    // Stands for the real one, which is not on every machine: passes on what it is given.
    await project.script('bin/ccache', `echo "$CCACHE_BASEDIR $@" >> ${log}\nexec "$@"`);
    const PATH = `${project.path('bin')}:${process.env.PATH}`;
    const off = built(await build(project.job(), { env: plainEnv({ PATH }) }));
    expect(off.ccache).toBe(false);
    const job = project.job({ defines: { STEP: 1 } });
    const on = built(await build(job, { env: plainEnv({ PATH, PAWL_CCACHE: '1' }) }));
    expect(on.ccache).toBe(true);
    const runs = (await readFile(log, 'utf8')).trim().split('\n');
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatch(new RegExp(`^${project.root} .*g\\+\\+ .* -c kernels/add.cpp `));
  });

  it('keeps builds where PAWL_CACHE_DIR says', async () => {
    const elsewhere = project.path('elsewhere');
    const outcome = built(await build(project.job(), { env: plainEnv({ PAWL_CACHE_DIR: elsewhere }) }));
    expect(outcome.artifact.startsWith(join(elsewhere, 'build'))).toBe(true);
    await expect(access(project.path('.pawl'))).rejects.toThrow('ENOENT');
  });

  it('throws a PawlError with a remedy where the cache cannot be written', async () => {
    await project.write('file', '');
    const env = plainEnv({ PAWL_CACHE_DIR: project.path('file/cache') });
    await expect(build(project.job(), { env })).rejects.toMatchObject({
      name: 'PawlError',
      hint: expect.stringContaining('PAWL_CACHE_DIR'),
    });
  });

  it('builds again when a header changes while the compiler runs, and keeps no wrong entry', async () => {
    const changing = await project.script(
      'changing-g++',
      `if [ "$1" = --version ]; then exec g++ --version; fi
case " $* " in *" -c "*) ;; *) exec g++ "$@" ;; esac
g++ "$@" || exit 1
if [ ! -e ${project.path('done')} ]; then
  touch ${project.path('done')}
  sleep 0.02
  echo '#define VALUE 5' > ${project.path('include/inner/value.h')}
fi`,
    );
    const outcome = built(await build(project.job(), { env: plainEnv({ CXX: changing }) }));
    await project.write('include/inner/value.h', '#define VALUE 5\n');
    const { stdout } = await promisify(execFile)('python3', [
      '-c',
      'import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).pawl_run(None))',
      outcome.artifact,
    ]);
    expect(stdout.trim()).toBe('5');
  });
});
