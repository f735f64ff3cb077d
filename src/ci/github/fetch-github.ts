import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { PAWL_VERSION } from '../../model/version.ts';
import { GitHubError, type GitHub, type GitHubRequest, type GitHubResponse } from './github.ts';
import {
  backoff_ms,
  isRepeatable,
  isServerTrouble,
  MOST_TRIES,
  rateLimitWait_ms,
  wasNeverSent,
} from './retry.ts';

export interface FetchGitHubOptions {
  /** From the environment; it is sent to the API's own address and shown nowhere. */
  readonly token: string;
  /** `https://api.github.com`, or that of an own server. */
  readonly apiUrl: string;
  readonly now: () => Date;
  readonly random: () => number;
  readonly sleep: (duration_ms: number) => Promise<void>;
  readonly signal?: AbortSignal;
  /** No answer for this long: the call is lost. */
  readonly timeout_ms?: number;
  /** The longest wait for a rate limit; beyond it the call fails. */
  readonly maxWait_ms?: number;
}

const API_VERSION = '2022-11-28';
const TIMEOUT_MS = 30_000;
/** A job that waits longer costs more than a missing comment. */
const MAX_WAIT_MS = 300_000;
/** A hundred thousand comments: more than any pull request has, so that an endless list ends here. */
const MOST_PAGES = 1_000;
const MOST_REDIRECTS = 3;
const SHOWN_MESSAGE = 300;

type Method = Parameters<GitHub['request']>[0];

/** GitHub's REST API over fetch. */
export class FetchGitHub implements GitHub {
  readonly #options: FetchGitHubOptions;
  readonly #base: URL;

  constructor(options: FetchGitHubOptions) {
    // What does not fit into a header would be refused with the whole of it in the message.
    if (!/^[\u0021-\u007E]+$/u.test(options.token)) {
      throw new PawlError('usage', 'Invalid token: it is empty, or has spaces or line breaks.');
    }
    this.#options = options;
    this.#base = new URL(options.apiUrl.replace(/\/+$/u, ''));
  }

  async request(method: Method, path: string, options: GitHubRequest = {}): Promise<GitHubResponse> {
    return this.#call(method, this.#urlOf(path, options.query), options);
  }

  async *pages(
    path: string,
    options: GitHubRequest & { readonly items?: (body: unknown) => unknown } = {},
  ): AsyncIterable<unknown> {
    let url: URL | undefined = this.#urlOf(path, { per_page: 100, ...options.query });
    for (let page = 0; url !== undefined; page += 1) {
      if (page === MOST_PAGES) throw new GitHubError(0, `${path} has more than ${MOST_PAGES} pages`);
      const { headers, body }: GitHubResponse = await this.#call('GET', url, options);
      const items: unknown = options.items === undefined ? body : options.items(body);
      if (!Array.isArray(items)) throw new GitHubError(0, `${path} did not answer with a list`);
      yield* items;
      url = this.#nextPage(headers.get('link'));
    }
  }

