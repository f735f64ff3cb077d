import { execFile } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { temporaryFolder } from './temporary-folder.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

/**
 * Compiles files of src/ as the package does, so that a test can start (and kill) a real Node process that
 * runs them: Node 20 does not read TypeScript. Returns the folder that stands for src/.
 */
export async function compileModules(...files: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  await copyFile(join(REPOSITORY, 'package.json'), join(folder, 'package.json'));
  const config = {
    extends: join(REPOSITORY, 'tsconfig.json'),
    // Types are checked by `make check`.
    compilerOptions: { noEmit: false, noCheck: true, rootDir: REPOSITORY, outDir: folder },
    files: files.map((file) => join(REPOSITORY, 'src', file)),
    include: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(REPOSITORY, 'node_modules/.bin/tsc');
  await new Promise<void>((done, failed) => {
    execFile(tsc, ['-p', folder], (error, stdout) => {
      if (error === null) done();
      else failed(new Error(stdout, { cause: error }));
    });
  });
  return join(folder, 'src');
}
