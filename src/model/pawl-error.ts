/**
 * Why Pawl could not do what it was asked. The kinds are those of `sysexits.h`, so that a crash never reads
 * as a regression: the CLI maps each to its exit code (64 and up).
 */
export const FAILURE_KINDS = [
  'usage',
  'bad-data',
  'unavailable',
  'internal',
  'try-again',
  'permission',
  'configuration',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** An expected failure: a sentence that says what is wrong, and a hint that says what to do about it. */
export class PawlError extends Error {
  readonly kind: FailureKind;
  readonly hint: string | undefined;

  constructor(kind: FailureKind, message: string, hint?: string) {
    super(message);
    this.name = 'PawlError';
    this.kind = kind;
    this.hint = hint;
  }
}
