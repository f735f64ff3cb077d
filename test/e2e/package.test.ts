import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, '../..');
/** What a program needs to import Pawl and no more; these are found where they are already, so no registry is asked. */
const DEPENDENCIES = join(REPOSITORY, 'node_modules');

let folder: string;
let installed: string;

// The build that is here is packed: what `prepack` would build again is what every other end-to-end test runs.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-package-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: REPOSITORY });
  const [archive] = await readdir(folder);
  await run('tar', ['-xzf', archive!], { cwd: folder });
  installed = join(folder, 'project/node_modules/pawl');
  await mkdir(join(folder, 'project/node_modules'), { recursive: true });
  await cp(join(folder, 'package'), installed, { recursive: true });
  for (const name of await runtimePackages()) {
    await mkdir(join(installed, 'node_modules', name, '..'), { recursive: true });
    await symlink(join(DEPENDENCIES, name), join(installed, 'node_modules', name));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runtimePackages(): Promise<string[]> {
  const { dependencies } = (await import(join(REPOSITORY, 'package.json'), { with: { type: 'json' } })) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
}

describe('the packed package', () => {
  it('passes its own check, and is refused where something is missing', async () => {
    const copy = join(folder, 'incomplete');
    await cp(installed, copy, {
      recursive: true,
      filter: (path) => !path.includes('/node_modules/pawl/node_modules'),
    });
    await cp(join(REPOSITORY, 'tools'), join(copy, 'tools'), { recursive: true });
    const check = () => run(process.execPath, ['tools/prepare-package.js', 'check'], { cwd: copy });
    await check();
    await rm(join(copy, 'web/dist'), { recursive: true });
    await expect(check()).rejects.toThrow(/incomplete: web\/dist\/index\.html/);
  });

  it('has a command that runs, and a manual page', async () => {
    const { stdout } = await run(join(installed, 'bin/pawl'), ['lessons', '--json'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'pawl.lessons/1' });
    expect(await readdir(join(installed, 'dist'))).toContain('pawl.1');
  });

  it('is imported by a fresh TypeScript project without further types', async () => {
    const project = join(folder, 'project');
    await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        // No `types`: nothing of Node's may be taken for granted. Declarations of packages are checked, too.
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          types: [],
        },
        files: ['main.ts'],
      }),
    );
    await writeFile(
      join(project, 'main.ts'),
      `import { bench, PawlError, type BenchOptions } from 'pawl';
import { bootstrapMedian } from 'pawl/stats';
const options: BenchOptions = { only: ['attention-cpu'], processes: 5 };
export async function main(): Promise<number> {
  const { samples } = await bench(options);
  const series = samples.measurements[0]?.series[0];
  if (series === undefined) throw new PawlError('internal', 'nothing was measured');
  return bootstrapMedian(series.samples_ms).low;
}
`,
    );
    await run(join(DEPENDENCIES, '.bin/tsc'), ['-p', '.'], { cwd: project }).catch(
      (error: { stdout: string }) => {
        throw new Error(error.stdout);
      },
    );
  });

  it('is imported by a program', async () => {
    const program = "import('pawl').then((pawl) => console.log(typeof pawl.bench, typeof pawl.listLessons))";
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: join(folder, 'project') });
    expect(stdout.trim()).toBe('function function');
  });
});
