/**
 * Why Pawl could not do what it was asked. The kinds are those of `sysexits.h`, so that a crash never reads
 * as a regression: the CLI maps each to its exit code (64 and up). Only code under test that does not build is its own
 * fault, and counts as bad wherever that shows.
 */
export const FAILURE_KINDS = [
  'usage',
  'bad-data',
  'unavailable',
  'internal',
  'try-again',
  'permission',
  'configuration',
  'does-not-build',
] as const;
/** The kind of a `PawlError`: what the caller can do about it. The CLI has an exit code for each. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

/**
 * An expected failure. `message` says what is wrong, `hint` what to do about it, and `kind` what sort of failure it is.
 * Any other exception is a bug in Pawl.
 *
 * @example
 * ```ts
 * import { openProject, PawlError } from 'pawl';
 *
 * try {
 *   await openProject('no-such-folder');
 * } catch (error) {
 *   if (!(error instanceof PawlError)) throw error;
 *   console.log(error.kind, error.message, error.hint);
 * }
 * ```
 */
export class PawlError extends Error {
  readonly kind: FailureKind;
  readonly hint: string | undefined;
  /** The hint is Pawl's own words: an assistant may follow it. */
  readonly isOwnHint: boolean;
  /** The command of Pawl that the hint names first, without its arguments: `session start`. */
  readonly command: string | undefined;

  constructor(kind: FailureKind, message: string, hint?: string | OwnHint) {
    super(message);
    this.name = 'PawlError';
    this.kind = kind;
    this.hint = typeof hint === 'string' ? hint : hint?.own;
    this.isOwnHint = typeof hint === 'object';
    this.command = typeof hint === 'object' ? hint.command : undefined;
  }
}

/** A hint in which nothing stands that others wrote: no name, no path, no command of a project's gate. */
interface OwnHint {
  readonly own: string;
  readonly command?: string;
}

export function ownHint(own: string, command?: string): OwnHint {
  return command === undefined ? { own } : { own, command };
}
