/** What is on disk while clocks are locked, for the case that the guardian itself is killed (a stopped cgroup). */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { homedir, tmpdir, uptime, userInfo } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { GUARDIAN_NAME } from './clock-guardian.ts';
import { bootId, procFile, thisProcess } from '../os/process-identity.ts';

const journalSchema = z.object({
  uuid: z.string().regex(/^[A-Za-z0-9-]+$/),
  locked_mhz: z.number().positive(),
  since: z.iso.datetime(),
  owner: z.object({ pid: z.int().positive(), start_ticks: z.string(), boot_id: z.string() }),
  guardian_pid: z.int().positive(),
});
export type ClockJournal = z.infer<typeof journalSchema>;

/** Where Pawl keeps what must survive a reboot of itself but not of the machine: the XDG state directory. */
export function stateDirectory(env: NodeJS.ProcessEnv = process.env): string {
  if (env['XDG_STATE_HOME']?.startsWith('/')) return join(env['XDG_STATE_HOME'], 'pawl');
  const home = env['HOME'] ?? homedir();
  return home === '' || home === '/'
    ? join(tmpdir(), `pawl-${userInfo().uid}`)
    : join(home, '.local/state/pawl');
}

export function journalPath(stateDir: string, uuid: string): string {
  return join(stateDir, `clock-lock-${uuid}.json`);
}

/** The journal of this process up to the guardian's number, which only the guardian knows. */
export async function journalHead(uuid: string, locked_mhz: number, since: Date): Promise<string> {
  const entry: Omit<ClockJournal, 'guardian_pid'> = {
    uuid,
    locked_mhz,
    since: since.toISOString(),
    owner: await thisProcess(),
  };
  return `${JSON.stringify(entry).slice(0, -1)},"guardian_pid":`;
}

export async function ensureStateDirectory(stateDir: string): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
}

export interface JournalFile {
  readonly path: string;
  /** Absent where the file does not read as a journal. */
  readonly journal: ClockJournal | undefined;
}

export async function readJournals(stateDir: string): Promise<JournalFile[]> {
  const names = await readdir(stateDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const files = names
    .filter((name) => /^clock-lock-.*\.json$/.test(name))
    .map((name) => join(stateDir, name));
  const read = await Promise.all(files.map(async (path) => ({ path, journal: await readJournal(path) })));
  return read.filter((file): file is JournalFile => file.journal !== 'removed');
}

/** Whether the journal is still the one that was read: its guardian may have removed it, or a new run replaced it. */
export async function journalStands(path: string, journal: ClockJournal): Promise<boolean> {
  const current = await readJournal(path);
  return typeof current === 'object' && current.guardian_pid === journal.guardian_pid;
}

/** A file last written before the machine started: cut short by a loss of power, say. */
export async function isOlderThanBoot(path: string): Promise<boolean> {
  return (await stat(path)).mtimeMs < Date.now() - uptime() * 1000;
}

async function readJournal(path: string): Promise<ClockJournal | undefined | 'removed'> {
  try {
    return journalSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'removed';
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

export async function journalIsOfThisBoot(journal: ClockJournal): Promise<boolean> {
  return journal.owner.boot_id === (await bootId());
}

export async function guardianLives(journal: ClockJournal): Promise<boolean> {
  const commandLine = await procFile(`/proc/${journal.guardian_pid}/cmdline`);
  return commandLine?.includes(GUARDIAN_NAME) ?? false;
}
