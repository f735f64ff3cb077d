import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { JournalText } from '../../os/append-only-journal.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';
import type { StudyRecord } from '../../model/tune/study-record.ts';
import { readJournal } from './study-journal.ts';

/** Where a project's studies lie, one folder each. */
export function studiesDirectory(root: string): string {
  return join(root, '.pawl', 'studies');
}

export interface StoredStudy extends JournalText<StudyRecord> {
  readonly folder: string;
  readonly header: Extract<StudyRecord, { type: 'study' }>;
}

export interface StudyChoice {
  /** Its id or folder; default: the latest. */
  readonly id?: string;
  readonly kernel?: string;
  readonly case?: string;
}

/** The study that is meant. @throws {PawlError} where there is none */
export async function findStudy(root: string, choice: StudyChoice): Promise<StoredStudy> {
  if (choice.id !== undefined) {
    const named =
      (await readStudy(join(studiesDirectory(root), choice.id))) ?? (await readStudy(resolve(choice.id)));
    if (named !== undefined) return named;
    const known = (await studyNames(root)).slice(-5);
    throw new PawlError(
      'usage',
      `There is no study "${choice.id}".`,
      known.length === 0 ? 'No study was run here.' : `The latest are ${known.join(', ')}.`,
    );
  }
  const latest = await latestStudy(root, choice);
  if (latest !== undefined) return latest;
  const what = [choice.kernel, choice.case].filter((part) => part !== undefined).join(' ');
  throw new PawlError(
    'usage',
    `There is no study${what === '' ? '' : ` of ${what}`} here.`,
    ownHint('Start one: pawl tune KERNEL --case CASE', 'tune'),
  );
}

export async function latestStudy(
  root: string,
  { kernel, case: name }: StudyChoice,
): Promise<StoredStudy | undefined> {
  for (const id of (await studyNames(root)).toReversed()) {
    const study = await readStudy(join(studiesDirectory(root), id));
    if (study === undefined) continue;
    const { subject } = study.header;
    if (kernel !== undefined && subject.kernel !== kernel) continue;
    if (name !== undefined && subject.case !== name) continue;
    return study;
  }
  return undefined;
}

/** Names begin with the time, so they sort by it. */
async function studyNames(root: string): Promise<string[]> {
  const names = await readdir(studiesDirectory(root)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.sort((one, other) => one.localeCompare(other));
}

async function readStudy(folder: string): Promise<StoredStudy | undefined> {
  const text = await readJournal(folder);
  const header = text?.records[0];
  // Killed before its first line was whole: it never began.
  if (text === undefined || header?.type !== 'study') return undefined;
  return { folder, header, ...text };
}
