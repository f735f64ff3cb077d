import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { COMMANDS } from '../../src/cli/commands.ts';
import { stageBundle } from '../../src/workflows/bundle/stage-bundle.ts';

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, '../..');
const signal = new AbortController().signal;

let folder: string;

/** Bundles are staged and not packed: compressing takes a minute and shows nothing more. */
async function staged(name: string, options: { platform?: 'linux-x64' | 'linux-arm64'; node?: string } = {}) {
  const inside = join(folder, name, 'pawl');
  const scratch = join(folder, `${name}-scratch`);
  await mkdir(scratch);
  await stageBundle({ inside, scratch, signal, ...options });
  return inside;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-bundle-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a bundle', () => {
  let inside: string;
  let project: string;

  beforeAll(async () => {
    inside = await staged('here');
    project = join(folder, 'project');
    await mkdir(project);
  });

  /** As on a host without Node: nothing of this machine's is found by name but the shell's own tools. */
  async function pawl(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(join(inside, 'bin/pawl'), args, {
      cwd: project,
      env: { PATH: '/usr/bin:/bin', HOME: folder },
      maxBuffer: 1 << 26,
    });
    return stdout;
  }

  it('has every file that the package has', async () => {
    const { files } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
      files: string[];
    };
    for (const file of files.filter((one) => !one.startsWith('!'))) {
      await expect(readdir(join(inside, file, '..')), file).resolves.toContain(file.split('/').at(-1));
    }
  });

  it.each(COMMANDS.map(({ name }) => name))('has the command %s', async (name) => {
    expect(await pawl(name, '--help')).toContain(`Usage: pawl ${name}`);
  });

  it('writes a project, keeps a history and shows it', async () => {
    await pawl('init', '--device', 'cpu');
    const series = [{ process: 1, samples_ms: [1, 1.01, 1.02] }];
    const samples = { schema: 'pawl.samples/1', measurements: [{ kernel: 'k', case: 'small', series }] };
    await writeFile(join(project, 'samples.json'), JSON.stringify(samples));
    expect(await pawl('history', 'import', 'samples.json')).toContain('1 stored');
    expect(JSON.parse(await pawl('history', '--json'))).toMatchObject({ items: [{ kind: 'import' }] });
    expect(await pawl('trend', '--json')).toContain('pawl.trend-report/1');
    await pawl('report', '--html', 'report.html');
    expect(await readFile(join(project, 'report.html'), 'utf8')).toMatch(/<script/);
  });

  it('knows the method and its lessons', async () => {
    const { lessons } = JSON.parse(await pawl('lessons', '--json')) as { lessons: unknown[] };
    expect(lessons.length).toBeGreaterThan(30);
  });

  it('is imported as a package, with the packages below its packages', async () => {
    const program = `import('${join(inside, 'dist/index.js')}').then((pawl) => console.log(typeof pawl.bench));
      for (const name of ['pg', 'libsql']) require('module').createRequire('${inside}/package.json')(name);`;
    const { stdout } = await run(join(inside, 'node'), ['-e', program], { cwd: folder, env: {} });
    expect(stdout.trim()).toBe('function');
  });
});

describe('a bundle for another processor', () => {
  const other = process.arch === 'arm64' ? 'linux-x64' : 'linux-arm64';
  const machine = other === 'linux-x64' ? 62 : 183;

  async function nodeFor(elfMachine: number): Promise<string> {
    const header = Buffer.alloc(64);
    header.write('\u007FELF', 'latin1');
    header.writeUInt16LE(elfMachine, 18);
    const file = join(folder, `node-${elfMachine}`);
    await writeFile(file, header);
    return file;
  }

  it('has native packages and the Node of that processor, and none of this one', async () => {
    // In the place of npm and its registry: packs an empty package of the name that was asked for.
    const tools = join(folder, 'tools');
    await mkdir(join(tools, 'package'), { recursive: true });
    await writeFile(
      join(tools, 'npm'),
      `#!/bin/sh\necho "{\\"asked\\": \\"$2\\"}" > ${tools}/package/package.json\ntar -C ${tools} -czf "$5/it.tgz" package\n`,
    );
    await chmod(join(tools, 'npm'), 0o755);
    vi.stubEnv('PATH', `${tools}${delimiter}${process.env['PATH']}`);
    const inside = await staged('other', { platform: other, node: await nodeFor(machine) });
    vi.unstubAllEnvs();
    expect(await readdir(join(inside, 'node_modules/@libsql'))).toEqual([`${other}-gnu`]);
    const fetched = await readFile(join(inside, `node_modules/@libsql/${other}-gnu/package.json`), 'utf8');
    expect(fetched).toMatch(new RegExp(`@libsql/${other}-gnu@\\d`));
    expect(await readFile(join(inside, 'node'))).toEqual(await readFile(await nodeFor(machine)));
  });

  it('refuses a Node that would not start there', async () => {
    const node = await nodeFor(machine === 62 ? 183 : 62);
    await expect(staged('wrong', { platform: other, node })).rejects.toThrow(
      `is not a Node for ${other}, but for`,
    );
    await writeFile(join(folder, 'text'), 'no program');
    await expect(staged('text-bundle', { platform: other, node: join(folder, 'text') })).rejects.toThrow(
      'is not a Node',
    );
  });
});
