/** The ways in which an SM computes: how much went through each, and how much could have. */
import type { LaunchProfile } from '../../model/profile/profile.ts';
import type { Facts } from '../facts/facts.ts';
import { quotedFp32PeakPct } from '../facts/rule-text.ts';

export interface ComputePath {
  /** The same in two profiles. */
  readonly id: string;
  /** `FP16 tensor operations` */
  readonly counted: string;
  /** `FP16 tensor` */
  readonly label: string;
  readonly unit: string;
  readonly perSecond: number;
  readonly peakPerSecond: number;
}

/** Each issues one warp instruction a cycle, on every SM since Volta. */
const SCHEDULERS = 4;

export function computePaths(facts: Facts): readonly ComputePath[] {
  return [...tensorPaths(facts.launch), ...scalarPaths(facts)].filter(
    ({ perSecond, peakPerSecond }) => perSecond > 0 && peakPerSecond > 0,
  );
}

/** Every kernel has these: they place one that does no arithmetic (Ding, Williams, "An Instruction Roofline Model for GPUs", PMBS 2019). */
export function instructionPath(facts: Facts): ComputePath | undefined {
  const ipc = facts.have('ipc_elapsed');
  const sms = facts.have('sm_count');
  const clockHz = smClockHz(facts);
  if (ipc === undefined || sms === undefined || clockHz === undefined || ipc <= 0) return undefined;
  return {
    id: 'instructions',
    counted: 'warp instructions',
    label: 'Issue slots',
    unit: 'inst',
    perSecond: ipc * sms * clockHz,
    peakPerSecond: SCHEDULERS * sms * clockHz,
  };
}

const TENSOR_METRIC =
  /^sm__ops_path_tensor_(?:op_(?<op>[a-z]+)_)?src_(?<type>[a-z]+\d+)(?:_dst_[a-z]+\d+)?(?:_sparsity_(?<sparsity>on|off))?\.sum\.per_second$/u;

/** By the type of the operands. ncu counts each operation by its instruction and again by its type: one of both is read. */
function tensorPaths({ metrics }: LaunchProfile): readonly ComputePath[] {
  const found = [...metrics].flatMap(([name, { value }]) => {
    const { op, type, sparsity } = TENSOR_METRIC.exec(name)?.groups ?? {};
    if (type === undefined) return [];
    const peak = metrics.get(name.replace(/per_second$/u, 'peak_sustained_elapsed.per_second'))?.value ?? 0;
    return [{ type, byInstruction: op !== undefined, isDense: sparsity === 'off', perSecond: value, peak }];
  });
  const byInstruction = found.filter((one) => one.byInstruction);
  const read = byInstruction.some(({ perSecond }) => perSecond > 0) ? byInstruction : found;
  return [...new Set(read.map(({ type }) => type))].map((type) => {
    const own = read.filter((one) => one.type === type);
    // The peak of sparse products is twice what a dense one can reach.
    const dense = own.filter(({ isDense }) => isDense);
    const ceilings = dense.length > 0 ? dense : own;
    return {
      id: `tensor-${type}`,
      counted: `${type.toUpperCase()} tensor operations`,
      label: `${type.toUpperCase()} tensor`,
      unit: type.startsWith('int') ? 'OP' : 'FLOP',
      perSecond: own.reduce((total, { perSecond }) => total + perSecond, 0),
      peakPerSecond: Math.max(...ceilings.map(({ peak }) => peak)),
    };
  });
}

/** Operations a thread's instruction does, by precision: an FP16 instruction handles a pair. */
const SCALAR = [
  { type: 'fp32', prefix: 'f', lanes: 1 },
  { type: 'fp64', prefix: 'd', lanes: 1 },
  { type: 'fp16', prefix: 'h', lanes: 2 },
] as const;

function scalarPaths(facts: Facts): readonly ComputePath[] {
  const clockHz = smClockHz(facts);
  if (clockHz === undefined) return [];
  const metric = (name: string): number | undefined => facts.launch.metrics.get(name)?.value;
  return SCALAR.flatMap(({ type, prefix, lanes }) => {
    const rate = (op: string): number | undefined =>
      metric(`smsp__sass_thread_inst_executed_op_${prefix}${op}_pred_on.sum.per_cycle_elapsed`);
    const [fused, added, multiplied] = [rate('fma'), rate('add'), rate('mul')];
    const peak = metric(`sm__sass_thread_inst_executed_op_${prefix}fma_pred_on.sum.peak_sustained`);
    const isCounted = fused !== undefined && added !== undefined && multiplied !== undefined;
    const rates =
      isCounted && peak !== undefined
        ? { perCycle: lanes * (2 * fused + added + multiplied), peakPerCycle: lanes * 2 * peak }
        : type === 'fp32'
          ? quotedFp32(facts)
          : undefined;
    if (rates === undefined) return [];
    const name = type.toUpperCase();
    return [
      {
        id: type,
        counted: `${name} operations`,
        label: name,
        unit: 'FLOP',
        perSecond: rates.perCycle * clockHz,
        peakPerSecond: rates.peakPerCycle * clockHz,
      },
    ];
  });
}

/** The details page has no counters, but ncu's rule quotes the share of the peak. */
function quotedFp32(facts: Facts): { perCycle: number; peakPerCycle: number } | undefined {
  const perCycle = facts.have('fp32_flops_per_cycle');
  const peakPct = quotedFp32PeakPct(facts.launch.ncuRules);
  if (perCycle === undefined || peakPct === undefined || peakPct <= 0) return undefined;
  return { perCycle, peakPerCycle: (100 * perCycle) / peakPct };
}

/** Cycles of the SMs, which is what rates per elapsed cycle count in. */
function smClockHz(facts: Facts): number | undefined {
  return facts.launch.metrics.get('sm__cycles_elapsed.avg.per_second')?.value ?? facts.have('sm_clock_hz');
}
