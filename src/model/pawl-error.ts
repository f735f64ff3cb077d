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
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** An expected failure: a sentence that says what is wrong, and a hint that says what to do about it. */
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
