/**
 * What the rules call a signal, and under which names Nsight Compute reports it. Names differ between compute
 * capabilities; an older or a narrower export may hold the second-best name only. Best name first.
 */

/** The compute capabilities whose names are known here; others read as the nearest below them. */
export const KNOWN_CAPABILITIES = ['7.5', '8.0', '8.6', '8.9', '9.0', '10.0'] as const;
export type Capability = (typeof KNOWN_CAPABILITIES)[number];

type Names = readonly string[];
type NamesByCapability = { readonly default: Names } & { readonly [capability in Capability]?: Names };

const ELAPSED = 'avg.pct_of_peak_sustained_elapsed';
const ACTIVE = 'avg.pct_of_peak_sustained_active';

/** A pipe's load; the share of elapsed time where it was collected, else of the SM's active time. */
const pipe = (...units: readonly string[]): Names =>
  units.flatMap((unit) => [`${unit}.${ELAPSED}`, `${unit}.${ACTIVE}`]);
const stall = (reason: string): Names => [
  `smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio`,
];
const threadOps = (op: string): Names => [
  `smsp__sass_thread_inst_executed_op_${op}_pred_on.sum.per_cycle_elapsed`,
];

const names = {
  duration_ns: ['gpu__time_duration.sum'],
  sm_clock_hz: ['gpc__cycles_elapsed.avg.per_second', 'smsp__cycles_elapsed.avg.per_second'],

  sm_pct: [`sm__throughput.${ELAPSED}`],
  memory_pct: [`gpu__compute_memory_throughput.${ELAPSED}`],
  instruction_pct: [`sm__instruction_throughput.${ELAPSED}`],
  memory_pipes_pct: [`sm__memory_throughput.${ELAPSED}`],
  dram_pct: [`gpu__dram_throughput.${ELAPSED}`, `dram__throughput.${ELAPSED}`],
  l2_pct: [`lts__throughput.${ELAPSED}`],
  l1_pct: [`l1tex__throughput.${ELAPSED}`, `l1tex__throughput.${ACTIVE}`],

  dram_bytes_per_s: ['dram__bytes.sum.per_second'],
  dram_read_bytes: {
    default: ['dram__bytes_read.sum'],
    '10.0': ['dram__bytes_op_read.sum', 'dram__bytes_read.sum'],
  },
  dram_write_bytes: {
    default: ['dram__bytes_write.sum'],
    '10.0': ['dram__bytes_op_write.sum', 'dram__bytes_write.sum'],
  },
  dram_peak_bytes_per_cycle: ['dram__bytes.sum.peak_sustained'],
  dram_clock_hz: ['dram__cycles_elapsed.avg.per_second'],
  l2_size_bytes: ['device__attribute_l2_cache_size'],
  l1_hit_pct: ['l1tex__t_sector_hit_rate.pct'],
  l2_hit_pct: ['lts__t_sector_hit_rate.pct'],
  l2_read_hit_pct: ['lts__t_sector_op_read_hit_rate.pct'],
  l2_read_sectors: ['lts__t_sectors_srcunit_tex_op_read.sum'],

  tensor_pct: {
    default: pipe('sm__pipe_tensor_cycles_active'),
    '7.5': pipe('sm__pipe_tensor_cycles_active', 'sm__inst_executed_pipe_tensor'),
    '8.9': pipe('sm__pipe_tensor_cycles_active_v2', 'sm__pipe_tensor_cycles_active'),
    // Matrix instructions only: the plain counter also counts half-precision FMAs that share the pipe.
    '9.0': [
      `sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.${ELAPSED}`,
      ...pipe('sm__pipe_tensor_cycles_active'),
    ],
    '10.0': pipe(
      'sm__pipe_tc_cycles_active',
      'sm__pipe_tensor_cycles_active',
      'sm__pipe_tensor_subpipe_hmma_cycles_active',
    ),
  },
  /** Asynchronous matrix instructions: wgmma on 9.0, tcgen05 on 10.0. */
  async_mma_pct: {
    default: [],
    '9.0': pipe('sm__inst_executed_pipe_tensor_op_gmma'),
    '10.0': pipe('sm__inst_executed_pipe_tc'),
  },
  tma_pct: {
    default: [],
    '9.0': pipe('sm__inst_executed_pipe_tma', 'sm__pipe_tma_cycles_active'),
    '10.0': pipe('sm__inst_executed_pipe_tma', 'sm__pipe_tma_cycles_active'),
  },
  xu_pct: pipe('sm__inst_executed_pipe_xu'),
  fma_pct: { default: pipe('sm__pipe_fma_cycles_active', 'sm__inst_executed_pipe_fma') },
  alu_pct: pipe('sm__pipe_alu_cycles_active', 'sm__inst_executed_pipe_alu'),
  fp64_pct: pipe('sm__pipe_fp64_cycles_active', 'sm__inst_executed_pipe_fp64'),

  issue_pct: [
    'smsp__issue_active.avg.pct_of_peak_sustained_active',
    `sm__inst_issued.${ELAPSED}`,
    `sm__issue_active.${ELAPSED}`,
  ],
  issue_elapsed_pct: [
    `sm__inst_issued.${ELAPSED}`,
    `sm__issue_active.${ELAPSED}`,
    `sm__inst_executed.${ELAPSED}`,
  ],
  ipc_elapsed: ['sm__inst_executed.avg.per_cycle_elapsed'],
  eligible_warps: ['smsp__warps_eligible.avg.per_cycle_active'],
  active_warps: ['smsp__warps_active.avg.per_cycle_active'],
  occupancy_pct: ['sm__warps_active.avg.pct_of_peak_sustained_active'],
  theoretical_occupancy_pct: ['sm__maximum_warps_per_active_cycle_pct'],
  limit_blocks: ['launch__occupancy_limit_blocks'],
  limit_registers: ['launch__occupancy_limit_registers'],
  limit_shared_mem: ['launch__occupancy_limit_shared_mem'],
  limit_warps: ['launch__occupancy_limit_warps'],
  limit_barriers: {
    default: [],
    '9.0': ['launch__occupancy_limit_barriers'],
    '10.0': ['launch__occupancy_limit_barriers'],
  },
  registers_per_thread: ['launch__registers_per_thread'],
  static_shared_bytes: ['launch__shared_mem_per_block_static'],
  dynamic_shared_bytes: ['launch__shared_mem_per_block_dynamic'],
  block_size: ['launch__block_size'],
  grid_size: ['launch__grid_size'],
  waves: ['launch__waves_per_multiprocessor'],
  sm_count: ['launch__sm_count', 'device__attribute_multiprocessor_count'],

  sm_active_pct: [`sm__cycles_active.${ELAPSED}`],
  sm_active_cycles: ['sm__cycles_active.avg'],
  sm_active_cycles_max: ['sm__cycles_active.max'],
  sm_elapsed_cycles: ['sm__cycles_elapsed.avg', 'sm__cycles_elapsed.max', 'gpc__cycles_elapsed.max'],

  inst_executed: ['smsp__inst_executed.sum'],
  threads_per_inst: ['smsp__thread_inst_executed_per_inst_executed.ratio'],
  unpredicated_threads_per_inst: ['smsp__thread_inst_executed_pred_on_per_inst_executed.ratio'],
  icache_hit_pct: ['sm__icc_request_hit_rate.pct'],

  warp_latency: ['smsp__average_warp_latency_per_inst_issued.ratio'],
  stall_long_scoreboard: stall('long_scoreboard'),
  stall_short_scoreboard: stall('short_scoreboard'),
  stall_barrier: stall('barrier'),
  stall_wait: stall('wait'),
  stall_math_pipe_throttle: stall('math_pipe_throttle'),
  stall_mio_throttle: stall('mio_throttle'),
  stall_lg_throttle: stall('lg_throttle'),
  stall_tex_throttle: stall('tex_throttle'),
  stall_drain: stall('drain'),
  stall_membar: stall('membar'),
  stall_no_instruction: stall('no_instruction'),
  stall_gmma: { default: [], '9.0': stall('gmma') },

  shared_wavefronts_actual: ['memory_l1_wavefronts_shared'],
  shared_wavefronts_ideal: ['memory_l1_wavefronts_shared_ideal'],
  shared_wavefronts_excess: ['derived__memory_l1_wavefronts_shared_excessive'],
  shared_wavefronts: ['l1tex__data_pipe_lsu_wavefronts_mem_shared.sum'],
  shared_load_wavefronts: ['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum'],
  shared_store_wavefronts: ['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum'],
  shared_load_conflicts: ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum'],
  shared_store_conflicts: ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'],
  shared_atomic_wavefronts: ['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum'],
  l1_wavefronts_pct: [`l1tex__data_pipe_lsu_wavefronts.${ELAPSED}`],

  global_sectors: ['memory_l2_theoretical_sectors_global'],
  global_sectors_excess: ['derived__memory_l2_theoretical_sectors_global_excessive'],
  global_sectors_ideal: ['memory_l2_theoretical_sectors_global_ideal'],
  global_load_sectors: ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'],
  global_store_sectors: ['l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'],
  global_load_requests: ['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
  global_store_requests: ['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'],
  load_request_sectors: ['l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio'],
  store_request_sectors: ['l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio'],
  load_bytes_per_sector: ['smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio'],
  store_bytes_per_sector: ['smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio'],

  spill_requests: ['derived__local_spilling_requests'],
  local_sectors_theoretical: ['memory_l2_theoretical_sectors_local'],
  local_load_sectors: ['l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum'],
  local_store_sectors: ['l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum'],
  local_load_requests: ['l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum'],
  local_store_requests: ['l1tex__t_requests_pipe_lsu_mem_local_op_st.sum'],

  global_atomic_requests: ['l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum'],
  global_reduction_requests: ['l1tex__t_requests_pipe_lsu_mem_global_op_red.sum'],
  shared_atomic_inst: ['smsp__inst_executed_op_shared_atom.sum'],
  l2_atomic_pct: [`lts__d_atomic_input_cycles_active.${ELAPSED}`],
  l2_atomic_busiest_pct: ['lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed'],

  ffma_per_cycle: threadOps('ffma'),
  fadd_per_cycle: threadOps('fadd'),
  fmul_per_cycle: threadOps('fmul'),
  dfma_per_cycle: threadOps('dfma'),
  dadd_per_cycle: threadOps('dadd'),
  dmul_per_cycle: threadOps('dmul'),
  global_load_inst: ['smsp__sass_inst_executed_op_global_ld.sum'],
  shared_load_inst: ['smsp__sass_inst_executed_op_shared_ld.sum'],
} as const satisfies Record<string, Names | NamesByCapability>;

export type Signal = keyof typeof names;

/** Ratios that people collect instead of what they are made from, which is what `--set full` holds. */
const STAND_INS: readonly Signal[] = ['sm_active_pct', 'load_request_sectors', 'store_request_sectors'];
export const isStandIn = (signal: Signal): boolean => STAND_INS.includes(signal);

export const SIGNALS = Object.keys(names) as readonly Signal[];

/** The known capability that names are looked up for: the newest that is not newer. Unknown reads as 9.0. */
export function knownCapability(capability: string | undefined): Capability {
  const wanted = Number(capability);
  if (capability === undefined || !Number.isFinite(wanted)) return '9.0';
  const below = KNOWN_CAPABILITIES.filter((known) => Number(known) <= wanted);
  return below.at(-1) ?? '7.5';
}

/** The metric names that hold a signal, best first; none where the hardware has no such thing. */
export function metricNames(signal: Signal, capability: string | undefined): Names {
  const entry: Names | NamesByCapability = names[signal];
  if (Array.isArray(entry)) return entry as Names;
  const byCapability = entry as NamesByCapability;
  return byCapability[knownCapability(capability)] ?? byCapability.default;
}

/**
 * Every name that a file may hold a signal under: where it does not say which device it is from, or the device is
 * newer than what is known here, the names of the newest chips come first.
 */
export function namesInFiles(signal: Signal, capability: string | undefined): Names {
  const own = metricNames(signal, capability);
  if (KNOWN_CAPABILITIES.some((known) => known === capability)) return own;
  const others = KNOWN_CAPABILITIES.toReversed().flatMap((known) => metricNames(signal, known));
  return [...new Set([...others, ...own])];
}
