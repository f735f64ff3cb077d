import { useState } from 'preact/hooks';

import type { Note, Notes } from '../../../src/model/history/note.ts';
import { forgetAnswers, useAnswer } from './use-answer.ts';

/** Notes on what is asked for, and how to ask again. */
export function useNotes(asked: Readonly<Record<string, string | undefined>> | undefined): {
  readonly notes: Notes | undefined;
  readonly again: () => void;
} {
  const [version, setVersion] = useState(0);
  const said = Object.entries(asked ?? {}).filter((one): one is [string, string] => Boolean(one[1]));
  const loaded = useAnswer<Notes>(
    asked === undefined ? undefined : `notes?${new URLSearchParams(said).toString()}`,
    version,
  );
  const again = (): void => {
    forgetAnswers('notes?');
    setVersion((count) => count + 1);
  };
  if (loaded.state !== 'done') return { notes: undefined, again };
  // A file holds all notes under one name.
  const isAsked = (note: Note): boolean =>
    said.every(([name, value]) => {
      const own = note[name as keyof Note];
      return own === undefined || own === value;
    });
  return { notes: { ...loaded.answer, notes: loaded.answer.notes.filter(isAsked) }, again };
}
