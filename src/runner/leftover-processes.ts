import { readdirSync, readFileSync } from 'node:fs';

/** While some are killed others may be born; more generations than this are not waited for. */
const PASSES = 20;

/**
 * Kills what a runner has left behind: whatever descends from it, and whatever still carries its mark in the
 * environment it was started with (a process that was forked twice has another parent). The runner itself is not
 * killed. Without a /proc nothing is found.
 */
export function killLeftovers(runner: number, mark: string): void {
  for (let pass = 0; pass < PASSES; pass++) {
    const found = leftovers(runner, mark);
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
function leftovers(runner: number, mark: string): readonly number[] {
  const parents = new Map<number, number>();
  const family = new Set([runner]);
  for (const pid of processes()) {
    const parent = livingParent(pid);
    if (parent === undefined) continue;
    parents.set(pid, parent);
    if (read(pid, 'environ').includes(mark)) family.add(pid);
  }
  for (let before = 0; before !== family.size;) {
    before = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  family.delete(runner);
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

/** `7 (name) S 6 …`: the name may hold anything. Undefined for one that has ended and waits to be collected. */
function livingParent(pid: number): number | undefined {
  const stat = read(pid, 'stat');
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === undefined || state === '' || state === 'Z' || state === 'X' ? undefined : Number(parent);
}

/** Empty where the process has ended or is somebody else's. */
function read(pid: number, file: 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
