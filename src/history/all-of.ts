import { defined } from '../model/defined.ts';
import type { StoredStudy } from '../model/history/history-api.ts';
import type { Trial } from '../model/tune/study.ts';
import type { Page, StudyFacts } from './history.ts';

/** Every item of every page. */
export async function* allOf<Item>(
  page: (request: { readonly cursor?: string; readonly limit: number }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const { items, next } = await page({ limit: 200, ...defined({ cursor }) });
    yield* items;
    cursor = next;
  } while (cursor !== undefined);
}

/** A study as it is put into a store. */
export function studyParts(stored: StoredStudy): {
  readonly study: StudyFacts;
  readonly trials: readonly Trial[];
} {
  const { id, kernel, started_at, finished_at, document, trials_list: trials } = stored;
  return { study: { id, kernel, started_at, document, ...defined({ finished_at }) }, trials };
}
