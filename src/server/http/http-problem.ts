import { STATUS_CODES } from 'node:http';

import { defined } from '../../model/defined.ts';
import type { Problem } from '../../model/history/history-api.ts';
import { PawlError } from '../../model/pawl-error.ts';

interface Extras {
  readonly hint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is not answered as it wished: what the client is told, and nothing besides. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, { hint, headers = {} }: Extras = {}) {
    super(detail);
    this.name = 'HttpProblem';
    this.status = status;
    this.hint = hint;
    this.headers = headers;
  }

  /** RFC 9457. */
  get body(): Problem {
    return {
      type: 'about:blank',
      title: STATUS_CODES[this.status] ?? 'Error',
      status: this.status,
      detail: this.message,
      ...defined({ hint: this.hint }),
    };
  }

  toResponse(): Response {
    const headers = {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...this.headers,
    };
    return new Response(`${JSON.stringify(this.body)}\n`, { status: this.status, headers });
  }
}

export function tooMany(detail: string, wait_s: number): HttpProblem {
  return new HttpProblem(429, detail, { headers: { 'retry-after': String(wait_s) } });
}

/** Stores that come back do so within seconds; clients that ask more often do not speed it up. */
const RETRY_AFTER_S = 5;

/**
 * What a client may know of a failure. Sentences about the store name its place, and those of a bug anything, so
 * only what is wrong with the request itself is passed on.
 */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (!(error instanceof PawlError)) return new HttpProblem(500, 'A bug in Pawl; its log says more.');
  switch (error.kind) {
    case 'usage':
      return new HttpProblem(400, error.message, { hint: error.hint });
    case 'unavailable':
    case 'try-again':
    case 'permission':
    case 'configuration':
      return new HttpProblem(503, 'The store does not answer at the moment.', {
        headers: { 'retry-after': String(RETRY_AFTER_S) },
      });
    case 'bad-data':
    case 'does-not-build':
    case 'internal':
      return new HttpProblem(500, 'The store holds something that cannot be read; the log says more.');
  }
}
