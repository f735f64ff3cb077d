/** What is true of every PostgreSQL that Pawl is given: histories, and the studies that workers share. */
import { setTimeout as sleep } from 'node:timers/promises';

export function isPostgres(store: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(store);
}

/**
 * States in which PostgreSQL asks to come again (its manual, appendix A): connections, shut-down, conflicts, locks, and
 * a transaction that it ended because its client was silent for too long.
 */
const PASSING_STATES = /^(?:08...|57P0[123]|53300|40001|40P01|55P03|25P03)$/;
const PASSING_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What the client library says without a code. */
const PASSING_WORDS =
  /connection terminated|connection error|timeout exceeded when trying to connect|query read timeout/i;

/** Whether asking again may help. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { syscall } = error as NodeJS.ErrnoException;
  const code = codeOf(error);
  if (PASSING_STATES.test(code) || PASSING_CODES.has(code)) return true;
  // The socket of a server on this machine, which takes it away when it stops.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  // One for each address that a name has.
  if (error instanceof AggregateError) return error.errors.some(isPassing);
  return PASSING_WORDS.test(error.message);
}

export interface Patience {
  readonly patience_ms: number;
  /** Whether what went wrong is worth another try. */
  readonly mayPass: (error: unknown) => boolean;
  readonly longestPause_ms: number;
}

/** As often as it takes, until patience ends; then throws what went wrong last. */
export async function retry<Result>(
  action: () => Promise<Result>,
  { patience_ms, mayPass, longestPause_ms }: Patience,
): Promise<Result> {
  const end_ms = performance.now() + patience_ms;
  for (let longest_ms = 20; ; longest_ms = Math.min(2 * longest_ms, longestPause_ms)) {
    // Many workers lose a database at the same moment; they must not come back at the same moment.
    const pause_ms = longest_ms * (0.5 + Math.random() / 2);
    try {
      return await action();
    } catch (error) {
      if (!mayPass(error) || performance.now() + pause_ms > end_ms) throw error;
    }
    await sleep(pause_ms);
  }
}

export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
