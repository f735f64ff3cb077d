import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { z } from 'zod';

import { candidateEnvironment } from '../device/candidate-environment.ts';
import { runCommand } from '../os/run-command.ts';
import type { CompilerInfo } from '../model/reports/build-report.ts';
import { hashFile, hashText } from '../os/file-hasher.ts';
import { writeDurably } from '../os/write-durably.ts';

const recordSchema = z.object({
  path: z.string(),
  /** Of the file the path leads to: a record of an exchanged compiler does not fit any more. */
  real_path: z.string(),
  size_bytes: z.number(),
  changed_ns: z.string(),
  version_text: z.string(),
  sha256: z.string(),
});
type CompilerRecord = z.infer<typeof recordSchema>;

/** Longest that a compiler may take to say its version. */
const VERSION_TIMEOUT_MS = 30_000;

/**
 * Which compiler a path leads to. Asking costs a process, so answers are kept, in memory and in the cache
 * directory, for as long as the file is the same one.
 */
export class CompilerRegistry {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #persist: boolean;
  readonly #records = new Map<string, Promise<CompilerRecord | undefined>>();

  constructor(cacheDir: string, env: NodeJS.ProcessEnv, persist: boolean) {
    this.#folder = join(cacheDir, 'compilers');
    this.#env = env;
    this.#persist = persist;
  }

  /** What the cache key holds of a compiler: the same on every machine that has the same one. */
  async identity(path: string): Promise<string | undefined> {
    const record = await this.#record(path);
    return record === undefined ? undefined : `${record.version_text}\n${record.sha256}`;
  }

  async info(path: string): Promise<CompilerInfo> {
    const text = (await this.#record(path))?.version_text ?? '';
    return { path, name: basename(path), version: versionOf(text) };
  }

  async isCcache(path: string): Promise<boolean> {
    return basename((await this.#record(path))?.real_path ?? path) === 'ccache';
  }

  async #record(path: string): Promise<CompilerRecord | undefined> {
    let record = this.#records.get(path);
    if (record === undefined) {
      record = this.#load(path);
      this.#records.set(path, record);
    }
    return record;
  }

  async #load(path: string): Promise<CompilerRecord | undefined> {
    const real_path = await realpath(path);
    const { size, ctimeNs } = await stat(real_path, { bigint: true });
    const file = { path, real_path, size_bytes: Number(size), changed_ns: String(ctimeNs) };
    const record_path = join(this.#folder, `${hashText(path)}.json`);
    const kept = await readRecord(record_path);
    if (kept !== undefined && Object.entries(file).every(([name, value]) => kept[name as 'path'] === value)) {
      return kept;
    }
    const answer = await runCommand(path, ['--version'], {
      env: { ...candidateEnvironment(this.#env), LC_ALL: 'C' },
      timeout_ms: VERSION_TIMEOUT_MS,
    });
    const sha256 = await hashFile(real_path);
    if (answer.status !== 'exited' || answer.code !== 0 || sha256 === undefined) return undefined;
    const record = { ...file, version_text: answer.stdout.trim(), sha256 };
    if (this.#persist) {
      await mkdir(this.#folder, { recursive: true });
      await writeDurably(record_path, JSON.stringify(record));
    }
    return record;
  }
}

async function readRecord(path: string): Promise<CompilerRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // No record, or one that was damaged: the compiler is asked again.
    return undefined;
  }
}

/** `12.2.0` from gcc, `16.0.6` from clang, `13.0.88` from nvcc. */
function versionOf(text: string): string {
  const pattern = text.includes('Cuda compilation tools')
    ? /\bV(\d+(?:\.\d+)+)/
    : /(?:\)|version) (\d+(?:\.\d+)+)/;
  return pattern.exec(text)?.[1] ?? /\d+(?:\.\d+)+/.exec(text)?.[0] ?? 'unknown';
}
