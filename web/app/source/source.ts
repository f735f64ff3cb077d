import type { LiveEvent } from '../../../src/model/live-event.ts';

/** Where answers come from: a server, or the page itself. Paths are those of the HTTP API, below `/api/v1/`. */
export interface Source {
  readonly kind: 'server' | 'file';
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  /** Tells what happens while it happens; returns how to stop. */
  watch(onEvent: (event: LiveEvent) => void): () => void;
  /** Whether it answers only who has signed in. */
  needsSignIn(): Promise<boolean>;
}

export type ProblemKind = 'not-found' | 'not-allowed' | 'not-embedded' | 'offline' | 'trouble';

/** An answer that is none. */
export class Problem extends Error {
  readonly kind: ProblemKind;

  /** Without a message, the kind says all that is known. */
  constructor(kind: ProblemKind, message = '') {
    super(message);
    this.kind = kind;
  }
}
