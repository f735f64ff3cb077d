import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { kernelResourcesSchema } from '../model/reports/build-report.ts';
import { DAY_MS } from '../model/text/moment.ts';
import type { FileHasher } from '../os/file-hasher.ts';
import { hashFile, hashText } from '../os/file-hasher.ts';
import type { PathLabels } from './path-labels.ts';
import { flush, writeDurably } from '../os/write-durably.ts';

const dependencySchema = z.object({ file: z.string(), sha256: z.string() });
export type Dependency = z.infer<typeof dependencySchema>;

const entrySchema = z.object({
  artifact: z.string(),
  sha256: z.string(),
  /** Of what is loaded of it, line information aside; entries of earlier versions have none. */
  code_sha256: z.string().optional(),
  /** Every file the compiler read, by label, with what it held. */
  dependencies: z.array(dependencySchema),
  /** Files that would have been included instead of another, had they been there. */
  absent: z.array(z.string()),
  resources: z.array(kernelResourcesSchema),
  log: z.string(),
  ccache: z.boolean(),
});
export type CacheEntry = z.infer<typeof entrySchema>;

export interface Cached extends CacheEntry {
  /** Absolute path of the artifact. */
  readonly path: string;
  readonly key: string;
}

const ENTRY_FILE = 'entry.json';
/** No build takes a day: a temporary folder that old was left by a build that was killed. */
const ABANDONED_MS = DAY_MS;

/**
 * Built artifacts by what went into them: `<dir>/<key>/<contents>/`, where the key stands for all that is
 * known before compiling and the contents for the files that the compiler then read. An entry appears whole,
 * by a rename, and is never changed, so processes share the folder without locks. (The turns of `Builder` save work, and
 * nothing depends on them.)
 */
export class BuildCache {
  readonly dir: string;
  readonly #labels: PathLabels;

  constructor(dir: string, labels: PathLabels) {
    this.dir = dir;
    this.#labels = labels;
  }

  /** The entry whose files all hold what they held when it was built, with its artifact whole. */
  async find(key: string, hasher: FileHasher): Promise<Cached | undefined> {
    const folder = this.#folder(key);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const path = join(folder, name);
      const entry = await readEntry(path);
      if (entry === undefined || !(await this.#isCurrent(entry, hasher))) continue;
      const artifact = join(path, entry.artifact);
      if ((await hashFile(artifact)) === entry.sha256) {
        return { ...entry, path: artifact, key: `${key}-${name}` };
      }
    }
    return undefined;
  }

  /** A folder on the cache's own file system to build in. */
  async temporaryFolder(): Promise<string> {
    await mkdir(this.#temporary(), { recursive: true });
    return mkdtemp(join(this.#temporary(), 'build-'));
  }

  /**
   * Files a finished build away: `folder` holds the artifact and nothing else and becomes the entry. Where
   * another process was first, its entry is the one that counts.
   */
  async add(key: string, folder: string, entry: CacheEntry, hasher: FileHasher): Promise<Cached> {
    await flush(join(folder, entry.artifact));
    await writeDurably(join(folder, ENTRY_FILE), JSON.stringify(entry, undefined, 1));
    await flush(folder);
    const name = hashText(JSON.stringify([entry.dependencies, entry.absent])).slice(0, 32);
    const target = join(this.#folder(key), name);
    await mkdir(dirname(target), { recursive: true });
    for (;;) {
      try {
        await rename(folder, target);
        await flush(dirname(target));
        return { ...entry, path: join(target, entry.artifact), key: `${key}-${name}` };
      } catch (error) {
        if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
      const winner = await this.find(key, hasher);
      if (winner?.key === `${key}-${name}`) return winner;
      await this.#discard(target);
    }
  }

  /** Removes what killed builds have left behind. */
  async sweep(now_ms: number): Promise<void> {
    const names = await readdir(this.#temporary()).catch(() => []);
    for (const name of names) {
      const path = join(this.#temporary(), name);
      const age = await stat(path).then(
        ({ mtimeMs }) => now_ms - mtimeMs,
        () => 0,
      );
      if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }

  async #isCurrent(entry: CacheEntry, hasher: FileHasher): Promise<boolean> {
    const hashes = await Promise.all(
      entry.dependencies.map(async ({ file }) => hasher.hash(this.#labels.path(file))),
    );
    if (entry.dependencies.some(({ sha256 }, index) => hashes[index] !== sha256)) return false;
    // A thousand for the judge: to ask another thread for each takes twenty times as long.
    return !entry.absent.some((file) => existsSync(this.#labels.path(file)));
  }

  /** Takes a damaged entry away in one step, so that no reader finds half of it. */
  async #discard(target: string): Promise<void> {
    const aside = join(await this.temporaryFolder(), 'discarded');
    await rename(target, aside).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(dirname(aside), { recursive: true, force: true });
  }

  #folder(key: string): string {
    return join(this.dir, key.slice(0, 2), key);
  }

  #temporary(): string {
    return join(this.dir, 'tmp');
  }
}

async function readEntry(folder: string): Promise<CacheEntry | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(join(folder, ENTRY_FILE), 'utf8')));
  } catch {
    // Damaged or of another version: as good as absent, and replaced when the same thing is built again.
    return undefined;
  }
}
