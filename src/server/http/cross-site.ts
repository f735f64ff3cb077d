import type { HonoRequest } from 'hono';

/**
 * Why a request that another site's page made is refused; undefined where none did. Browsers say so in
 * `Sec-Fetch-Site`, older ones in `Origin`; programs other than browsers send neither and carry a token.
 */
export function crossSite(request: HonoRequest, origins: readonly string[]): string | undefined {
  const site = request.header('sec-fetch-site');
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (site === 'cross-site' || site === 'same-site') {
    // A link to the dashboard may stand anywhere; it shows nothing to the page that it stands on.
    const isLink =
      isReading &&
      request.header('sec-fetch-mode') === 'navigate' &&
      request.header('sec-fetch-dest') === 'document';
    if (!isLink) return 'Pages of other sites may not ask this server.';
  }
  const origin = request.header('origin');
  if (origin === undefined || site === 'same-origin') return undefined;
  // `null` is the origin of sandboxed pages and of files.
  const isOwn = origin === `http://${request.header('host') ?? ''}` || origins.includes(origin);
  return isOwn ? undefined : 'Pages of other origins may not ask this server.';
}
