import { metricNames, type Signal } from '../../src/profile/facts/metric-names.ts';
import type { LaunchProfile, Metric } from '../../src/model/profile/profile.ts';

export type SignalValues = Partial<Record<Signal, number | undefined>>;

/**
 * A plausible launch on an H200 in which nothing is wrong but that no unit is busy: 100 blocks an SM, every warp full,
 * waits spread over many reasons. Tests plant a fault in it.
 */
const QUIET: SignalValues = {
  duration_ns: 500_000,
  sm_clock_hz: 1.98e9,
  sm_pct: 40,
  memory_pct: 40,
  instruction_pct: 40,
  memory_pipes_pct: 20,
  dram_pct: 35,
  l2_pct: 35,
  l1_pct: 30,
  dram_bytes_per_s: 1.6e12,
  dram_read_bytes: 600e6,
  dram_write_bytes: 200e6,
  dram_peak_bytes_per_cycle: 1504,
  dram_clock_hz: 3.2e9,
  l2_size_bytes: 62_914_560,
  l1_hit_pct: 30,
  l2_hit_pct: 50,
  l2_read_hit_pct: 5,
  l2_read_sectors: 18_750_000,
  tensor_pct: 0,
  async_mma_pct: 0,
  tma_pct: 0,
  xu_pct: 2,
  fma_pct: 20,
  alu_pct: 20,
  fp64_pct: 0,
  issue_pct: 40,
  issue_elapsed_pct: 40,
  ipc_elapsed: 1.6,
  eligible_warps: 1,
  active_warps: 14,
  occupancy_pct: 92,
  theoretical_occupancy_pct: 100,
  limit_blocks: 32,
  limit_registers: 8,
  limit_shared_mem: 32,
  limit_warps: 8,
  limit_barriers: 32,
  registers_per_thread: 32,
  static_shared_bytes: 0,
  dynamic_shared_bytes: 0,
  block_size: 256,
  grid_size: 13_200,
  waves: 12.5,
  sm_count: 132,
  sm_active_cycles: 980_000,
  sm_active_cycles_max: 1_000_000,
  sm_elapsed_cycles: 1_000_000,
  inst_executed: 200e6,
  threads_per_inst: 32,
  unpredicated_threads_per_inst: 31,
  icache_hit_pct: 99,
  warp_latency: 30,
  stall_long_scoreboard: 8,
  stall_short_scoreboard: 2,
  stall_barrier: 2,
  stall_wait: 5,
  stall_math_pipe_throttle: 2,
  stall_mio_throttle: 2,
  stall_lg_throttle: 2,
  stall_tex_throttle: 0,
  stall_drain: 0.5,
  stall_membar: 0,
  stall_no_instruction: 0.5,
  stall_gmma: 0,
  shared_wavefronts_actual: 10e6,
  shared_wavefronts_ideal: 10e6,
  shared_wavefronts_excess: 0,
  shared_wavefronts: 10e6,
  shared_load_wavefronts: 8e6,
  shared_store_wavefronts: 2e6,
  shared_load_conflicts: 0,
  shared_store_conflicts: 0,
  shared_atomic_wavefronts: 0,
  l1_wavefronts_pct: 30,
  global_sectors: 25e6,
  global_sectors_excess: 0,
  global_sectors_ideal: 25e6,
  global_load_sectors: 18.75e6,
  global_store_sectors: 6.25e6,
  global_load_requests: 4.7e6,
  global_store_requests: 1.6e6,
  load_bytes_per_sector: 32,
  store_bytes_per_sector: 32,
  spill_requests: 0,
  local_load_sectors: 0,
  local_store_sectors: 0,
  local_load_requests: 0,
  local_store_requests: 0,
  global_atomic_requests: 0,
  global_reduction_requests: 0,
  shared_atomic_inst: 0,
  l2_atomic_pct: 0,
  l2_atomic_busiest_pct: 0,
  ffma_per_cycle: 500,
  fadd_per_cycle: 300,
  fmul_per_cycle: 300,
  dfma_per_cycle: 0,
  dadd_per_cycle: 0,
  dmul_per_cycle: 0,
  global_load_inst: 4.7e6,
  shared_load_inst: 8e6,
};

function metricsOf(values: SignalValues, capability: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  for (const [signal, value] of Object.entries(values)) {
    const [name] = metricNames(signal as Signal, capability);
    if (value !== undefined && name !== undefined && !metrics.has(name))
      metrics.set(name, { value, unit: '' });
  }
  return metrics;
}

/** The quiet launch with some signals changed; undefined is "not collected". */
export function launchOf(changed: SignalValues = {}, capability = '9.0', name = 'kernel'): LaunchProfile {
  return {
    name,
    id: '0',
    grid: undefined,
    block: undefined,
    device: 'NVIDIA H200',
    computeCapability: capability,
    metrics: metricsOf({ ...QUIET, ...changed }, capability),
    texts: new Map(),
    ncuRules: [],
  };
}

/** Only what is given: as from `ncu --metrics`. */
export const launchWithOnly = (values: SignalValues, capability = '9.0'): LaunchProfile => ({
  ...launchOf({}, capability),
  metrics: metricsOf(values, capability),
});

/** A launch whose warps wait for one reason, this percent of the time. */
export const waiting = (stall: Signal & `stall_${string}`, pct: number): SignalValues => ({
  warp_latency: 100,
  stall_long_scoreboard: 10,
  stall_short_scoreboard: 3,
  stall_barrier: 3,
  stall_wait: 10,
  stall_math_pipe_throttle: 3,
  stall_mio_throttle: 3,
  stall_lg_throttle: 3,
  [stall]: pct,
});
