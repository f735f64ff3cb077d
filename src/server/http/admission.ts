import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';

import { PawlError } from '../../model/pawl-error.ts';
import { AllowedHosts, hostName, isLoopbackName } from './allowed-hosts.ts';
import { clientOf } from './client-of.ts';
import { crossSite } from './cross-site.ts';
import { HttpProblem, tooMany } from './http-problem.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface AdmissionOptions {
  /** What the server listens on. */
  readonly host: string;
  /** Addresses under which a proxy shows the server: `https://pawl.example.org`. */
  readonly origins: readonly string[];
  /** Of all requests of one client. */
  readonly requests: RateLimiter;
}

/** Before anything of a request is looked at: is it meant for this server, by somebody who may ask, not too often? */
export class Admission {
  readonly #hosts: AllowedHosts;
  readonly #origins: readonly string[];
  readonly #requests: RateLimiter;

  /** @throws {PawlError} where something is no origin */
  constructor({ host, origins, requests }: AdmissionOptions) {
    const addresses = origins.map(parseOrigin);
    const names = addresses.map((address) => hostName(address.host) ?? '');
    // Nobody reaches a server on loopback by the machine's name, but a network may have that name point here.
    this.#hosts = new AllowedHosts(host, isLoopbackName(host) ? names : [hostname(), ...names]);
    this.#origins = addresses.map(({ origin }) => origin);
    this.#requests = requests;
  }

  /**
   * @returns whom limits count for
   * @throws {HttpProblem} where this request may not
   */
  admit(request: IncomingMessage): string {
    if (!this.#hosts.has(request.headers.host)) {
      throw new HttpProblem(421, 'This server is not known under that name.', {
        hint: 'Start it with --origin where it is to be reached under a name.',
      });
    }
    const foreign = crossSite(request, this.#origins);
    if (foreign !== undefined) throw new HttpProblem(403, foreign);
    // Last: what a page elsewhere makes a browser send must not use up what its owner may ask.
    const client = clientOf(request, this.#origins.length > 0);
    const wait_s = this.#requests.take(client);
    if (wait_s !== undefined) throw tooMany('Too many requests at once.', wait_s);
    return client;
  }
}

function parseOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new PawlError('usage', `«${origin}» is no origin.`, 'For example: --origin https://pawl.example.org');
}
