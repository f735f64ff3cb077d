/** What the SM computes with, and how much of it there is. */
import { quotedBusiestPipe, quotedFp32PeakPct, quotedFusedFp32 } from './rule-text.ts';
import { highest, percent, sum, WARP_THREADS, type Derivations, type FactReader } from './derivation.ts';

/** FP32 lanes of an SM (CUDA Programming Guide, arithmetic instructions throughput). */
const FP32_LANES: Readonly<Record<string, number>> = { '7.5': 64, '8.0': 64 };
const FP32_LANES_SINCE_8_6 = 128;
/** Each issues one instruction a cycle, on every SM since Volta. */
const SCHEDULERS = 4;

type ComputeFact =
  | 'compute_pct'
  | 'issue_load_pct'
  | 'special_function_pct'
  | 'matrix_pct'
  | 'fp32_flops_per_cycle'
  | 'flops_per_dram_byte'
  | 'fused_fp32_pct'
  | 'loads_per_fma'
  | 'fp64_ops_per_cycle'
  | 'fusable_pct';

export const computeFacts: Derivations<ComputeFact> = {
  /** The busiest of the arithmetic pipes and the issue slots; special functions and matrix units have their own. */
  compute_pct: {
    reads: ['issue_load_pct', 'fma_pct', 'alu_pct', 'fp64_pct'],
    derive: (facts) => {
      const pipes = highest(facts.have('fma_pct'), facts.have('alu_pct'), facts.have('fp64_pct'));
      const issue = facts.have('issue_load_pct');
      if (pipes !== undefined) return highest(pipes, issue);
      const quoted = quotedBusiestPipe(facts.launch.ncuRules);
      if (quoted) return highest(quoted.isTensor ? undefined : quoted.pct, issue);
      return issue;
    },
  },
  /** Issue slots taken, of elapsed time. */
  issue_load_pct: {
    reads: ['issue_elapsed_pct', 'ipc_elapsed'],
    derive: (facts) => {
      const ipc = facts.have('ipc_elapsed');
      return facts.have('issue_elapsed_pct') ?? (ipc === undefined ? undefined : (100 * ipc) / SCHEDULERS);
    },
  },
  special_function_pct: {
    reads: ['xu_pct', 'instruction_pct', 'sm_pct', 'issue_load_pct', 'memory_pipes_pct', 'mio_throttle_pct'],
    derive: (facts) => facts.have('xu_pct') ?? inferredSpecialFunctionPct(facts),
  },
  matrix_pct: {
    reads: ['tensor_pct'],
    derive: (facts) => {
      const measured = facts.have('tensor_pct');
      if (measured !== undefined) return measured;
      const quoted = quotedBusiestPipe(facts.launch.ncuRules);
      return quoted?.isTensor === true ? quoted.pct : undefined;
    },
  },
  fp32_flops_per_cycle: {
    reads: ['ffma_per_cycle', 'fadd_per_cycle', 'fmul_per_cycle', 'sm_count'],
    derive: (facts) => {
      const fused = facts.have('ffma_per_cycle');
      const measured = sum(fused, fused, facts.have('fadd_per_cycle'), facts.have('fmul_per_cycle'));
      if (measured !== undefined) return measured;
      const peakPct = quotedFp32PeakPct(facts.launch.ncuRules);
      const sms = facts.have('sm_count');
      if (peakPct === undefined || sms === undefined) return undefined;
      const lanes = FP32_LANES[facts.launch.computeCapability ?? ''] ?? FP32_LANES_SINCE_8_6;
      return (peakPct / 100) * 2 * lanes * sms;
    },
  },
  flops_per_dram_byte: {
    reads: ['fp32_flops_per_cycle', 'sm_elapsed_cycles', 'dram_bytes'],
    derive: (facts) => {
      const flops = facts.have('fp32_flops_per_cycle');
      const cycles = facts.have('sm_elapsed_cycles');
      const bytes = facts.have('dram_bytes');
      if (flops === undefined || cycles === undefined || bytes === undefined) return undefined;
      return (flops * cycles) / Math.max(bytes, 1);
    },
  },
  fused_fp32_pct: {
    reads: ['ffma_per_cycle', 'fadd_per_cycle', 'fmul_per_cycle'],
    derive: (facts) => {
      const fused = facts.have('ffma_per_cycle');
      const all = sum(fused, facts.have('fadd_per_cycle'), facts.have('fmul_per_cycle'));
      const quoted = quotedFusedFp32(facts.launch.ncuRules);
      return percent(fused, all) ?? percent(quoted?.part, quoted?.whole);
    },
  },
  /** Elements loaded from global and shared memory for each fused multiply-add; a wide load counts once. */
  loads_per_fma: {
    reads: ['global_load_inst', 'shared_load_inst', 'ffma_per_cycle', 'sm_elapsed_cycles'],
    derive: (facts) => {
      const loads = sum(facts.have('global_load_inst'), facts.have('shared_load_inst'));
      const fused = facts.have('ffma_per_cycle');
      const cycles = facts.have('sm_elapsed_cycles');
      if (loads === undefined || fused === undefined || cycles === undefined || fused === 0) return undefined;
      return (loads * WARP_THREADS) / (fused * cycles);
    },
  },
  fp64_ops_per_cycle: {
    reads: ['dfma_per_cycle', 'dadd_per_cycle', 'dmul_per_cycle'],
    derive: (facts) =>
      sum(facts.have('dfma_per_cycle'), facts.have('dadd_per_cycle'), facts.have('dmul_per_cycle')),
  },
  /** Percent of executed instructions that are multiplications and additions which could be one instruction. */
  fusable_pct: {
    reads: ['fadd_per_cycle', 'fmul_per_cycle', 'sm_elapsed_cycles', 'inst_executed'],
    derive: (facts) => {
      const adds = facts.have('fadd_per_cycle');
      const multiplies = facts.have('fmul_per_cycle');
      const cycles = facts.have('sm_elapsed_cycles');
      if (adds === undefined || multiplies === undefined || cycles === undefined) return undefined;
      return percent((Math.min(adds, multiplies) * cycles) / WARP_THREADS, facts.have('inst_executed'));
    },
  },
};

/**
 * Where the XU counter was not collected: the SM is busy with instructions, neither its issue slots nor any pipe with
 * a cycle counter is, and warps queue for the MIO although its memory pipes are idle. What is left is the XU.
 */
function inferredSpecialFunctionPct(facts: FactReader): number | undefined {
  const busy = facts.have('instruction_pct') ?? facts.have('sm_pct');
  const issue = facts.have('issue_load_pct');
  const memoryPipes = facts.have('memory_pipes_pct');
  const queued = facts.have('mio_throttle_pct') ?? facts.have('short_scoreboard_pct');
  const pipe = quotedBusiestPipe(facts.launch.ncuRules);
  if (busy === undefined || issue === undefined || memoryPipes === undefined || !pipe) return undefined;
  const unexplained = busy > Math.max(issue, pipe.pct, memoryPipes) + 10;
  return unexplained && memoryPipes < 20 && queued !== undefined && queued > 30 ? busy : undefined;
}
