import { join, resolve } from 'node:path';

import { CONFIG_FILE } from '../config/find-config.ts';
import { listGpus } from '../device/gpus.ts';
import { askGit } from '../os/git/run-git.ts';
import { PawlError } from '../model/pawl-error.ts';
import { projectFiles } from '../scaffold/project-files.ts';
import type { Template } from '../scaffold/template.ts';
import { ignoreResults, readIfThere, write } from '../scaffold/project-folder.ts';
import { schemaPath } from '../scaffold/schema-path.ts';

/** Where the project goes, and the language and device of its example. */
export interface InitOptions {
  readonly directory: string;
  /** `auto`: CUDA where there is an NVIDIA GPU. */
  readonly device: 'cpu' | 'cuda' | 'auto';
  /** The language of the example; default: C++ or CUDA, by the device. */
  readonly template?: Template;
  /** Overwrite existing files. */
  readonly force: boolean;
}

/** What `initProject` wrote and kept. Paths are relative to the folder. */
export interface InitResult {
  readonly device: 'cpu' | 'cuda';
  readonly template: Template;
  readonly written: string[];
  readonly kept: string[];
}

/**
 * Writes a first project: pawl.yaml, an example kernel with its oracle, and a line in .gitignore. Files that exist are
 * kept unless `force` is set.
 *
 * @throws {PawlError} of kind `usage` if the template does not run on the device
 */
export async function initProject(options: InitOptions): Promise<InitResult> {
  const root = resolve(options.directory);
  const device = await deviceOf(options);
  const template = options.template ?? device;
  const files = projectFiles(template, device, schemaPath(root));
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
  return { device, template, written, kept };
}

export interface BeginResult extends InitResult {
  /** Whether there is a repository: sessions need one. */
  readonly repository: 'made' | 'there' | 'none';
}

/** The same, with a git repository where that is asked for and none is there. */
export async function beginProject(options: InitOptions & { readonly git: boolean }): Promise<BeginResult> {
  const result = await initProject(options);
  const root = resolve(options.directory);
  if ((await askGit(root, ['rev-parse', '--show-toplevel'])) !== undefined)
    return { ...result, repository: 'there' };
  if (!options.git) return { ...result, repository: 'none' };
  const made = await askGit(root, ['init', '--quiet']);
  if (made === undefined) return { ...result, repository: 'none' };
  return { ...result, repository: 'made' };
}

/** Templates that run on one device only; those in PyTorch run on either. */
const ONLY_ON: Readonly<Partial<Record<Template, 'cpu' | 'cuda'>>> = {
  cpu: 'cpu',
  cuda: 'cuda',
  python: 'cpu',
  triton: 'cuda',
};

async function deviceOf({ device, template }: InitOptions): Promise<'cpu' | 'cuda'> {
  const only = template && ONLY_ON[template];
  if (only !== undefined && device !== 'auto' && device !== only) {
    throw new PawlError(
      'usage',
      `The template ${template} does not run on ${device}.`,
      `Say --device ${only}.`,
    );
  }
  return only ?? (device === 'auto' ? deviceAtHand() : device);
}

async function deviceAtHand(): Promise<'cpu' | 'cuda'> {
  return (await listGpus()).status === 'found' ? 'cuda' : 'cpu';
}
