import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { candidateEnvironment } from '../device/candidate-environment.ts';
import { defined } from '../model/defined.ts';
import type { BuildJob, BuildOutcome, Built } from './build-job.ts';
import type { BuildCache, Cached } from './build-cache.ts';
import { ccacheEnvironment, ccacheFolders, findCcache } from './ccache.ts';
import { codeDigestOf } from './code-digest.ts';
import type { CompileCommands } from './compile-commands.ts';
import { compileCommands } from './compile-commands.ts';
import type { CompilerRegistry } from './compiler-registry.ts';
import { demangle } from './demangle.ts';
import { readDependencies, searchDirs } from './dependencies.ts';
import { FileHasher, hashText } from '../os/file-hasher.ts';
import { lockName } from '../os/named-lock.ts';
import type { PathLabels } from './path-labels.ts';
import type { Prepared } from './prepare-build.ts';
import { failure, prepareBuild } from './prepare-build.ts';
import { privatePaths } from './private-paths.ts';
import { parsePtxasReport } from './ptxas-report.ts';
import { boundedLog, runCompile } from './run-compile.ts';
import { withTunableHint } from './tunable-clash.ts';
import type { Semaphore } from '../os/semaphore.ts';

export interface BuilderSetting {
  readonly root: string;
  readonly cache: BuildCache;
  readonly labels: PathLabels;
  readonly compilers: CompilerRegistry;
  /** Pawl's own headers. */
  readonly includeDirs: readonly string[];
  readonly processes: Semaphore;
  readonly env: NodeJS.ProcessEnv;
  readonly dryRun: boolean;
  /** The program that compilers run in. */
  readonly sandbox: string | undefined;
  readonly timeout_ms: number;
  readonly signal: AbortSignal | undefined;
  readonly now_ms: () => number;
  readonly onCompile: (job: BuildJob) => void;
}

/** Files changed while the compiler read them: it is not known which of their contents it saw. */
interface Unsettled {
  readonly status: 'unsettled';
  readonly files: readonly string[];
}

/** An editor that saves, or a checkout, is over after one or two builds. */
const ATTEMPTS = 3;

/** Builds jobs through the cache, each distinct one once. */
export class Builder {
  readonly #setting: BuilderSetting;
  readonly #running = new Map<string, Promise<BuildOutcome | Unsettled>>();
  readonly #hasher = new FileHasher();
  /** What files held at the end of an attempt that was unsettled, by label. */
  readonly #seen = new Map<string, string>();

  constructor(setting: BuilderSetting) {
    this.#setting = setting;
  }

  async build(job: BuildJob): Promise<BuildOutcome> {
    const started_ms = this.#setting.now_ms();
    let files: readonly string[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const hasher = attempt === 0 ? this.#hasher : new FileHasher();
      const outcome = await this.#attempt(job, hasher);
      if (outcome.status === 'unsettled') files = outcome.files;
      else if (outcome.status === 'failed' || outcome.status === 'planned') return outcome;
      else return { ...outcome, duration_ms: this.#setting.now_ms() - started_ms };
    }
    return failure(
      'compile-error',
      `${files.join(', ')} changed while being compiled, ${ATTEMPTS} times in a row.`,
      'Wait until nothing writes to it any more, and build again.',
    );
  }

  async #attempt(job: BuildJob, hasher: FileHasher): Promise<BuildOutcome | Unsettled> {
    const prepared = await prepareBuild(job, hasher, this.#setting);
    if ('status' in prepared) return prepared;
    const { key } = prepared;
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#findOrCompile(prepared, hasher);
      this.#running.set(key, running);
      const outcome = await running;
      if (outcome.status === 'unsettled') this.#running.delete(key);
    }
    return running;
  }

