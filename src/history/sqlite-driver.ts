import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type Database from 'libsql';

import { PawlError } from '../model/pawl-error.ts';

const load = createRequire(import.meta.url);

/**
 * The driver is a native module that not every copy of Pawl has: the GitHub Action's bundle and a host that was given
 * the bare CLI do without, and so without history of their own.
 */
export function hasSqlite(): boolean {
  try {
    load.resolve('libsql');
    return true;
  } catch {
    return false;
  }
}

/** Loaded when a file is opened, so that commands without history do without it. */
export function sqliteDriver(): typeof Database {
  try {
    return withoutReport(() => load('libsql') as typeof Database);
  } catch (error) {
    throw new PawlError(
      'unavailable',
      `This copy of Pawl cannot open a history file: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      'Install Pawl with its dependencies, or keep history in PostgreSQL (PAWL_STORE).',
    );
  }
}

/**
 * The driver asks a diagnostic report of this process which C library it runs on. To write one takes longer than to load
 * the driver; what it is asked for is in the list of loaded libraries as well.
 */
function withoutReport<Result>(work: () => Result): Result {
  const { report } = process;
  const libraries = loadedLibraries();
  if (libraries === undefined) return work();
  const getReport = report.getReport.bind(report);
  const header = libraries.includes('/ld-musl-') ? {} : { glibcVersionRuntime: 'unknown' };
  report.getReport = () => ({ header });
  try {
    return work();
  } finally {
    report.getReport = getReport;
  }
}

/** Undefined where the system does not tell: only Linux does. */
function loadedLibraries(): string | undefined {
  try {
    return readFileSync('/proc/self/maps', 'latin1');
  } catch {
    return undefined;
  }
}
