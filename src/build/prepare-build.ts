import { defined } from '../model/defined.ts';
import type { BuildCache } from './build-cache.ts';
import type { BuildFailure, BuildJob } from './build-job.ts';
import { buildKey } from './build-key.ts';
import type { CompilerRegistry } from './compiler-registry.ts';
import type { FileHasher } from '../os/file-hasher.ts';
import type { CompilerCommand } from './find-compiler.ts';
import { findCompiler, findHostCompiler } from './find-compiler.ts';
import { supportsFlag } from './flag-support.ts';
import type { PathLabels } from './path-labels.ts';

/** A job with all that is decided before compiling. */
export interface Prepared {
  readonly job: BuildJob;
  readonly compiler: CompilerCommand;
  readonly flags: readonly string[];
  readonly key: string;
}

export interface PrepareSetting {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly compilers: CompilerRegistry;
  readonly labels: PathLabels;
  readonly cache: BuildCache;
  readonly dryRun: boolean;
}

/** Finds the compiler, settles the flags and computes the key, or says what is missing. */
export async function prepareBuild(
  job: BuildJob,
  hasher: FileHasher,
  setting: PrepareSetting,
): Promise<Prepared | BuildFailure> {
  const { env, root, compilers, labels, cache, dryRun } = setting;
  for (const source of job.sources) {
    if ((await hasher.hash(source)) === undefined) {
      const message = `${labels.label(source).replace(/^<\w+>\//, '')} does not exist.`;
      return failure('source-missing', message, `Correct the sources of ${job.name} in pawl.yaml.`);
    }
  }
  const compiler = await findCompiler(job.language, env);
  if (compiler.status === 'missing') return failure('compiler-missing', compiler.message, compiler.hint);
  const identity = await compilers.identity(compiler.path);
  if (identity === undefined) {
    const message = `${compiler.path} does not run here: --version fails.`;
    return failure('compiler-missing', message, 'Install it again. `pawl doctor` shows what is installed.');
  }
  const question = { compiler, identity, language: job.language, env, cacheDir: cache.dir, persist: !dryRun };
  const supported = await Promise.all(
    (job.optionalFlags ?? []).map(async (flag) =>
      (await supportsFlag({ ...question, flag })) ? [flag] : [],
    ),
  );
  const flags = [...job.flags, ...supported.flat()];
  const host =
    job.language === 'cuda' ? await findHostCompiler([...compiler.args, ...flags], env) : undefined;
  const compilerIdentities = [identity, host === undefined ? undefined : await compilers.identity(host)];
  const compilerArgs = compiler.args;
  const key = await buildKey({ job, flags, compilerArgs, compilerIdentities, root, env, labels, hasher });
  return { job, compiler, flags, key };
}

export function failure(reason: BuildFailure['reason'], message: string, hint?: string): BuildFailure {
  return {
    status: 'failed',
    reason,
    message,
    log: '',
    commands: [],
    ...defined({ hint }),
  };
}
