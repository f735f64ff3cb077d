/** The part of a code host's API that Pawl speaks; `fetch-github.ts` is the real one. */

export interface GitHubResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined where there is no body. Nothing in it is believed before a schema has seen it. */
  readonly body: unknown;
}

export interface GitHubRequest {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Statuses that are an answer, not a failure; 2xx always are. */
  readonly accept?: readonly number[];
}

export interface GitHub {
  /**
   * One call, retried on 5xx, on network errors and on rate limits as long as it is safe to.
   * @throws {GitHubError} on a status that is not accepted
   */
  request(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    options?: GitHubRequest,
  ): Promise<GitHubResponse>;
  /** Every page of a list, following `Link: rel="next"`; `items` finds the list in a page's body. */
  pages(
    path: string,
    options?: GitHubRequest & { readonly items?: (body: unknown) => unknown },
  ): AsyncIterable<unknown>;
  /** Bytes, redirects followed without the token; refused as soon as there are more than `maxBytes`. */
  download(path: string, maxBytes: number): Promise<Uint8Array>;
}

/** The host said no. */
export class GitHubError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'GitHubError';
    this.status = status;
  }
}
