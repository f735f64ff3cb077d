import { isIP } from 'node:net';

/**
 * Under which names the server may be asked. A page elsewhere can have its own name point at this machine (DNS
 * rebinding) and is then, for the browser, of the same origin as the server; the `Host` that it sends gives it away.
 */
export class AllowedHosts {
  readonly #isLoopback: boolean;
  readonly #names: ReadonlySet<string>;

  /** @param names host names besides `localhost` and addresses */
  constructor(bound: string, names: readonly string[]) {
    this.#isLoopback = isLoopbackName(bound);
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  has(host: string | undefined): boolean {
    const name = hostName(host);
    if (name === undefined) return false;
    if (isLoopbackName(name) || this.#names.has(name)) return true;
    // An address cannot be made to point elsewhere; on loopback no other address is ours.
    return !this.#isLoopback && isIP(name) !== 0;
  }
}

/** Without its port and brackets, in lower case. */
export function hostName(host: string | undefined): string | undefined {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '');
  return (found?.[1] ?? found?.[2])?.toLowerCase().replace(/\.$/, '');
}

export function isLoopbackName(name: string): boolean {
  const plain = name.toLowerCase();
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
