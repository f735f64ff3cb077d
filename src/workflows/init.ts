import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

import { makeFolder } from '../os/make-folder.ts';
import { packageRoot } from '../build/package-root.ts';
import { CONFIG_FILE } from '../config/find-config.ts';
import { listGpus } from '../device/gpus.ts';
import { fileFailure } from '../model/file-failure.ts';
import { projectFiles } from './init-templates/project-files.ts';

export interface InitOptions {
  readonly directory: string;
  /** `auto`: CUDA where there is an NVIDIA GPU. */
  readonly device: 'cpu' | 'cuda' | 'auto';
  /** Overwrite what is there. */
  readonly force: boolean;
}

/** Paths below the folder. */
export interface InitResult {
  readonly device: 'cpu' | 'cuda';
  readonly written: string[];
  readonly kept: string[];
}

const SCHEMA = join('docs', 'schemas', 'pawl-yaml.json');
const IGNORED = '.pawl/';

/** Writes a first project: pawl.yaml, an example kernel with its oracle, and a line in .gitignore. */
export async function initProject(options: InitOptions): Promise<InitResult> {
  const root = resolve(options.directory);
  const device = options.device === 'auto' ? await deviceAtHand() : options.device;
  const files = projectFiles(device, schemaPath(root));
  const current = await readIfThere(join(root, CONFIG_FILE));
  const isOurs = current === undefined || files.some(({ text }) => text === current);
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    // Beside a pawl.yaml of the user's own, the example's files would be litter.
    if (!isOurs && !options.force && path !== CONFIG_FILE) continue;
    const existing = await readIfThere(join(root, path));
    if (existing === text || (existing !== undefined && !options.force)) {
      kept.push(path);
      continue;
    }
    await write(join(root, path), text);
    written.push(path);
  }
  const isIgnoreWritten = await ignoreResults(root);
  (isIgnoreWritten ? written : kept).push('.gitignore');
  return { device, written, kept };
}

async function deviceAtHand(): Promise<'cpu' | 'cuda'> {
  return (await listGpus()).status === 'found' ? 'cuda' : 'cpu';
}

/** Where editors find the schema from the project: relative inside Pawl's own folder, else where npm puts it. */
function schemaPath(root: string): string {
  const installed = join('node_modules', 'pawl', SCHEMA);
  const toPackage = relative(root, packageRoot());
  const isInside = toPackage === '' || /^[./\\]+$/.test(toPackage);
  if (existsSync(join(root, installed)) || !isInside) return `./${installed}`;
  return join(toPackage, SCHEMA);
}

/** Whether .gitignore had to be written. Results of runs are not for the repository. */
async function ignoreResults(root: string): Promise<boolean> {
  const path = join(root, '.gitignore');
  const text = (await readIfThere(path)) ?? '';
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (['.pawl', '.pawl/', '/.pawl', '/.pawl/'].some((line) => lines.includes(line))) return false;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await write(path, `${text}${separator}${IGNORED}\n`);
  return true;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileFailure(error) ?? error;
  }
}

async function write(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await writeFile(path, text);
  } catch (error) {
    throw fileFailure(error) ?? error;
  }
}
