/** How busy a machine is with other work, and whether its own had to wait for a CPU. */
import { defined } from '../model/defined.ts';
import type { Load } from '../model/device/load.ts';
import { systemFile } from './host.ts';

/** Counters of the kernel at one moment; what this machine does not count is absent. */
export interface LoadCounters {
  readonly at_ms: number;
  /** How long some task here has waited for a CPU since boot (pressure stall information, psi.rst). */
  readonly waiting_us?: number;
  /** Ticks of all CPUs since boot (proc_stat(5)). */
  readonly ticks?: {
    readonly busy: number;
    readonly stolen: number;
    readonly all: number;
    readonly cpus: number;
    /** Of `busy`: this process, and those of its children that have ended (proc_pid_stat(5)). */
    readonly own: number;
  };
}

interface Reading {
  readonly now_ms: () => number;
  readonly read?: (path: string) => Promise<string | undefined>;
}

export async function loadCounters({ now_ms, read = systemFile }: Reading): Promise<LoadCounters> {
  const [pressure, stat, self] = await Promise.all(
    ['/proc/pressure/cpu', '/proc/stat', '/proc/self/stat'].map((path) => read(path)),
  );
  const waiting = /^some .*total=(\d+)/mu.exec(pressure ?? '')?.[1];
  const ticks = ticksOf(stat ?? '', self ?? '');
  return {
    at_ms: now_ms(),
    ...(waiting === undefined ? {} : { waiting_us: Number(waiting) }),
    ...defined({ ticks }),
  };
}

function ticksOf(stat: string, self: string): LoadCounters['ticks'] {
  const [user, nice, system, idle, io, irq, soft, stolen = 0] =
    /^cpu +([\d ]+)$/mu.exec(stat)?.[1]?.split(' ').map(Number) ?? [];
  if (soft === undefined) return undefined;
  const busy = user! + nice! + system! + irq! + soft;
  return {
    busy,
    stolen,
    all: busy + idle! + io! + stolen,
    cpus: stat.match(/^cpu\d/gmu)?.length ?? 1,
    own: ownTicks(self),
  };
}

/** The name, in parentheses, may hold anything; utime, stime, cutime and cstime are the 12th to 15th after it. */
function ownTicks(self: string): number {
  const fields = self.slice(self.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** What else the machine did between two moments; undefined where it counts nothing. */
export function loadBetween(before: LoadCounters, after: LoadCounters): Load | undefined {
  const waited_us = after.waiting_us === undefined ? undefined : after.waiting_us - (before.waiting_us ?? 0);
  const waited =
    waited_us === undefined
      ? {}
      : { waited_pct: tenths((100 * waited_us) / 1000 / Math.max(1, after.at_ms - before.at_ms)) };
  if (before.ticks === undefined || after.ticks === undefined) {
    return waited_us === undefined ? undefined : waited;
  }
  const { cpus } = after.ticks;
  const all = Math.max(1, after.ticks.all - before.ticks.all);
  const own = after.ticks.own - before.ticks.own;
  const others = Math.max(0, after.ticks.busy - before.ticks.busy - own);
  return {
    cpus,
    other_cpus: tenths((cpus * others) / all),
    stolen_pct: tenths((100 * (after.ticks.stolen - before.ticks.stolen)) / all),
    ...waited,
  };
}

/** A tick is a hundredth of a second: more digits would be noise. */
function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