  async download(path: string, maxBytes: number): Promise<Uint8Array> {
    return this.#withRetries('GET', path, async (signal) => {
      const response = await this.#follow('GET', this.#urlOf(path), undefined, signal);
      if (!response.ok) return answerOf(response);
      return { status: response.status, headers: response.headers, body: await bytesOf(response, maxBytes) };
    }).then(({ body }) => body as Uint8Array);
  }

  #urlOf(path: string, query: GitHubRequest['query'] = {}): URL {
    const url = new URL(`${this.#base.href.replace(/\/+$/u, '')}${path}`);
    // A name with `..` or `//` in it must not lead elsewhere.
    if (url.origin !== this.#base.origin || !url.pathname.startsWith(this.#base.pathname)) {
      throw new PawlError('usage', 'This path leads outside the API.');
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url;
  }

  /** The token goes with it, so it has to be the API's own address. */
  #nextPage(link: string | null): URL | undefined {
    const next = /<([^<>]+)>;\s*rel="next"/u.exec(link ?? '')?.[1];
    if (next === undefined) return undefined;
    const url = new URL(next, this.#base);
    if (url.origin !== this.#base.origin) throw new GitHubError(0, 'the next page is at another address');
    return url;
  }

  async #call(method: Method, url: URL, { body, accept = [] }: GitHubRequest): Promise<GitHubResponse> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.#withRetries(
      method,
      url.pathname,
      async (signal) => answerOf(await this.#follow(method, url, text, signal)),
      accept,
    );
  }

  async #withRetries(
    method: Method,
    path: string,
    attempt: (signal: AbortSignal) => Promise<GitHubResponse>,
    accept: readonly number[] = [],
  ): Promise<GitHubResponse> {
    const { sleep, random, now, maxWait_ms = MAX_WAIT_MS } = this.#options;
    const what = `${method} ${path}`;
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === MOST_TRIES;
      let wait_ms = backoff_ms(tries, random);
      try {
        const response = await attempt(this.#signal());
        const { status } = response;
        if ((status >= 200 && status < 300) || accept.includes(status)) return response;
        const message = messageOf(response.body);
        const limit_ms = rateLimitWait_ms(response, message, now());
        const isWorthAnother =
          limit_ms !== undefined ? limit_ms <= maxWait_ms : isServerTrouble(status) && isRepeatable(method);
        if (isLast || !isWorthAnother) throw refused(what, status, message, limit_ms);
        wait_ms = Math.max(limit_ms ?? 0, wait_ms);
      } catch (error) {
        if (error instanceof GitHubError || error instanceof PawlError) throw error;
        if (this.#options.signal?.aborted === true) throw new PawlError('try-again', 'Interrupted.');
        const isWorthAnother = isRepeatable(method) || wasNeverSent(error);
        if (isLast || !isWorthAnother) throw new GitHubError(0, `no answer to ${what}: ${reasonOf(error)}`);
      }
      await sleep(wait_ms);
    }
  }

  /** Redirects by hand: within the API with all that was sent, elsewhere without the token. */
  async #follow(method: Method, to: URL, body: string | undefined, signal: AbortSignal): Promise<Response> {
    let url = to;
    for (let redirects = 0; ; redirects += 1) {
      const isOwn = url.origin === this.#base.origin;
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        signal,
        headers: isOwn
          ? {
              authorization: `Bearer ${this.#options.token}`,
              accept: 'application/vnd.github+json',
              'x-github-api-version': API_VERSION,
              'user-agent': `pawl/${PAWL_VERSION}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            }
          : { 'user-agent': `pawl/${PAWL_VERSION}` },
        ...defined({ body }),
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      if (redirects === MOST_REDIRECTS) throw new GitHubError(response.status, 'too many redirects');
      url = new URL(location, url);
      // Only what is fetched may lie elsewhere (artifacts do).
      const isAllowed =
        url.origin === this.#base.origin || (method === 'GET' && /^https?:$/u.test(url.protocol));
      if (!isAllowed) throw new GitHubError(response.status, 'GitHub sent this call to another address');
    }
  }

  #signal(): AbortSignal {
    const { signal, timeout_ms = TIMEOUT_MS } = this.#options;
    const timeout = AbortSignal.timeout(timeout_ms);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }
}

async function answerOf(response: Response): Promise<GitHubResponse> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

/** A gateway's error page is not JSON, and its status says enough. */
function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function bytesOf(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = new GitHubError(response.status, `there are more than ${maxBytes} bytes to download`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the transfer.
    if (bytes > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function messageOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
  return message.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, SHOWN_MESSAGE);
}

function refused(what: string, status: number, message: string, limit_ms: number | undefined): GitHubError {
  const limit = limit_ms === undefined ? '' : ` (a rate limit, for ${Math.ceil(limit_ms / 1000)} s)`;
  return new GitHubError(status, `GitHub answered ${status} to ${what}${limit}${message && `: ${message}`}`);
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  if (error instanceof Error && error.name === 'TimeoutError') return 'the request timed out';
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : 'unknown';
}
