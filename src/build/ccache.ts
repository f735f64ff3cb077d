import { isAbsolute } from 'node:path';

import { candidateEnvironment } from '../device/candidate-environment.ts';
import { runCommand } from '../os/run-command.ts';
import type { BuildLanguage } from './build-job.ts';
import { findProgram } from '../os/find-program.ts';
import { makeFolder } from '../os/make-folder.ts';

/** ccache stores nvcc's results from version 4 on. */
const FIRST_WITH_CUDA = 4;

/** The ccache to put before the compiler, where one is installed and not switched off by PAWL_CCACHE=0. */
export async function findCcache(
  language: BuildLanguage,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (env.PAWL_CCACHE === '0') return undefined;
  const path = await findProgram('ccache', env);
  if (path === undefined || language !== 'cuda') return path;
  const answer = await runCommand(path, ['--version'], {
    env: candidateEnvironment(env),
    timeout_ms: 10_000,
  });
  if (answer.status !== 'exited' || answer.code !== 0) return undefined;
  const major = Number(/version (\d+)/.exec(answer.stdout)?.[1] ?? 0);
  return major >= FIRST_WITH_CUDA ? path : undefined;
}

/** Lets ccache find the same sources in another checkout of the project. */
export function ccacheEnvironment(root: string): Record<string, string> {
  return { CCACHE_BASEDIR: root };
}

/** The folder that ccache writes to, made where it is not there yet; none where ccache does not tell. */
export async function ccacheFolders(ccache: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const answer = await runCommand(ccache, ['--get-config', 'cache_dir'], { env, timeout_ms: 10_000 });
  const folder = answer.status === 'exited' && answer.code === 0 ? answer.stdout.trim() : '';
  if (!isAbsolute(folder)) return [];
  await makeFolder(folder);
  return [folder];
}
