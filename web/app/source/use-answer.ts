import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { Problem, type Source } from './source.ts';

/** `version` grows when something new was recorded: answers are then asked for again. */
export const SourceContext = createContext<{ readonly source: Source; readonly version: number } | undefined>(
  undefined,
);

export type Loaded<Answer> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: Problem; readonly again: () => void }
  | { readonly state: 'done'; readonly answer: Answer };

/** Answers seen lately: going back shows them at once, and they are asked for again meanwhile. */
const seen = new Map<string, unknown>();
const MOST_SEEN = 60;

/** Forgets what was answered, after something was changed that it told of. */
export function forgetAnswers(beginning: string): void {
  for (const path of seen.keys()) if (path.startsWith(beginning)) seen.delete(path);
}

/** The answer to a path; with `undefined`, nothing is asked and it stays loading. It is asked again when `changed` is another. */
export function useAnswer<Answer>(path: string | undefined, changed = 0): Loaded<Answer> {
  const context = useContext(SourceContext);
  if (context === undefined) throw new Error('no source');
  const { source, version } = context;
  const [got, setGot] = useState<{ readonly path: string; readonly loaded: Loaded<Answer> }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === undefined) return;
    const aborter = new AbortController();
    const show = (loaded: Loaded<Answer>): void => {
      if (!aborter.signal.aborted) setGot({ path, loaded });
    };
    const ask = async (): Promise<void> => {
      try {
        const answer = (await source.get(path, aborter.signal)) as Answer;
        remember(path, answer);
        show({ state: 'done', answer });
      } catch (error) {
        const problem = error instanceof Problem ? error : new Problem('trouble', String(error));
        show({ state: 'failed', problem, again: () => setAttempt((count) => count + 1) });
      }
    };
    void ask();
    return () => aborter.abort();
  }, [source, path, version, attempt, changed]);
  if (path !== undefined && got?.path === path) return got.loaded;
  if (path !== undefined && seen.has(path)) return { state: 'done', answer: seen.get(path) as Answer };
  return { state: 'loading' };
}

function remember(path: string, answer: unknown): void {
  seen.delete(path);
  seen.set(path, answer);
  const [oldest] = seen.keys();
  if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest);
}
