import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { isAlive, thisProcess } from '../../os/process-identity.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { StudyRecord } from '../../model/tune/study-record.ts';
import type { StudyIdentity, StudySettings, StudySubject } from '../../model/tune/study-settings.ts';
import { timeStamp } from '../../model/text/time-stamp.ts';
import { JournalLedger } from './journal-ledger.ts';
import { StudyClock } from './study-clock.ts';
import { StudyJournal } from './study-journal.ts';
import { studiesDirectory, type StoredStudy } from './study-folders.ts';
import type { PreparedStudy } from './study-subject.ts';

/** A study that this process works on. */
export interface OpenStudy {
  readonly folder: string;
  readonly subject: StudySubject;
  readonly settings: StudySettings;
  readonly journal: StudyJournal;
  readonly ledger: JournalLedger;
  readonly clock: StudyClock;
  /** What earlier runs wrote. */
  readonly records: readonly StudyRecord[];
  /** Counts the runs that worked on it from 1. */
  readonly run: number;
}

export async function startStudy(
  prepared: PreparedStudy,
  settings: StudySettings,
  now: () => Date,
): Promise<OpenStudy> {
  const created = now();
  const studies = studiesDirectory(prepared.loaded.root);
  const name = `${timeStamp(created)}-${prepared.subject.kernel}-${prepared.subject.case}`;
  let id = name;
  for (let copy = 2; existsSync(join(studies, id)); copy++) id = `${name}-${copy}`;
  const subject = { ...prepared.subject, id, created_at: created.toISOString() };
  const clock = new StudyClock(now);
  const folder = join(studies, id);
  const journal = StudyJournal.create(folder, clock);
  const { identity } = prepared;
  journal.add({ type: 'study', schema: 'pawl.study-journal/1', subject, identity, settings });
  await beginRun(journal, settings, created);
  const ledger = new JournalLedger(journal, []);
  return { folder, subject, settings, journal, ledger, clock, records: [], run: 1 };
}

/** Continues a study, or refuses to: trials of two different things do not belong to one study. */
export async function resumeStudy(
  stored: StoredStudy,
  prepared: PreparedStudy,
  changed: Partial<StudySettings>,
  now: () => Date,
): Promise<OpenStudy> {
  const { header, records, folder, bytes } = stored;
  const { subject } = header;
  await refuseOwned(stored);
  refuseChanged(header.identity, prepared.identity, subject.id);
  const runs = records.filter((record) => record.type === 'session');
  const settings = { ...(runs.at(-1)?.settings ?? header.settings), ...changed };
  const clock = new StudyClock(now, records.at(-1)?.at_s ?? 0);
  const journal = StudyJournal.reopen(folder, clock, bytes);
  await beginRun(journal, settings, now());
  const ledger = new JournalLedger(journal, records);
  return { folder, subject, settings, journal, ledger, clock, records, run: runs.length + 1 };
}

async function beginRun(journal: StudyJournal, settings: StudySettings, now: Date): Promise<void> {
  journal.add({ type: 'session', owner: await thisProcess(), started_at: now.toISOString(), settings });
}

async function refuseOwned({ records, header }: StoredStudy): Promise<void> {
  const owner = records.findLast((record) => record.type === 'session')?.owner;
  if (owner === undefined || owner.pid === process.pid || !(await isAlive(owner))) return;
  throw new PawlError(
    'try-again',
    `Process ${owner.pid} is at work on study ${header.subject.id}.`,
    'Wait for it, or end it first.',
  );
}

const WHAT: Readonly<Record<keyof StudyIdentity, string>> = {
  sources: 'the sources of the kernel or of its oracle',
  build: 'the compiler or its flags',
  space: 'the tunables or the constraints',
  case: 'the dimensions or tensors of the case',
  mode: 'the mode',
  device: 'the device',
};
/** Those whose values a person can read. */
const READABLE = new Set<keyof StudyIdentity>(['build', 'mode', 'device']);

function refuseChanged(before: StudyIdentity, now: StudyIdentity, id: string): void {
  const changes = identityChanges(before, now);
  if (changes.length === 0) return;
  throw new PawlError(
    'usage',
    `Study ${id} cannot be resumed: ${changes.join(', ')} changed since it began.`,
    `Start a new study; --warm .pawl/studies/${id}/study.json tries its best variants first.`,
  );
}

/** What of a study is not as it was, in words. */
export function identityChanges(before: StudyIdentity, now: StudyIdentity): string[] {
  const names = Object.keys(WHAT) as (keyof StudyIdentity)[];
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => (READABLE.has(name) ? `${WHAT[name]} (${before[name]} → ${now[name]})` : WHAT[name]));
}
