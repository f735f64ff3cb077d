import type { IncomingMessage } from 'node:http';

/**
 * Why a request that another site's page made is refused; undefined where none did. Browsers say so in
 * `Sec-Fetch-Site`, older ones in `Origin`; programs that are no browsers send neither and carry a token.
 */
export function crossSite(
  { headers, method }: IncomingMessage,
  origins: readonly string[],
): string | undefined {
  const site = headers['sec-fetch-site'];
  const isReading = method === 'GET' || method === 'HEAD';
  if (site === 'cross-site' || site === 'same-site') {
    // A link to the dashboard may stand anywhere; it shows nothing to the page that it stands on.
    const isLink =
      isReading && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    if (!isLink) return 'Pages of other sites may not ask this server.';
  }
  const { origin } = headers;
  if (origin === undefined || site === 'same-origin') return undefined;
  // `null` is the origin of sandboxed pages and of files.
  const isOwn = origin === `http://${headers.host ?? ''}` || origins.includes(origin);
  return isOwn ? undefined : 'Pages of other origins may not ask this server.';
}
