import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { BASELINE_FILE, EMPTY_BASELINE, type Baseline } from '../../src/model/judge/baseline.ts';
import { hashOf } from '../../src/os/canonical-json.ts';
import { appendRecord } from '../../src/ratchet/log.ts';
import { parseBaseline } from '../../src/ratchet/parse-baseline.ts';
import { sharedRecords } from '../../src/ratchet/rebase-baseline.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { textOf } from '../ratchet/accepted-of.ts';

const run = promisify(execFile);

/** A bare repository that others push to, with a baseline in a folder of its main branch. */
export class MainBranch {
  readonly folder: string;
  readonly remote: string;
  #clones = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.remote = join(folder, 'remote.git');
  }

  static async create(baseline: Baseline | undefined, key?: string): Promise<MainBranch> {
    const main = new MainBranch(await temporaryFolder());
    await run('git', ['init', '-q', '--bare', '-b', 'main', main.remote]);
    const seed = join(main.folder, 'seed');
    await run('git', ['init', '-q', '-b', 'main', seed]);
    await mkdir(join(seed, 'perf'));
    await writeFile(join(seed, 'perf/pawl.yaml'), 'version: 1\n');
    await writeFile(join(seed, 'README.md'), 'kernels\n');
    if (baseline !== undefined) await writeFile(join(seed, 'perf', BASELINE_FILE), textOf(baseline, key));
    await commitAll(seed, 'first');
    await git(seed, 'push', '-q', main.remote, 'main');
    return main;
  }

  /** What a job checks out. */
  async clone(): Promise<string> {
    const clone = join(this.folder, `clone-${(this.#clones += 1)}`);
    await run('git', ['clone', '-q', this.remote, clone]);
    return clone;
  }

  /** A clone, with what a job measured at its commit beside it. */
  async cloneWith(baseline: Baseline): Promise<string> {
    const clone = await this.clone();
    await this.propose(clone, textOf(await this.#atHead(clone, baseline)));
    return clone;
  }

  /** As `pawl ci --propose` leaves it for the job that pushes. */
  async propose(clone: string, text: string): Promise<void> {
    await mkdir(measured(clone), { recursive: true });
    await writeFile(join(measured(clone), BASELINE_FILE), text);
  }

  /** With what it adds to the clone's own baseline measured at the clone's commit. */
  async #atHead(clone: string, baseline: Baseline): Promise<Baseline> {
    const commit = await git(clone, 'rev-parse', 'HEAD');
    const known = await readText(join(clone, 'perf', BASELINE_FILE)).catch(() => undefined);
    const before = known === undefined ? EMPTY_BASELINE : parseBaseline(known, 'main');
    const shared = sharedRecords(before, baseline);
    const old = new Map(
      baseline.log.slice(0, shared).map((each) => ['entry' in each ? each.entry : '', each]),
    );
    const entries = baseline.entries.map((entry) =>
      old.has(hashOf(entry)) ? entry : { ...entry, provenance: { ...entry.provenance, commit } },
    );
    const hashes = new Map(baseline.entries.map((entry, index) => [hashOf(entry), hashOf(entries[index])]));
    const log = baseline.log.slice(shared).reduce<Baseline['log']>(
      (done, record) => {
        const { n: _, prev: __, hash: ___, commit: ____, time, author, ...rest } = record;
        const renewed =
          'entry' in rest ? { ...rest, entry: hashes.get(rest.entry ?? '') ?? rest.entry } : rest;
        return appendRecord(done, renewed as typeof rest, { author, time: new Date(time), commit });
      },
      baseline.log.slice(0, shared),
    );
    return { entries, log };
  }

  /** The baseline on the branch, which has to be sound. */
  async baseline(branch = 'main'): Promise<Baseline> {
    const { stdout } = await run('git', ['-C', this.remote, 'show', `${branch}:perf/${BASELINE_FILE}`]);
    const problems = verifyBaseline(stdout);
    if (problems.length > 0) throw new Error(problems.join('; '));
    return parseBaseline(stdout, branch);
  }

  async log(branch = 'main'): Promise<string[]> {
    return (await git(this.remote, 'log', '--format=%an: %s', branch)).split('\n');
  }

  /** A hook of the remote, in shell. */
  async hook(name: string, script: string): Promise<void> {
    const path = join(this.remote, 'hooks', name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  }

  /** The environment of a job of GitHub's for a push to main, with what differs. */
  async event(
    clone: string,
    env: NodeJS.ProcessEnv = {},
    push: Readonly<Record<string, unknown>> = {},
  ): Promise<NodeJS.ProcessEnv> {
    const sha = await git(clone, 'rev-parse', 'HEAD');
    const path = join(this.folder, `event-${clone.slice(-6).replaceAll('/', '-')}.json`);
    const payload = {
      ref: 'refs/heads/main',
      after: sha,
      deleted: false,
      repository: { full_name: 'acme/kernels', default_branch: 'main', fork: false },
      ...push,
    };
    await writeFile(path, JSON.stringify(payload));
    return {
      PATH: process.env['PATH'],
      HOME: this.folder,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_EVENT_PATH: path,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REPOSITORY: 'acme/kernels',
      GITHUB_SHA: sha,
      ...env,
    };
  }
}

/** The folder that the job which measured handed over. */
export function measured(clone: string): string {
  return `${clone}-measured`;
}

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...args]);
  return stdout.trim();
}

export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all');
  const identity = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.org'];
  await git(folder, ...identity, 'commit', '-q', '-m', message);
}

export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}
