import { readFile } from 'node:fs/promises';

/** Names one process for good: numbers are reused, start times within one boot are not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start_ticks: string;
  readonly boot_id: string;
}

export async function thisProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, start_ticks: (await startTicks(process.pid)) ?? '', boot_id: await bootId() };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (identity.boot_id !== (await bootId())) return false;
  const ticks = await startTicks(identity.pid);
  return ticks !== undefined && ticks === identity.start_ticks;
}

export async function bootId(): Promise<string> {
  return (await procFile('/proc/sys/kernel/random/boot_id'))?.trim() ?? '';
}

/** Field 22 of /proc/<pid>/stat. A zombie counts as dead: it has let go of everything. */
async function startTicks(pid: number): Promise<string | undefined> {
  const stat = await procFile(`/proc/${pid}/stat`);
  // The command name may hold spaces and parentheses; fields are counted after its last parenthesis.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** A file below /proc, or undefined where it is not there or not ours to read. */
export async function procFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}
