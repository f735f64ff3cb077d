import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** While some are killed others may be born; more generations than this are not waited for. */
const PASSES = 20;

/** A runner as the system knows it, from when it was started. */
export interface StartedRunner {
  readonly pid: number;
  /** What its environment has, and that of nothing else before it. */
  readonly mark: string;
  /** In ticks since the machine's start; not a number where that is not known. */
  readonly since: number;
}

/** Called when it has just been started: after its end the system no longer knows when that was. */
export function startedRunner(pid: number, mark: string): StartedRunner {
  return { pid, mark, since: Number(fieldsOf(pid)[19]) };
}

/**
 * Kills what a runner has left behind: whatever descends from it, and whatever still carries its mark in the
 * environment it was started with (a process that was forked twice has another parent). The runner itself is not
 * killed. Without a /proc nothing is found.
 */
export function killLeftovers(runner: StartedRunner): void {
  for (let pass = 0; pass < PASSES; pass++) {
    const found = leftovers(runner);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile, or belongs to somebody else by now.
      }
    }
  }
}

/** All that live and belong to the runner, but not the runner. */
function leftovers(runner: StartedRunner): readonly number[] {
  const parents = new Map<number, number>();
  const family = new Set([runner.pid]);
  for (const pid of processes()) {
    const state = stateOf(pid);
    // This runs for every runner, on machines with hundreds of processes: what was there before it is looked at no further.
    if (state === undefined || state.since < runner.since) continue;
    parents.set(pid, state.parent);
    if (read(pid, 'environ').includes(runner.mark)) family.add(pid);
  }
  for (let before = 0; before !== family.size;) {
    before = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  family.delete(runner.pid);
  return [...family];
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid);
  } catch {
    return [];
  }
}

/** Undefined for one that has ended and is collected, or waits to be. */
function stateOf(pid: number): { readonly parent: number; readonly since: number } | undefined {
  const fields = fieldsOf(pid);
  const [state, parent] = fields;
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  return { parent: Number(parent), since: Number(fields[19]) };
}

/** `7 (name) S 6 …` after the name, which may hold anything. */
function fieldsOf(pid: number): readonly string[] {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
}

/** One for all: `readFileSync` takes 64 KiB anew for each file of /proc, whose sizes are said to be 0. */
const CHUNK = Buffer.allocUnsafe(1 << 16);

/** Empty where the process has ended or is somebody else's. */
function read(pid: number, file: 'environ' | 'stat'): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(`/proc/${pid}/${file}`, 'r');
    let text = '';
    for (;;) {
      const bytes = readSync(descriptor, CHUNK, 0, CHUNK.length, null);
      if (bytes === 0) return text;
      text += CHUNK.toString('latin1', 0, bytes);
    }
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
