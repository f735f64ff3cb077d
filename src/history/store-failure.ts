import { PawlError } from '../model/pawl-error.ts';

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** PostgreSQL's classes of errors that pass: connection lost, shutting down, too many clients, lost a race. */
const PASSING = /^(?:08...|57P0[123]|53300|40001|40P01)$/;
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Whether asking again may help. Writes are idempotent, so one whose answer was lost is simply done again. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (isBusy(error) || PASSING.test(code) || NETWORK.has(code)) return true;
  const message = error instanceof Error ? error.message : '';
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    message,
  );
}

/** What went wrong with a store, for people, where it is something that they can do something about. */
export function storeFailure(error: unknown, place: string): unknown {
  if (error instanceof PawlError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'SQLITE_FULL' || code === '53100' || code === 'ENOSPC') {
    return new PawlError(
      'unavailable',
      `The disk of the store ${place} is full: nothing of this was written, and what was there is unharmed.`,
      'Make room, or thin old samples with: pawl history prune',
    );
  }
  if (isPassing(error)) {
    return new PawlError(
      'unavailable',
      `The store ${place} does not answer: ${message}.`,
      'Writing is safe to repeat: the same run twice is one run.',
    );
  }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new PawlError(
      'bad-data',
      `The store ${place} is not a sound SQLite file: ${message}.`,
      'Move it away; pawl history import reads .pawl/runs into a new one.',
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
export async function retryPassing<Result>(
  action: () => Promise<Result>,
  patience_ms: number,
): Promise<Result> {
  const end = performance.now() + patience_ms;
  for (let pause_ms = 20; ; pause_ms = Math.min(2 * pause_ms, 1000)) {
    try {
      return await action();
    } catch (error) {
      if (!isPassing(error) || performance.now() + pause_ms > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}
