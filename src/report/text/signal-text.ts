/** Signals of a profile in words, with numbers that people read. */
import { formatIn, timeUnit } from './units.ts';

/** Names that say less than they could once their underscores are spaces. */
const WORDS: Readonly<Record<string, string>> = {
  duration_ns: 'duration',
  sm_elapsed_cycles: 'SM cycles elapsed',
  sm_active_cycles: 'SM cycles active',
  static_shared_bytes: 'static shared memory of a block',
  dynamic_shared_bytes: 'dynamic shared memory of a block',
  sm_pct: 'SM throughput',
  memory_pct: 'memory throughput',
  dram_pct: 'DRAM throughput',
  l2_pct: 'L2 throughput',
  l1_pct: 'L1 and shared-memory throughput',
  xu_pct: 'special-function units',
  special_function_pct: 'special-function units',
  matrix_pct: 'tensor cores',
  tensor_pct: 'tensor cores',
  async_mma_pct: 'asynchronous matrix instructions',
  tma_pct: 'TMA unit',
  compute_pct: 'busiest arithmetic pipe',
  alu_pct: 'integer pipe',
  fma_pct: 'FMA pipe',
  fp64_pct: 'FP64 pipe',
  issue_pct: 'issue slots taken',
  issue_load_pct: 'issue slots taken, of elapsed time',
  limiter_pct: 'load of the limiting unit',
  conflict_pct: 'shared-memory wavefronts that repeat',
  conflict_wavefronts: 'repeated shared-memory wavefronts',
  l1_wavefronts: 'L1 wavefronts',
  shared_wavefronts_actual: 'shared-memory wavefronts by instruction',
  shared_wavefronts_ideal: 'shared-memory wavefronts, conflict-free',
  shared_wavefronts: 'shared-memory wavefronts',
  excess_sector_pct: 'wasted sectors',
  excess_global_sectors: 'wasted sectors, count',
  all_global_sectors: 'sectors of global accesses',
  occupancy_pct: 'achieved occupancy',
  theoretical_occupancy_pct: 'theoretical occupancy',
  limit_shared_mem: 'blocks that shared memory allows',
  limit_registers: 'blocks that registers allow',
  limit_warps: 'blocks that warps allow',
  limit_blocks: 'blocks that an SM allows',
  limit_barriers: 'blocks that barriers allow',
  sm_idle_pct: 'time without work on an SM',
  sm_imbalance_pct: 'imbalance between SMs',
  sm_count: 'SMs',
  grid_size: 'blocks in the grid',
  block_size: 'threads in a block',
  inst_executed: 'warp instructions',
  threads_per_inst: 'threads active in an instruction',
  unpredicated_threads_per_inst: 'threads not predicated off',
  throttle_pct: 'stalled: memory queues full',
  long_scoreboard_pct: 'stalled: global or local memory',
  short_scoreboard_pct: 'stalled: shared memory, special functions',
  barrier_pct: 'stalled: barrier',
  wait_pct: 'stalled: fixed latency',
  math_throttle_pct: 'stalled: arithmetic pipe busy',
  mio_throttle_pct: 'stalled: shared-memory and special-function queue full',
  lg_throttle_pct: 'stalled: global-memory queue full',
  tex_throttle_pct: 'stalled: texture queue full',
  drain_pct: 'stalled: stores at the end',
  membar_pct: 'stalled: memory fence',
  no_instruction_pct: 'stalled: instruction fetch',
  gmma_pct: 'stalled: wgmma',
  icache_hit_pct: 'instruction cache hits',
  l1_hit_pct: 'L1 hits',
  l2_hit_pct: 'L2 hits',
  l2_read_hit_pct: 'L2 hits of reads',
};

/** By the end of the name, as the rules name their facts. */
const UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ['_pct', '%'],
  ['_ns', 'ns'],
  ['_hz', 'hz'],
  ['_bytes_per_s', 'byte/s'],
  ['_bytes', 'byte'],
];

export function signalLabel(name: string): string {
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  return words ?? name.replace(/_(?:pct|ns|hz|bytes)$/u, '').replaceAll('_', ' ');
}

export function signalValue(name: string, value: number, unit?: string): string {
  const known = unit ?? UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? '';
  if (known === '%') return `${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} %`;
  if (known === 'ns') return formatTime(value);
  if (known === 'hz') return siNumber(value, 'Hz');
  if (known === 'byte') return siNumber(value, 'B');
  if (known === 'byte/s') return siNumber(value, 'B/s');
  return siNumber(value, known === 'cycle' ? '' : known);
}

const NS_PER_MS = 1e6;

export function formatTime(ns: number): string {
  const unit = timeUnit([ns / NS_PER_MS]);
  return `${formatIn(ns / NS_PER_MS, unit, 2)} ${unit.name}`;
}

const PREFIXES = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** Three digits that matter, and a decimal prefix. */
export function siNumber(value: number, unit = ''): string {
  const [divisor, prefix] = PREFIXES.find(([size]) => Math.abs(value) >= size) ?? [1, ''];
  const digits = Number((value / divisor).toPrecision(3));
  return `${digits} ${prefix}${unit}`.trimEnd();
}

const WASTE = /^(?:duration|sm_elapsed_cycles|conflict|excess|local_|spill|sm_idle|sm_imbalance)/u;
const HEALTH = /(?:_hit_pct|bytes_per_sector)$/u;

/** Whether more of it is a loss or a gain; most signals are neither by themselves. */
export function signalSense(name: string): 'waste' | 'health' | undefined {
  if (WASTE.test(name)) return 'waste';
  return HEALTH.test(name) ? 'health' : undefined;
}
