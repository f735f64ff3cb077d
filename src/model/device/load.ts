import { z } from 'zod';

/** What else a machine did while something was measured on it. What it does not count is absent. */
export const loadSchema = z.object({
  cpus: z.int().positive().optional(),
  /** So many CPUs, on average, were busy with other programs. */
  other_cpus: z.number().nonnegative().optional(),
  /** Of the CPUs' time, what a hypervisor gave to others. */
  stolen_pct: z.number().nonnegative().optional(),
  /** Of the time, how long some task waited for a CPU, Pawl's own among them. */
  waited_pct: z.number().nonnegative().optional(),
  /** How busy the GPU was before anything of this run was on it. */
  gpu_busy_pct: z.number().nonnegative().optional(),
  /** Other processes that computed on the GPU. */
  foreign_pids: z.array(z.int()).optional(),
});
export type Load = z.infer<typeof loadSchema>;

/** What a quiet machine does beside: half a CPU, or a tenth of all. */
const QUIET = { cpus: 0.5, share: 0.1 } as const;
/** Who believes a ceiling allows for as much (`CEILING_TOLERANCE` of the roofline). */
const MOST_STOLEN_PCT = 5;
/** nvidia-smi's own queries show as one or two per cent. */
export const IDLE_GPU_PCT = 5;

const SIGNS: readonly {
  readonly isThere: (load: Load) => boolean;
  readonly text: (load: Load) => string;
}[] = [
  {
    isThere: ({ other_cpus = 0, cpus = 1 }) => other_cpus > Math.max(QUIET.cpus, QUIET.share * cpus),
    text: ({ other_cpus = 0, cpus = 1 }) => `other work kept ${other_cpus.toFixed(1)} of ${cpus} CPUs busy`,
  },
  {
    isThere: ({ stolen_pct = 0 }) => stolen_pct > MOST_STOLEN_PCT,
    text: ({ stolen_pct = 0 }) => `the hypervisor took ${Math.round(stolen_pct)} % of the CPUs' time`,
  },
  {
    isThere: ({ gpu_busy_pct = 0 }) => gpu_busy_pct > IDLE_GPU_PCT,
    text: ({ gpu_busy_pct = 0 }) => `other work kept the GPU ${Math.round(gpu_busy_pct)} % busy`,
  },
  {
    isThere: ({ foreign_pids = [] }) => foreign_pids.length > 0,
    text: ({ foreign_pids = [] }) =>
      `other processes computed on the device (pid ${foreign_pids.join(', ')})`,
  },
];

/** Whether other work took so much that times are not the kernel's alone. */
export function isLoaded(load: Load): boolean {
  return SIGNS.some(({ isThere }) => isThere(load));
}

/** What disturbed; empty where nothing did. */
export function loadTexts(load: Load): string[] {
  return SIGNS.flatMap(({ isThere, text }) => (isThere(load) ? [text(load)] : []));
}

/** The most of each: of runs that are put into one file, none is called quieter than it was. */
export function worstLoad(loads: readonly Load[]): Load {
  const most = (field: 'cpus' | 'other_cpus' | 'stolen_pct' | 'waited_pct' | 'gpu_busy_pct') => {
    const values = loads.flatMap((load) => load[field] ?? []);
    return values.length === 0 ? {} : { [field]: Math.max(...values) };
  };
  return {
    ...most('cpus'),
    ...most('other_cpus'),
    ...most('stolen_pct'),
    ...most('waited_pct'),
    ...most('gpu_busy_pct'),
  };
}

/** Keeps what was measured under load, for machines that are never idle; the same as `--accept-load`. */
const ACCEPT_LOAD_VARIABLE = 'PAWL_ACCEPT_LOAD';

export function acceptsLoad(env: Readonly<Record<string, string | undefined>>): boolean {
  return /^(?:1|true|yes|on)$/iu.test(env[ACCEPT_LOAD_VARIABLE] ?? '');
}
