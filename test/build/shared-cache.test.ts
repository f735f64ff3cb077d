import { execFile, spawn } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { buildAll } from '../../src/build/build-all.ts';
import type { BuildOutcome } from '../../src/build/build-job.ts';
import { ADD_FILES, Project, built, plainEnv } from './project.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** The build station as JavaScript, for processes of their own; below node_modules, so that imports resolve. */
let compiled: string;
let project: Project;

beforeAll(async () => {
  const parent = join(repository, 'node_modules', '.cache');
  await mkdir(parent, { recursive: true });
  compiled = await mkdtemp(join(parent, 'pawl-build-test-'));
  const config = {
    extends: join(repository, 'tsconfig.build.json'),
    compilerOptions: { rootDir: join(repository, 'src'), outDir: compiled, declaration: false },
    include: [],
    files: [join(repository, 'src/build/build-all.ts')],
  };
  await writeFile(join(compiled, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(
    join(compiled, 'one.js'),
    `import { buildAll } from './build/build-all.js';
const { job, root } = JSON.parse(process.argv[2]);
process.stdout.write(JSON.stringify(await buildAll([job], { root })));
`,
  );
  const tsc = join(repository, 'node_modules', '.bin', 'tsc');
  await promisify(execFile)(tsc, ['-p', join(compiled, 'tsconfig.json')]);
});
afterAll(async () => {
  await rm(compiled, { recursive: true, force: true });
});
beforeEach(async () => {
  project = await Project.create(ADD_FILES);
});
afterEach(async () => {
  await project.remove();
});

function otherProcess(CXX: string, more: NodeJS.ProcessEnv = {}) {
  const input = JSON.stringify({ job: project.job(), root: project.root });
  return spawn(process.execPath, [join(compiled, 'one.js'), input], {
    env: plainEnv({ CXX, ...more }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function outcomeOf(child: ReturnType<typeof otherProcess>): Promise<BuildOutcome> {
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => child.once('close', resolve));
  const outcomes = JSON.parse(Buffer.concat(chunks).toString()) as [BuildOutcome];
  return outcomes[0];
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error('the condition never became true');
}

/** Folders of entries, by the marks of the layout: `<two digits>/<key>/<contents>`. */
async function entries(): Promise<string[]> {
  const cache = project.path('.pawl/cache/build');
  const files = await readdir(cache, { recursive: true });
  return files.filter((file) => file.endsWith('/entry.json') && !file.startsWith('tmp/'));
}

async function build(now_ms: () => number = Date.now): Promise<BuildOutcome | undefined> {
  const [outcome] = await buildAll([project.job()], { root: project.root, env: plainEnv(), now_ms });
  return outcome;
}

describe('the build cache between processes', () => {
  it('has one of two processes compile, and the other wait for it', async () => {
    const started = project.path('started');
    const slow = await project.script(
      'slow-g++',
      `if [ "$1" = --version ]; then exec g++ --version; fi
case " $* " in *" -c "*) echo $$ >> ${started}; sleep 2;; esac
exec g++ "$@"`,
    );
    const outcomes = await Promise.all([otherProcess(slow), otherProcess(slow)].map(outcomeOf));
    expect(outcomes.map((outcome) => built(outcome)?.status).toSorted()).toEqual(['built', 'cached']);
    expect((await readFile(started, 'utf8')).trim().split('\n')).toHaveLength(1);
  });

  it('keeps one entry when two processes that do not know of each other build the same thing at the same moment', async () => {
    const meeting = project.path('meeting');
    await mkdir(meeting);
    await mkdir(project.path('.pawl/cache'), { recursive: true });
    // Each compile waits for the other's: both processes have missed the cache before either fills it.
    const meet = await project.script(
      'meeting-g++',
      `if [ "$1" = --version ]; then exec g++ --version; fi
case " $* " in *" -c "*) touch ${meeting}/$$; while [ "$(ls ${meeting} | wc -l)" -lt 2 ]; do sleep 0.02; done;; esac
exec g++ "$@"`,
    );
    // As two containers do that have one folder under two names.
    await symlink(project.path('.pawl/cache'), project.path('elsewhere'));
    const apart = [otherProcess(meet), otherProcess(meet, { PAWL_CACHE_DIR: project.path('elsewhere') })];
    const outcomes = await Promise.all(apart.map(outcomeOf));
    const [first, second] = outcomes.map(built);
    expect([first?.status, second?.status]).toEqual(['built', 'built']);
    expect(await realpath(first!.artifact)).toBe(await realpath(second!.artifact));
    expect(first?.sha256).toBe(second?.sha256);
    expect(await entries()).toHaveLength(1);
    expect(await readdir(project.path('.pawl/cache/build/tmp'))).toEqual([]);
  });

  it('survives a process killed in the middle of a build, and sweeps up after it a day later', async () => {
    const slow = await project.script(
      'slow-g++',
      `if [ "$1" = --version ]; then exec g++ --version; fi
echo $$ > ${project.path('pid')}
exec sleep 600`,
    );
    const child = otherProcess(slow);
    const ended = new Promise((resolve) => child.once('close', resolve));
    let compiler = 0;
    await until(async () => {
      compiler = Number(await readFile(project.path('pid'), 'utf8').catch(() => '0'));
      return compiler > 0;
    });
    child.kill('SIGKILL');
    await ended;
    // Nobody is left to end the compiler; a real one ends by itself.
    process.kill(compiler, 'SIGKILL');

    const left = await readdir(project.path('.pawl/cache/build/tmp'));
    expect(left).toHaveLength(1);
    expect(await entries()).toEqual([]);
    expect((await build())?.status).toBe('built');
    expect(await readdir(project.path('.pawl/cache/build/tmp'))).toEqual(left);

    await project.write('include/inner/value.h', '#define VALUE 9\n');
    const inTwoDays = () => Date.now() + 2 * 24 * 3600 * 1000;
    expect((await build(inTwoDays))?.status).toBe('built');
    expect(await readdir(project.path('.pawl/cache/build/tmp'))).toEqual([]);
  });

  it.each([
    ['cut short', async (artifact: string) => truncate(artifact, 100)],
    ['overwritten', async (artifact: string) => writeFile(artifact, 'not a library')],
    ['removed', async (artifact: string) => rm(artifact)],
    ['without its record', async (artifact: string) => rm(join(dirname(artifact), 'entry.json'))],
    [
      'with a garbled record',
      async (artifact: string) => writeFile(join(dirname(artifact), 'entry.json'), '{"a'),
    ],
  ])('builds anew where an artifact is %s', async (_how, damage) => {
    const first = built(await build());
    await damage(first.artifact);
    const second = built(await build());
    expect(second.status).toBe('built');
    expect(second.artifact).toBe(first.artifact);
    expect((await build())?.status).toBe('cached');
    expect(await readdir(project.path('.pawl/cache/build/tmp'))).toEqual([]);
  });

  it('asks a compiler for its version again when the program was exchanged', async () => {
    const asked = project.path('asked');
    const lines = `if [ "$1" = --version ]; then echo asked >> ${asked}; fi\nexec g++ "$@"`;
    const CXX = await project.script('my-g++', lines);
    const env = plainEnv({ CXX });
    const builds = async () => buildAll([project.job()], { root: project.root, env });
    const count = async () => (await readFile(asked, 'utf8')).trim().split('\n').length;
    await builds();
    await builds();
    expect(await count()).toBe(1);
    await project.script('my-g++', `# another\n${lines}`);
    expect((await builds())[0]?.status).toBe('built');
    expect(await count()).toBe(2);
    const later = new Date(Date.now() + 5000);
    await utimes(CXX, later, later);
    expect((await builds())[0]?.status).toBe('cached');
  });
});
