import { codeOf, isPassing, messageOf, retry } from '../os/postgres.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** Whether asking again may help. Writes are idempotent, so one whose answer was lost is simply done again. */
function mayHelpToRepeat(error: unknown): boolean {
  return isBusy(error) || isPassing(error);
}

/** What went wrong with a store, for people, where it is something that they can do something about. */
export function storeFailure(error: unknown, place: string): unknown {
  if (error instanceof PawlError) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  if (code === 'SQLITE_FULL' || code === '53100' || code === 'ENOSPC') {
    return new PawlError(
      'unavailable',
      `The disk of the store ${place} is full: nothing was written, and existing data is unharmed.`,
      ownHint('Free some space, or remove old samples: pawl history prune', 'history prune'),
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new PawlError(
      'unavailable',
      `The store ${place} cannot be written: ${message}. Nothing was written, and existing data is unharmed.`,
      'Check that the disk has space and no errors.',
    );
  }
  if (mayHelpToRepeat(error)) {
    return new PawlError(
      'unavailable',
      `The store ${place} does not answer: ${message}.`,
      'Try again: storing a run twice keeps one.',
    );
  }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new PawlError(
      'bad-data',
      `The store ${place} is not a valid SQLite file: ${message}.`,
      ownHint('Move it away, and create a new one with: pawl history import .pawl/runs', 'history import'),
    );
  }
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY') || code === 'EACCES') {
    return new PawlError('permission', `The store ${place} cannot be opened for writing: ${message}.`);
  }
  if (/^(?:28...|42501)$/.test(code)) {
    return new PawlError('permission', `The store ${place} refuses: ${message}.`);
  }
  if (code === '3D000') {
    return new PawlError('configuration', `The store ${place} has no such database: ${message}.`);
  }
  return error;
}

/** As often as it takes, until `patience_ms` have passed. */
export function retryPassing<Result>(action: () => Promise<Result>, patience_ms: number): Promise<Result> {
  return retry(action, { patience_ms, mayPass: mayHelpToRepeat, longestPause_ms: 1000 });
}
