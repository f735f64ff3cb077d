import { useEffect, useState } from 'preact/hooks';

/** Where the reader is. All of a page's state is in its address, so that a link shows what its sender saw. */
export interface Place {
  /** `['case', 'k1']` of `#/case/k1?since=30d`. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Below `#`, since a report that was opened as a file has no server to answer other addresses. */
function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/u, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Empty values are left out: an address says only what differs from the page's first look. */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const said = Object.entries(query).filter((one): one is [string, string] => Boolean(one[1]));
  const search = said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

/** Changes what the present page shows, without a step in the browser's history: Back leaves the page. */
export function adjust(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = placeOf(location.hash);
  history.replaceState(undefined, '', hrefOf(path, { ...query, ...changes }));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return placeOf(hash);
}
