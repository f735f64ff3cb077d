import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

import { ownHint, PawlError } from '../model/pawl-error.ts';
import { checkConfig } from './check-config.ts';
import { mistakesError } from './mistake.ts';
import type { CaseDims } from './problem-schema.ts';
import { configSchema } from './schema.ts';
import type { Config } from './schema.ts';
import { placeMistakes, readYaml } from './yaml-file.ts';

export const CONFIG_FILE = 'pawl.yaml';

/** Whose word counts on what is right, where it is not this project's own (see under-judge.ts). */
interface ForeignJudge {
  /** The project whose oracles these are. */
  readonly root: string;
  readonly kernels: ReadonlyMap<string, JudgedKernel>;
}

export interface JudgedKernel {
  /** Where the oracle's headers are looked for, absolute; absent where the oracle is the project's own. */
  readonly includeDirs?: readonly string[];
  readonly cases: ReadonlyMap<string, CaseDims>;
  /** What a case is called here, by what it is called in the project. */
  readonly renamed: ReadonlyMap<string, string>;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The file, absolute. */
  readonly path: string;
  /** The folder of the file, absolute: what paths in it are relative to. */
  readonly root: string;
  readonly judge?: ForeignJudge;
}

/** Far above any file a person writes. */
const MAX_BYTES = 1_000_000;

const INIT_HINT = ownHint(
  '`pawl init` writes one with an example kernel; `--config FILE` names another.',
  'init',
);

/**
 * Reads and checks pawl.yaml.
 *
 * @param path the file, or the folder it is in; by default the nearest one at or above `cwd`
 * @throws {PawlError} of kind `configuration`, with one line for every mistake
 */
export async function loadConfig(path?: string, cwd: string = process.cwd()): Promise<LoadedConfig> {
  const file = path === undefined ? await nearestFile(cwd) : await fileAt(resolve(cwd, path));
  const root = dirname(file);
  const label = labelOf(file, cwd);
  const yaml = readYaml(await readText(file, label));
  if (!yaml.usable) throw mistakesError(label, yaml.mistakes);
  if (yaml.value === null || typeof yaml.value !== 'object' || Array.isArray(yaml.value)) {
    const found = yaml.value === null ? 'the file is empty' : 'the file is not a mapping';
    const text = `${found}; expected \`version: 1\`, \`problems\` and \`kernels\``;
    throw mistakesError(label, [{ ...yaml.locate([], 'value', 0), text }]);
  }
  const mistakes = [...yaml.mistakes, ...placeMistakes(await checkConfig(yaml.value, root), yaml)];
  if (mistakes.length > 0) throw mistakesError(label, mistakes);
  return { config: configSchema.parse(yaml.value), path: file, root };
}

/** The nearest pawl.yaml at or above a folder. */
export async function findConfig(cwd: string): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, CONFIG_FILE);
    if ((await statOf(file))?.isFile() === true) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

async function nearestFile(cwd: string): Promise<string> {
  const file = await findConfig(cwd);
  if (file !== undefined) return file;
  throw new PawlError('configuration', `No ${CONFIG_FILE} in ${resolve(cwd)} or above it.`, INIT_HINT);
}

async function fileAt(path: string): Promise<string> {
  const found = await statOf(path);
  const file = found?.isDirectory() === true ? join(path, CONFIG_FILE) : path;
  if ((await statOf(file)) === undefined) {
    throw new PawlError('configuration', `There is no ${file}.`, INIT_HINT);
  }
  return file;
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES') throw new PawlError('permission', `${path} cannot be reached: permission denied.`);
    throw error;
  }
}

async function readText(file: string, label: string): Promise<string> {
  const found = await statOf(file);
  if (found?.isFile() !== true) throw new PawlError('configuration', `${label} is not a file.`, INIT_HINT);
  if (found.size > MAX_BYTES) {
    throw new PawlError('configuration', `${label} has ${found.size} bytes; at most ${MAX_BYTES} are read.`);
  }
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new PawlError('permission', `${label} cannot be read: permission denied.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PawlError('configuration', `${label} is not UTF-8 text.`, 'Save it as UTF-8.');
  }
}

/** Relative where that is shorter to read, as editors and terminals make such places clickable. */
function labelOf(file: string, cwd: string): string {
  const label = relative(resolve(cwd), file);
  return label.startsWith('..') ? file : label;
}
