import type { History } from './history.ts';
import type { Lesson } from '../model/learn/lesson.ts';

/** What sessions of a store taught; only sessions that changed since the last question are read again. */
export class LearntLessons {
  readonly #known = new Map<string, { readonly revision: number; readonly lessons: readonly Lesson[] }>();

  async of(history: History): Promise<readonly Lesson[]> {
    const revisions = await history.sessionRevisions();
    for (const id of this.#known.keys()) if (!revisions.has(id)) this.#known.delete(id);
    for (const [id, revision] of revisions) {
      if (this.#known.get(id)?.revision === revision) continue;
      const session = await history.session(id);
      if (session !== undefined) this.#known.set(id, { revision, lessons: session.lessons });
    }
    return [...this.#known.values()].flatMap(({ lessons }) => lessons);
  }
}
