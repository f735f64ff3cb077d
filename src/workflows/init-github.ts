/** `pawl init --github`: the workflows of a project, as files in its repository. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { readIfThere } from '../os/read-if-there.ts';
import { packageRoot } from '../build/package-root.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { askGit } from '../os/git/run-git.ts';
import { PawlError } from '../model/pawl-error.ts';
import { kernelPaths } from '../scaffold/kernel-paths.ts';
import { autotuneWorkflow } from '../scaffold/github-autotune.ts';
import { publishWorkflow } from '../scaffold/github-publish.ts';
import { PULL_REQUEST_TEMPLATE } from '../scaffold/github-pull-request.ts';
import { ratchetWorkflow } from '../scaffold/github-ratchet.ts';
import type { GitHubSettings } from '../scaffold/github-settings.ts';
import type { ProjectFile } from '../scaffold/project-files.ts';

/** The project, and the runner and the action that its workflows use. */
export interface InitGitHubOptions {
  /** The folder of pawl.yaml. */
  readonly directory: string;
  /** Labels of the runner that measures; default: by the devices of the kernels. */
  readonly runner?: readonly string[];
  /** `owner/name@ref` of the action; default: where this Pawl comes from. */
  readonly action?: string;
  readonly defaultBranch?: string;
  readonly force: boolean;
  /** Say what would be written, and write nothing. */
  readonly dryRun: boolean;
}

/** What `initGitHub` wrote and kept. Paths are relative to `top`, the root of the repository. */
export interface InitGitHubResult {
  readonly top: string;
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly settings: GitHubSettings;
  readonly files: readonly ProjectFile[];
}

/**
 * Writes GitHub workflows for a project: one that checks pull requests, one that publishes the report, and one that
 * tunes on demand. Files that exist are kept unless `force` is set.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if a label, branch or action is
 * not valid
 */
export async function initGitHub(options: InitGitHubOptions): Promise<InitGitHubResult> {
  const loaded = await loadConfig(resolve(options.directory));
  const top = (await askGit(loaded.root, ['rev-parse', '--show-toplevel'])) ?? loaded.root;
  const settings = await settingsOf(options, loaded, top);
  const files = [
    { path: '.github/workflows/pawl.yml', text: ratchetWorkflow(settings) },
    { path: '.github/workflows/pawl-publish.yml', text: publishWorkflow(settings) },
    { path: '.github/workflows/pawl-autotune.yml', text: autotuneWorkflow(settings) },
    { path: '.github/pull_request_template.md', text: PULL_REQUEST_TEMPLATE },
  ];
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const existing = await readIfThere(join(top, path));
    if (existing === text || (existing !== undefined && !options.force)) {
      kept.push(path);
      continue;
    }
    if (!options.dryRun) {
      await mkdir(dirname(join(top, path)), { recursive: true });
      await writeFile(join(top, path), text);
    }
    written.push(path);
  }
  return { top, written, kept, settings, files };
}

async function settingsOf(
  options: InitGitHubOptions,
  loaded: LoadedConfig,
  top: string,
): Promise<GitHubSettings> {
  const folder = relative(top, loaded.root).split(sep).join('/');
  const runner = options.runner ?? defaultRunner(loaded);
  for (const label of runner) {
    if (!/^[\w.-]{1,100}$/.test(label)) throw new PawlError('usage', `"${label}" is not a runner label.`);
  }
  const defaultBranch = options.defaultBranch ?? (await findDefaultBranch(top));
  if (!/^[\w/.-]{1,200}$/.test(defaultBranch)) {
    throw new PawlError('usage', `"${defaultBranch}" is not a branch name that a workflow can match.`);
  }
  return {
    action: await actionRef(options.action, top),
    defaultBranch,
    runner,
    folder,
    paths: kernelPaths(loaded, folder),
  };
}

function defaultRunner({ config }: LoadedConfig): string[] {
  const needsGpu = Object.values(config.kernels).some(({ device }) => device === 'cuda');
  return needsGpu ? ['self-hosted', 'linux', 'gpu'] : ['ubuntu-latest'];
}

/** As the clone was told by its origin; else the branch it is on. */
async function findDefaultBranch(top: string): Promise<string> {
  const remote = await askGit(top, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const here = await askGit(top, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return remote?.replace(/^origin\//, '') ?? here ?? 'main';
}

const ACTION = /^(\.\/[\w./-]*|[\w.-]+\/[\w./-]+@[\w./-]+)$/;

async function actionRef(given: string | undefined, top: string): Promise<string> {
  if (given !== undefined) {
    if (ACTION.test(given)) return given;
    throw new PawlError('usage', `"${given}" does not name an action.`, 'Expected OWNER/REPOSITORY@REF.');
  }
  if (resolve(top) === packageRoot()) return './';
  const home = await packageHome();
  if (home !== undefined) return home;
  throw new PawlError(
    'usage',
    'This installation of Pawl does not say in which repository it is published.',
    'Give the action: --action OWNER/REPOSITORY@REF, preferably with a full commit hash.',
  );
}

/** From package.json's `repository`: never guessed, since the owner of a guessed name would run code in people's CI. */
async function packageHome(): Promise<string | undefined> {
  const manifest = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly version?: string;
    readonly repository?: string | { readonly url?: string };
  };
  const { repository } = manifest;
  const url = typeof repository === 'string' ? repository : repository?.url;
  const name = /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url ?? '')?.[1];
  return name === undefined ? undefined : `${name}@v${manifest.version}`;
}
