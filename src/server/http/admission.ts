import { hostname } from 'node:os';

import { PawlError } from '../../model/pawl-error.ts';
import { AllowedHosts, hostName, isLoopbackName } from './allowed-hosts.ts';
import { clientOf } from './client-of.ts';
import { crossSite } from './cross-site.ts';
import type { Middleware } from './http-app.ts';
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

/**
 * Before anything of a request is looked at: is it meant for this server, by somebody who may ask, not too often?
 *
 * @throws {PawlError} if an origin is not valid
 */
export function admission({ host, origins, requests }: AdmissionOptions): Middleware {
  const addresses = origins.map(parseOrigin);
  const names = addresses.map((address) => hostName(address.host) ?? '');
  // No one reaches a server on loopback by the machine's name, but a network may have that name point here.
  const hosts = new AllowedHosts(host, isLoopbackName(host) ? names : [hostname(), ...names]);
  const ownOrigins = addresses.map(({ origin }) => origin);
  return async (c, next) => {
    if (!hosts.has(c.req.header('host'))) {
      throw new HttpProblem(421, 'This server does not answer to that host name.', {
        hint: 'Start it with --origin where it is to be reached under a name.',
      });
    }
    const foreign = crossSite(c.req, ownOrigins);
    if (foreign !== undefined) throw new HttpProblem(403, foreign);
    // Last: what a page elsewhere makes a browser send must not use up what its owner may ask.
    const { remoteAddress } = c.env.incoming.socket;
    const client = clientOf(remoteAddress, c.req.header('x-forwarded-for'), origins.length > 0);
    const wait_s = requests.take(client);
    if (wait_s !== undefined) throw tooMany('Too many requests at once.', wait_s);
    c.set('client', client);
    await next();
  };
}

function parseOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new PawlError(
    'usage',
    `"${origin}" is not a valid origin.`,
    'For example: --origin https://pawl.example.org',
  );
}
