/** Why a warp does not issue: ncu's columns (`stall_long_sb`), our names, and what each means. */

interface StallReason {
  /** Columns of the source page, without `stall_`; ncu has shortened some over the years. */
  readonly columns: readonly string[];
  readonly words: string;
}

/** Nsight Compute documentation, Kernel Profiling Guide, Metrics Reference: Warp Stall Reasons. */
const STALL_REASONS: Readonly<Record<string, StallReason>> = {
  'long-scoreboard': { columns: ['long_sb', 'long_scoreboard'], words: 'waits for global or local memory' },
  'short-scoreboard': {
    columns: ['short_sb', 'short_scoreboard'],
    words: 'waits for shared memory or a slow instruction',
  },
  barrier: { columns: ['barrier'], words: 'waits for other warps at a barrier' },
  membar: { columns: ['membar'], words: 'waits at a memory fence' },
  'lg-throttle': { columns: ['lg', 'lg_throttle'], words: 'the queue to global memory is full' },
  'mio-throttle': {
    columns: ['mio', 'mio_throttle'],
    words: 'the queue to shared memory and slow units is full',
  },
  'tex-throttle': { columns: ['tex', 'tex_throttle'], words: 'the queue to the texture unit is full' },
  'math-throttle': { columns: ['math', 'math_pipe_throttle'], words: 'the arithmetic unit is busy' },
  'fixed-latency': { columns: ['wait'], words: 'waits for the previous instruction' },
  'constant-miss': { columns: ['imc', 'imc_miss'], words: 'waits for constant memory' },
  'no-instruction': {
    columns: ['no_inst', 'no_inst', 'no_instruction', 'no_instructions'],
    words: 'waits for instruction fetch',
  },
  branch: { columns: ['branch_resolve', 'branch_resolving'], words: 'waits for a branch' },
  sleeping: { columns: ['sleep', 'sleeping'], words: 'sleeps' },
  drain: { columns: ['drain'], words: 'waits for its stores before it ends' },
  dispatch: { columns: ['dispatch', 'dispatch_stall'], words: 'held back by the dispatcher' },
  matrix: { columns: ['gmma'], words: 'waits for the tensor cores' },
  'warpgroup-arrive': { columns: ['warpgroup_arrive'], words: 'waits for its warp group' },
  'not-selected': { columns: ['not_selected'], words: 'ready, but another warp was selected' },
  selected: { columns: ['selected'], words: 'issues' },
  misc: { columns: ['misc'], words: 'other' },
};

const BY_COLUMN = new Map(
  Object.entries(STALL_REASONS).flatMap(([name, { columns }]) =>
    columns.map((column) => [column, name] as const),
  ),
);

/** `stall_long_sb` → `long-scoreboard`; a reason that a later ncu adds keeps its own name. */
export function stallReason(column: string): string {
  const short = column.replace(/^stall_/u, '');
  return BY_COLUMN.get(short) ?? short.replaceAll('_', '-');
}

export function stallWords(reason: string): string {
  return STALL_REASONS[reason]?.words ?? reason.replace('-', ' ');
}
