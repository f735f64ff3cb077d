import { useContext, useEffect, useState } from 'preact/hooks';

import type { ToldCommit } from '../../../src/model/history/history-api.ts';
import type { Source } from './source.ts';
import { SourceContext } from './use-answer.ts';

/** As many as one question takes. */
const MOST_AT_ONCE = 60;
const IS_SHA = /^[0-9a-f]{4,64}$/u;

/** What was answered; null: it is not known. A commit never changes, so it is asked for once. */
const known = new Map<string, ToldCommit | null>();
const waiting = new Map<string, Set<() => void>>();
let isAsking = false;

/** What is known of a commit; all that a page shows are asked for together. */
export function useCommit(sha: string | undefined): ToldCommit | undefined {
  const source = useContext(SourceContext)?.source;
  const [, setSeen] = useState(0);
  useEffect(() => {
    if (source === undefined || sha === undefined || !IS_SHA.test(sha) || known.has(sha)) return;
    const told = (): void => setSeen((count) => count + 1);
    const others = waiting.get(sha) ?? new Set();
    waiting.set(sha, others.add(told));
    askSoon(source);
    return () => void others.delete(told);
  }, [source, sha]);
  return (sha === undefined ? undefined : known.get(sha)) ?? undefined;
}

function askSoon(source: Source): void {
  if (isAsking) return;
  isAsking = true;
  setTimeout(() => void askAll(source), 0);
}

async function askAll(source: Source): Promise<void> {
  while (waiting.size > 0) {
    const asked = [...waiting.keys()].slice(0, MOST_AT_ONCE);
    const listeners = asked.flatMap((sha) => [...(waiting.get(sha) ?? [])]);
    for (const sha of asked) waiting.delete(sha);
    try {
      const { items } = (await source.get(`commits?shas=${asked.join(',')}`)) as {
        readonly items: readonly ToldCommit[];
      };
      for (const sha of asked) known.set(sha, null);
      for (const commit of items) known.set(commit.sha, commit);
    } catch {
      // A hash is shown without its words: the page says elsewhere that the server does not answer.
    }
    for (const tell of listeners) tell();
  }
  isAsking = false;
}
