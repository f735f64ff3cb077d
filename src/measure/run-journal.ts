import { mkdirSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive, thisProcess, type ProcessIdentity } from '../os/process-identity.ts';
import { runRecordSchema, type RunRecord } from '../model/measure/run-record.ts';
import type { Environment, Samples } from '../model/measure/samples.ts';
import { timeStamp } from '../model/text/time-stamp.ts';
import { AppendOnlyJournal, JOURNAL_FILE, readShared, type SharedText } from '../os/append-only-journal.ts';
import { SamplesBuilder } from './samples-builder.ts';

/** The journal of a run under way. Every record is on disk before the next series starts. */
export class RunJournal {
  readonly directory: string;
  readonly #builder = new SamplesBuilder();
  readonly #journal: AppendOnlyJournal;

  private constructor(directory: string) {
    this.directory = directory;
    this.#journal = AppendOnlyJournal.create(join(directory, JOURNAL_FILE));
  }

  /** Starts the journal of a new run, or of a part of one, below `runs`; its name sorts by time and is its own. */
  static async start(runs: string, environment: Environment, now: Date, part?: string): Promise<RunJournal> {
    const name = [timeStamp(now), process.pid, ...(part === undefined ? [] : [part])].join('-');
    const journal = new RunJournal(newFolder(runs, name));
    journal.add({ type: 'run', owner: await thisProcess(), environment });
    return journal;
  }

  add(record: RunRecord): void {
    this.#journal.add(record);
    this.#builder.add(record);
  }

  /** Everything so far as a samples file. */
  build(incomplete?: string): Samples {
    return this.#builder.build(incomplete);
  }

  /** The samples file is written: the journal has done its work. */
  async finish(): Promise<void> {
    this.#journal.close();
    await rm(join(this.directory, JOURNAL_FILE));
  }

  /** What it holds is written elsewhere: nothing of it is needed any more. */
  async discard(): Promise<void> {
    await this.finish();
    await rmdir(this.directory);
  }
}

/** A server may begin two runs within a second; the second one must not write over what the first one found. */
function newFolder(runs: string, name: string): string {
  mkdirSync(runs, { recursive: true });
  for (let copy = 1; ; copy++) {
    const folder = join(runs, copy === 1 ? name : `${name}-${copy}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

export interface OrphanedRun {
  readonly directory: string;
  readonly samples: Samples;
  readonly discard: () => Promise<void>;
}

/** Runs whose process died before it could write its samples file. */
export async function orphanedRuns(runs: string): Promise<OrphanedRun[]> {
  const names = await readdir(runs).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(names.map((name) => orphanIn(join(runs, name))));
  return found.filter((run) => run !== undefined).sort((a, b) => a.directory.localeCompare(b.directory));
}

async function orphanIn(directory: string): Promise<OrphanedRun | undefined> {
  const path = join(directory, JOURNAL_FILE);
  const read = readable(path);
  if (read === undefined) return undefined;
  const builder = new SamplesBuilder();
  let owner: ProcessIdentity | undefined;
  // What was measured before a line that cannot be read is worth keeping; what follows it may depend on it.
  for (const record of read.records.slice(0, (read.broken[0] ?? Infinity) - 1)) {
    if (record.type === 'run') owner = record.owner;
    builder.add(record);
  }
  if (owner !== undefined && (await isAlive(owner))) return undefined;
  return {
    directory,
    samples: builder.build('the process that took these samples died before it was done'),
    discard: () => rm(path),
  };
}

/** Undefined also where this process may not read it: one that may will recover it. */
function readable(path: string): SharedText<RunRecord> | undefined {
  try {
    return readShared(path, runRecordSchema);
  } catch {
    return undefined;
  }
}
