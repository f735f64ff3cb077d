import { useEffect, useState } from 'preact/hooks';

import type { Source } from '../source/source.ts';

/** Shown where the server lets in only who has signed in. */
export function SignOut({ source }: { readonly source: Source }) {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    const aborter = new AbortController();
    const ask = async (): Promise<void> => {
      const isNeeded = await source.needsSignIn();
      if (!aborter.signal.aborted) setOffered(isNeeded);
    };
    void ask();
    return () => aborter.abort();
  }, [source]);
  if (!isOffered) return null;
  return (
    <form method="post" action="logout">
      <button>sign out</button>
    </form>
  );
}
