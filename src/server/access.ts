import type { QueueRole } from '../model/queue/queue.ts';
import type { Caller } from '../workflows/serve/queue-service.ts';
import { withoutQueue } from './api/judge-routes.ts';
import type { Access, QueueAccess } from './api/route.ts';
import type { HttpContext } from './http/http-app.ts';
import { HttpProblem, tooMany } from './http/http-problem.ts';
import { bearerOf, isBearer, isSameSecret } from './http/is-bearer.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { SignInCookie } from './http/sign-in-cookie.ts';

export interface AccessOptions {
  readonly readToken: string | undefined;
  readonly writeToken: string | undefined;
  /** Browsers reach the server over TLS. */
  readonly isHttps: boolean;
  /** Who holds a token of a tenant; undefined where the server judges nothing. */
  readonly findCaller?: ((token: string) => Promise<Caller | undefined>) | undefined;
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
  require(access: Exclude<Access, QueueAccess>, c: HttpContext): void {
    if (access === 'open') return;
    const { readToken, writeToken } = this.#options;
    const isWriting = access !== 'read';
    const token = isWriting ? writeToken : readToken;
    // A server without tokens answers on its own machine only, and refuses what pages of other sites send.
    if (access === 'note' && token === undefined && readToken === undefined) return;
    if (isWriting && token === undefined) {
      const what = access === 'note' ? 'notes' : 'uploads';
      throw new HttpProblem(403, `This server takes no ${what}: it has no write token.`);
    }
    if (token === undefined) return;
    const authorization = c.req.header('authorization');
    const isSignedIn = this.#cookie?.isValid(c.req.header('cookie'), c.get('now')) === true;
    if (access === 'read' && isSignedIn) return;
    if (authorization === undefined)
      throw unauthorized(`This needs the ${isWriting ? 'write' : 'read'} token.`);
    this.#limited(c);
    if (isBearer(authorization, token)) return;
    this.#options.attempts.take(c.get('client'));
    throw unauthorized(`That is not the ${isWriting ? 'write' : 'read'} token.`);
  }

  /**
   * Whose token it is, on a route of the queue; undefined where the server's own readers may ask.
   *
   * @throws {HttpProblem} where this request may not
   */
  async requireCaller(access: QueueAccess, c: HttpContext): Promise<Caller | undefined> {
    const { findCaller, attempts } = this.#options;
    if (findCaller === undefined) throw withoutQueue();
    const token = bearerOf(c.req.header('authorization'));
    const isTenants = token?.startsWith('pawl_') === true;
    if (access === 'queue-board' && !isTenants) {
      this.require('read', c);
      return undefined;
    }
    if (token === undefined) throw unauthorized('This needs a token of a tenant.');
    this.#limited(c);
    const caller = await findCaller(token);
    if (caller === undefined) {
      attempts.take(c.get('client'));
      throw unauthorized('That token is not valid.');
    }
    const allowed = ROLES[access];
    if (!caller.roles.some((role) => allowed.includes(role))) {
      throw new HttpProblem(403, `This needs a token with the role ${allowed[0]}.`);
    }
    return caller;
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

const ROLES: Readonly<Record<QueueAccess, readonly QueueRole[]>> = {
  'queue-submit': ['submit', 'admin'],
  'queue-read': ['read', 'admin'],
  'queue-work': ['work', 'admin'],
  'queue-board': ['read', 'submit', 'admin'],
};

function unauthorized(detail: string): HttpProblem {
  return new HttpProblem(401, detail, { headers: { 'www-authenticate': 'Bearer realm="pawl"' } });
}
