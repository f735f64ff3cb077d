/** How busy a machine is with other work, and whether its own had to wait for a CPU. */
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
  };
}

interface Reading {
  readonly now_ms: () => number;
  readonly read?: (path: string) => Promise<string | undefined>;
}

export async function loadCounters({ now_ms, read = systemFile }: Reading): Promise<LoadCounters> {
  const [pressure, stat] = await Promise.all([read('/proc/pressure/cpu'), read('/proc/stat')]);
  const waiting = /^some .*total=(\d+)/mu.exec(pressure ?? '')?.[1];
  const ticks = ticksOf(stat ?? '');
  return {
    at_ms: now_ms(),
    ...(waiting === undefined ? {} : { waiting_us: Number(waiting) }),
    ...(ticks === undefined ? {} : { ticks }),
  };
}

function ticksOf(stat: string): LoadCounters['ticks'] {
  const [user, nice, system, idle, io, irq, soft, stolen = 0] =
    /^cpu +([\d ]+)$/mu.exec(stat)?.[1]?.split(' ').map(Number) ?? [];
  if (soft === undefined) return undefined;
  const busy = user! + nice! + system! + irq! + soft;
  return {
    busy,
    stolen,
    all: busy + idle! + io! + stolen,
    cpus: stat.match(/^cpu\d/gmu)?.length ?? 1,
  };
}

/** Of the time: Pawl's own processes wait for each other a little. */
const MOST_WAITING = 0.1;
/** Of what a virtual machine's CPUs could have done. */
const MOST_STOLEN = 0.02;

/** What disturbed work that was done between two moments; empty where nothing did, or nothing is counted. */
export function disturbancesBetween(before: LoadCounters, after: LoadCounters): string[] {
  const waited_ms = ((after.waiting_us ?? 0) - (before.waiting_us ?? 0)) / 1000;
  const waiting = waited_ms / Math.max(1, after.at_ms - before.at_ms);
  const stolen = shareOfTicks(before, after, 'stolen');
  return [
    ...(waiting > MOST_WAITING ? [`tasks waited for a CPU ${percent(waiting)} of the time`] : []),
    ...(stolen > MOST_STOLEN ? [`the hypervisor took ${percent(stolen)} of the CPUs' time`] : []),
  ];
}

/** What a quiet machine does beside: half a CPU, or a tenth of all. */
const QUIET = { cpus: 0.5, share: 0.1 } as const;

/** Whether other work ran between two moments in which this process did nothing; empty where none did. */
export function otherWorkBetween(before: LoadCounters, after: LoadCounters): string[] {
  const cpus = after.ticks?.cpus ?? 1;
  const busy = shareOfTicks(before, after, 'busy') * cpus;
  if (busy <= Math.max(QUIET.cpus, QUIET.share * cpus)) return [];
  return [`other work kept ${busy.toFixed(1)} of ${cpus} CPUs busy`];
}

function shareOfTicks(before: LoadCounters, after: LoadCounters, what: 'busy' | 'stolen'): number {
  if (before.ticks === undefined || after.ticks === undefined) return 0;
  return (after.ticks[what] - before.ticks[what]) / Math.max(1, after.ticks.all - before.ticks.all);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
