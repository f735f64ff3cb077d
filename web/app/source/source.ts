import type { LiveEvent } from '../../../src/model/server/live-event.ts';

/** Where answers come from: a server, or the page itself. Paths are those of the HTTP API, below `/api/v1/`. */
export interface Source {
  readonly kind: 'server' | 'file';
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  /** Sends something to be kept; a file takes nothing. */
  send(path: string, body: unknown, token?: string): Promise<unknown>;
  /** Tells what happens while it happens; returns how to stop. */
  watch(onEvent: (event: LiveEvent) => void): () => void;
  /** Whether it answers only who has signed in. */
  needsSignIn(): Promise<boolean>;
}

export type ProblemKind =
  | 'not-found'
  | 'not-allowed'
  | 'not-embedded'
  | 'needs-token'
  | 'offline'
  | 'trouble';

/** An answer that is none. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  /** Of HTTP, where a server answered. */
  readonly status: number | undefined;

  /** Without a message, the kind says all that is known. */
  constructor(kind: ProblemKind, message = '', status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}
