import type { Note, Notes } from '../../model/history/note.ts';
import { plainText } from '../text/plain-text.ts';
import { shortSha } from '../text/trend-text.ts';

export function renderNotes({ notes }: Notes): string {
  if (notes.length === 0) {
    return 'No matching notes.\n  → pawl history note COMMIT "TEXT" adds one to a change.\n';
  }
  return `${notes.map((note) => noteLines(note).join('\n')).join('\n\n')}\n`;
}

function noteLines(note: Note): string[] {
  const { id, commit, text, link, author, created_at } = note;
  const told = [created_at.slice(0, 10), author].filter(Boolean).join(' by ');
  return [
    `${id.slice(0, 8)}  ${shortSha(commit)}  ${plainText(notedText(note))}  ${plainText(told)}`,
    `  ${plainText(text)}`,
    ...(link === undefined ? [] : [`  ${plainText(link)}`]),
  ];
}

/** What a note is on: `attention/long (cold) on NVIDIA H200`, `all cases`. */
export function notedText({ kernel, case: name, mode, device }: Note): string {
  const what = [kernel, name].filter((part) => part !== undefined).join('/');
  return [
    what === '' ? 'all cases' : what,
    mode === undefined ? '' : `(${mode})`,
    device === undefined ? '' : `on ${device}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
