import { createHmac } from 'node:crypto';

import { serialize, type CookieOptions } from 'hono/utils/cookie';

import { isSameSecret } from './is-bearer.ts';

/** A week: as long as a browser stays signed in. */
const SIGNED_IN_S = 7 * 24 * 3600;

/**
 * What a browser has instead of the read token: until when it may read, signed with the token. Cookies go to every
 * port of a host, so the token itself is not in one; a new token signs every browser out, and every server with the same
 * token knows it.
 */
export class SignInCookie {
  readonly #token: string;
  readonly #name: string;
  readonly #attributes: CookieOptions;

  constructor(token: string, isHttps: boolean) {
    this.#token = token;
    this.#name = isHttps ? '__Host-pawl_session' : 'pawl_session';
    this.#attributes = { path: '/', httpOnly: true, sameSite: 'Strict', secure: isHttps };
  }

  /** Value of `Set-Cookie`. */
  issue(now: Date): string {
    const until_s = Math.floor(now.getTime() / 1000) + SIGNED_IN_S;
    const value = `${until_s}.${this.#signature(until_s)}`;
    return serialize(this.#name, value, { ...this.#attributes, maxAge: SIGNED_IN_S });
  }

  clear(): string {
    return serialize(this.#name, '', { ...this.#attributes, maxAge: 0 });
  }

  /** Whether a `Cookie` header holds a session that this token signed and that has not ended. */
  isValid(header: string | undefined, now: Date): boolean {
    for (const pair of (header ?? '').split(';', 100)) {
      const [name, value = ''] = pair.trim().split('=', 2);
      const found = name === this.#name ? /^(\d{1,12})\.([\w-]{43})$/.exec(value) : null;
      if (found === null) continue;
      const until_s = Number(found[1]);
      if (isSameSecret(found[2]!, this.#signature(until_s)) && until_s * 1000 > now.getTime()) return true;
    }
    return false;
  }

  #signature(until_s: number): string {
    return createHmac('sha256', this.#token).update(`pawl session until ${until_s}`).digest('base64url');
  }
}
