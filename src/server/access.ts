import type { Access } from './api/route.ts';
import type { HttpContext } from './http/http-app.ts';
import { HttpProblem, tooMany } from './http/http-problem.ts';
import { isBearer, isSameSecret } from './http/is-bearer.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { SignInCookie } from './http/sign-in-cookie.ts';

export interface AccessOptions {
  readonly readToken: string | undefined;
  readonly writeToken: string | undefined;
  /** Browsers reach the server over TLS. */
  readonly isHttps: boolean;
  /** Of wrong tokens. */
  readonly attempts: RateLimiter;
}

/** Who may read and who may write. A token is only ever compared, in constant time; it is in no log and no answer. */
export class AccessControl {
  readonly #options: AccessOptions;
  readonly #cookie: SignInCookie | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
    const { readToken, isHttps } = options;
    this.#cookie = readToken === undefined ? undefined : new SignInCookie(readToken, isHttps);
  }

  /** @throws {HttpProblem} where this request may not */
  require(access: Access, c: HttpContext): void {
    if (access === 'open') return;
    const { readToken, writeToken } = this.#options;
    const token = access === 'write' ? writeToken : readToken;
    if (access === 'write' && token === undefined) {
      throw new HttpProblem(403, 'This server takes no uploads: it has no write token.');
    }
    if (token === undefined) return;
    const authorization = c.req.header('authorization');
    const isSignedIn = this.#cookie?.isValid(c.req.header('cookie'), c.get('now')) === true;
    if (access === 'read' && isSignedIn) return;
    if (authorization === undefined) throw unauthorized(`This needs the ${access} token.`);
    this.#limited(c);
    if (isBearer(authorization, token)) return;
    this.#options.attempts.take(c.get('client'));
    throw unauthorized(`That is not the ${access} token.`);
  }

  mayRead(c: HttpContext): boolean {
    try {
      this.require('read', c);
      return true;
    } catch (error) {
      if (error instanceof HttpProblem && error.status === 401) return false;
      throw error;
    }
  }

  get needsSignIn(): boolean {
    return this.#cookie !== undefined;
  }

  /** The cookie of a browser that has told the read token; undefined where it was another. */
  signIn(token: string, c: HttpContext): string | undefined {
    this.#limited(c);
    const { readToken, attempts } = this.#options;
    if (readToken !== undefined && isSameSecret(token, readToken)) return this.#cookie?.issue(c.get('now'));
    attempts.take(c.get('client'));
    return undefined;
  }

  signOut(): string | undefined {
    return this.#cookie?.clear();
  }

  #limited(c: HttpContext): void {
    const wait_s = this.#options.attempts.wait_s(c.get('client'));
    if (wait_s !== undefined) throw tooMany('Too many wrong tokens.', wait_s);
  }
}

function unauthorized(detail: string): HttpProblem {
  return new HttpProblem(401, detail, { headers: { 'www-authenticate': 'Bearer realm="pawl"' } });
}