  async #findOrCompile(prepared: Prepared, hasher: FileHasher): Promise<BuildOutcome | Unsettled> {
    const { cache, dryRun } = this.#setting;
    const cached = await cache.find(prepared.key, hasher);
    if (dryRun || cached !== undefined) {
      const commands = await this.#commands(
        prepared,
        join(cache.dir, 'tmp', `build-${prepared.key.slice(0, 12)}`),
      );
      const planned = argvs(commands);
      if (dryRun) return { status: 'planned', cached: cached !== undefined, commands: planned };
      if (cached !== undefined) return this.#built('cached', prepared, cached, planned);
    }
    const turn = await this.#turn(prepared);
    if (turn === 'cancelled') return failure('cancelled', 'The build was cancelled.');
    try {
      const other = turn.hasWaited ? await cache.find(prepared.key, hasher) : undefined;
      if (other === undefined) return await this.#compileApart(prepared, hasher);
      const commands = await this.#commands(prepared, join(cache.dir, 'tmp', 'build'));
      return await this.#built('cached', prepared, other, argvs(commands));
    } finally {
      await turn.release();
    }
  }

  /**
   * One process compiles a thing at a time, so that two that miss Pawl's judge do not both spend a minute on it. Who does
   * not get the turn in time compiles beside the other, which does no harm.
   */
  async #turn({ job, key }: Prepared) {
    const { cache, signal, timeout_ms } = this.#setting;
    const id = `build-${hashText(JSON.stringify([cache.dir, key]))}`;
    let hasWaited = false;
    try {
      const lock = await lockName({
        id,
        purpose: `compile ${job.name}`,
        wait_ms: timeout_ms,
        ...defined({ signal }),
        onWait: () => (hasWaited = true),
      });
      return { hasWaited, release: async () => (lock.state === 'held' ? lock.release() : undefined) };
    } catch (error) {
      if (signal?.aborted === true) return 'cancelled';
      throw error;
    }
  }

  async #compileApart(prepared: Prepared, hasher: FileHasher): Promise<BuildOutcome | Unsettled> {
    const folder = await this.#setting.cache.temporaryFolder();
    try {
      return await this.#compile(prepared, folder, hasher);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #compile(prepared: Prepared, folder: string, hasher: FileHasher): Promise<BuildOutcome | Unsettled> {
    const { root, labels, cache, env, processes, sandbox, timeout_ms, signal, includeDirs } = this.#setting;
    const { job, key } = prepared;
    const started_ns = (await stat(folder, { bigint: true })).ctimeNs;
    const work = join(folder, 'work');
    const entry = join(folder, 'entry');
    await mkdir(work);
    await mkdir(entry);
    this.#setting.onCompile(job);
    const commands = await this.#commands(prepared, work);
    const result = await runCompile(commands, {
      cwd: root,
      // Messages are read in English, and what a killed compiler leaves lies where it is swept up.
      env: {
        ...candidateEnvironment(env, job.environment),
        ...ccacheEnvironment(root),
        LC_ALL: 'C',
        TMPDIR: work,
      },
      timeout_ms,
      signal,
      processes,
      sandbox:
        sandbox === undefined
          ? undefined
          : {
              program: sandbox,
              writable: [work, ...(await this.#ccacheFolders(commands, prepared.compiler.path))],
              hidden: await privatePaths(env),
            },
    });
    if (result.status === 'failed') return withTunableHint(result, job, root);
    const read = await readDependencies(
      commands.compile.map(({ depfile }) => depfile),
      { root, labels, searchDirs: searchDirs(job.sources, [...job.includeDirs, ...includeDirs]) },
    );
    const sources = await Promise.all(
      job.sources.map(async (source) => [labels.label(source), await hasher.hash(source)] as const),
    );
    const before = new Map([...this.#seen, ...sources]);
    const unsettled = read.dependencies.filter(({ file, sha256 }) => {
      const changed_ns = read.changed_ns.get(file);
      if (changed_ns !== undefined && changed_ns <= started_ns) return false;
      return before.get(file) !== sha256;
    });
    for (const { file, sha256 } of read.dependencies) this.#seen.set(file, sha256);
    if (unsettled.length > 0) return { status: 'unsettled', files: unsettled.map(({ file }) => file) };

    const artifact = basename(commands.artifact);
    await rename(commands.artifact, join(entry, artifact));
    const built = await cache.add(
      key,
      entry,
      {
        artifact,
        sha256: (await new FileHasher().hash(join(entry, artifact))) ?? '',
        ...defined({ code_sha256: await codeDigestOf(join(entry, artifact)) }),
        dependencies: [...read.dependencies],
        absent: [...read.absent],
        resources: await demangle(parsePtxasReport(result.log), candidateEnvironment(env)),
        log: boundedLog(result.log),
        ccache: commands.compile[0]?.argv[0] !== prepared.compiler.path,
      },
      new FileHasher(),
    );
    return this.#built('built', prepared, built, argvs(commands));
  }

  /** Where ccache keeps its results, if it has a part in this build. */
  async #ccacheFolders(commands: CompileCommands, compiler: string): Promise<readonly string[]> {
    const first = commands.compile[0]?.argv[0] ?? compiler;
    if (first === compiler && !(await this.#setting.compilers.isCcache(compiler))) return [];
    const ccache = first === compiler ? 'ccache' : first;
    return ccacheFolders(ccache, candidateEnvironment(this.#setting.env));
  }

  async #commands(prepared: Prepared, outDir: string): Promise<CompileCommands> {
    const { root, env, includeDirs, compilers } = this.#setting;
    const { job, flags, compiler } = prepared;
    const ccache = (await compilers.isCcache(compiler.path))
      ? undefined
      : await findCcache(job.language, env);
    return compileCommands(job, flags, compiler, { root, outDir, ccache, includeDirs });
  }

  async #built(
    status: Built['status'],
    { compiler, flags }: Prepared,
    cached: Cached,
    commands: Built['commands'],
  ): Promise<Built> {
    const { path, sha256, key, resources, log, ccache } = cached;
    // Entries of earlier versions do not have it.
    const code_sha256 = cached.code_sha256 ?? (await codeDigestOf(path));
    const { labels } = this.#setting;
    const info = await this.#setting.compilers.info(compiler.path);
    return {
      status,
      artifact: path,
      sha256,
      ...defined({ code_sha256 }),
      key,
      commands,
      compiler: info,
      flags,
      resources,
      duration_ms: 0,
      log,
      dependencies: cached.dependencies.map(({ file }) => labels.path(file)),
      rivals: cached.absent.map((file) => labels.path(file)),
      ccache,
    };
  }
}

function argvs(commands: CompileCommands): readonly (readonly string[])[] {
  return [...commands.compile.map(({ argv }) => argv), commands.link];
}
