/** What the SM computes with, where something better would do. */
import { knownCapability } from '../metric-names.ts';
import {
  bounded,
  BEST_PRACTICES,
  evidenceOf,
  PROFILING_GUIDE,
  PROGRAMMING_GUIDE,
  round1,
  type Rule,
  type RuleOutcome,
} from './rule.ts';

const XU_BOUND_PCT = 60;
const XU_NEAR_TENSOR_PCT = 40;

export const specialFunctionBound: Rule = {
  id: 'special-function-bound',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['special-function', 'tensor', 'latency'],
  symptomOf: ['stray-fp64'],
  requires: ['special_function_pct'],
  uses: ['compute_pct', 'matrix_pct', 'mio_throttle_pct', 'short_scoreboard_pct', 'memory_pct'],
  condition: `The special-function units (exp, log, sin, rsqrt, conversions) are the busiest unit at ${XU_BOUND_PCT} % or more; or, beside matrix work, at ${XU_NEAR_TENSOR_PCT} % or more and at 90 % of the tensor cores' load.`,
  gainBasis:
    'What lies between their load and that of the next busiest unit: as much work as can move there.',
  source: `${PROGRAMMING_GUIDE}, throughput of arithmetic instructions: 16 results a clock and SM, an eighth of FMA's.`,
  headline: { fact: 'special_function_pct', subject: 'the load of the special-function units', unit: ' %' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const xu = facts.need('special_function_pct');
    const matrix = facts.have('matrix_pct') ?? 0;
    const isBusiest = limit.limiter === 'special-function' && xu >= XU_BOUND_PCT;
    const isBesideMatrix = matrix >= 20 && xu >= XU_NEAR_TENSOR_PCT && xu >= 0.9 * matrix;
    if (!isBusiest && !isBesideMatrix) return undefined;
    const next = Math.max(facts.have('compute_pct') ?? 0, matrix, facts.have('memory_pct') ?? 0);
    return {
      evidence: evidenceOf(facts, [
        'special_function_pct',
        'compute_pct',
        'matrix_pct',
        'mio_throttle_pct',
        'short_scoreboard_pct',
      ]),
      diagnosis: `The special-function units limit the kernel: ${round1(xu)} % of their peak goes into exp, log, sin, square roots or conversions.`,
      fix: 'Compute fewer of them or elsewhere: exp2 with the scale folded in instead of exp, part of them as polynomials on the FMA pipe, one reciprocal for many divisions; overlap them with other work.',
      gainPct: bounded(Math.max(5, 100 * (1 - next / Math.max(xu, 1))), 60),
    };
  },
};

const TENSOR_IDLE_PCT = 5;
/** Above the ridge of FP32 on any device here: data is reused as only products of matrices reuse it. */
const DEEP_REUSE_FLOPS_PER_BYTE = 25;
const MOSTLY_FUSED_PCT = 80;
/** TF32 tensor cores do at least four times the FP32 rate since Ampere. */
const TENSOR_GAIN_PCT = 75;

export const tensorIdle: Rule = {
  id: 'tensor-idle',
  priority: 0,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['compute', 'l1-shared', 'l2', 'latency', 'special-function'],
  symptomOf: ['small-grid', 'launch-bound', 'register-spill'],
  requires: ['flops_per_dram_byte', 'fp32_flops_per_cycle', 'sm_count'],
  uses: [
    'matrix_pct',
    'fused_fp32_pct',
    'loads_per_fma',
    'l1_pct',
    'l1_hit_pct',
    'memory_pipes_pct',
    'static_shared_bytes',
    'dynamic_shared_bytes',
    'dram_pct',
    'l2_pct',
    'special_function_pct',
  ],
  condition: `Tensor cores below ${TENSOR_IDLE_PCT} % on matrix work: told so, or almost only fused multiply-adds in FP32 (${MOSTLY_FUSED_PCT} %), fed by loads from global or shared memory at every step, with ${DEEP_REUSE_FLOPS_PER_BYTE} operations or more for each byte of DRAM.`,
  gainBasis: `Tensor cores do the same products at four times the rate or more (${TENSOR_GAIN_PCT} %), unless DRAM or L2 bound it first.`,
  source: `${PROGRAMMING_GUIDE}, warp matrix functions and arithmetic throughput; NVIDIA architecture whitepapers for the rates.`,
  headline: { fact: 'matrix_pct', subject: 'the load of the tensor cores', unit: ' %' },
  evaluate(facts): RuleOutcome | undefined {
    if ((facts.have('matrix_pct') ?? 0) >= TENSOR_IDLE_PCT) return undefined;
    const told = facts.problem.matrixProduct === true;
    if (facts.problem.matrixProduct === false || (!told && !looksLikeProduct(facts))) return undefined;
    const untiled =
      (facts.have('static_shared_bytes') ?? 1) + (facts.have('dynamic_shared_bytes') ?? 1) === 0;
    return {
      evidence: evidenceOf(facts, [
        'matrix_pct',
        'fp32_flops_per_cycle',
        'flops_per_dram_byte',
        'fused_fp32_pct',
        'loads_per_fma',
        'l1_pct',
        'l1_hit_pct',
        'dram_pct',
      ]),
      diagnosis: `${told ? 'A matrix product' : 'What looks like a matrix product'} runs on the FP32 pipes: the tensor cores idle${untiled ? ', and without tiles in shared memory every operand is fetched through the L1 again and again' : ''}.`,
      fix: `Use the tensor cores (mma or wgmma; TF32 or FP16/BF16 inputs with FP32 sums): the SASS must show HMMA or HGMMA.${untiled ? ' Tile first: stage blocks of both operands in shared memory and keep a block of results in registers.' : ''}`,
      gainPct: bounded(
        TENSOR_GAIN_PCT,
        100 - Math.max(facts.have('dram_pct') ?? 0, facts.have('l2_pct') ?? 0),
      ),
    };
  },
};

function looksLikeProduct(facts: Parameters<Rule['evaluate']>[0]): boolean {
  const flopsPerSm = facts.need('fp32_flops_per_cycle') / facts.need('sm_count');
  // Below a fiftieth of the peak of 256 a clock, arithmetic is beside the point.
  if (flopsPerSm < 5 || facts.need('flops_per_dram_byte') < DEEP_REUSE_FLOPS_PER_BYTE) return false;
  const fused = facts.have('fused_fp32_pct');
  if ((fused !== undefined && fused < MOSTLY_FUSED_PCT) || (facts.have('special_function_pct') ?? 0) > 20)
    return false;
  const loads = facts.have('loads_per_fma');
  if (loads !== undefined) return loads >= 0.02 && loads <= 8;
  // The details page counts no loads: memory pipes that are busy while DRAM is not tell the same.
  return (
    (facts.have('memory_pipes_pct') ?? 0) >= 20 &&
    (facts.have('l1_pct') ?? 0) >= 50 &&
    (facts.have('dram_pct') ?? 100) < 30
  );
}

/** mma.sync reaches about 62 % of wgmma's rate on the H100 (Luo et al., Dissecting the Hopper GPU, 2024). */
const LEGACY_RATE = 0.62;
const LEGACY_MIN_PCT = 5;
/** Kernels that say in their name that they were made for Ampere's instructions. */
const AMPERE_NAMES = /sm_?8\d|ampere|16816|Flash_fwd_kernel_traits|Flash_bwd_kernel_traits/iu;

export const legacyMma: Rule = {
  id: 'legacy-mma',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['tensor', 'latency', 'compute', 'l1-shared'],
  symptomOf: ['small-grid', 'launch-bound'],
  requires: ['matrix_pct'],
  uses: ['async_mma_pct', 'tma_pct', 'tensor_pct', 'issue_pct'],
  condition: `On compute capability 9.0 and later the tensor cores work (${LEGACY_MIN_PCT} % or more) but no asynchronous matrix instruction was executed (wgmma on 9.0, tcgen05 on 10.0).`,
  gainBasis: `The tensor cores' share of the time, of which the newer instructions save ${Math.round(100 * (1 - LEGACY_RATE))} %: mma.sync reaches ${Math.round(100 * LEGACY_RATE)} % of their rate.`,
  source:
    'Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, 2024.',
  headline: { fact: 'async_mma_pct', subject: 'asynchronous matrix instructions', unit: ' % of their peak' },
  evaluate(facts): RuleOutcome | undefined {
    const capability = knownCapability(facts.launch.computeCapability);
    const matrix = facts.need('matrix_pct');
    if (facts.launch.computeCapability === undefined || (capability !== '9.0' && capability !== '10.0'))
      return undefined;
    const modern = facts.have('async_mma_pct');
    const isLegacy = modern === undefined ? AMPERE_NAMES.test(facts.launch.name) : modern < 0.01;
    if (!isLegacy || matrix < LEGACY_MIN_PCT) return undefined;
    const newer = capability === '9.0' ? 'wgmma' : 'tcgen05';
    return {
      evidence: evidenceOf(facts, ['matrix_pct', 'async_mma_pct', 'tma_pct', 'issue_pct']),
      diagnosis: `The matrix work goes the old way: mma.sync keeps the tensor cores busy ${round1(matrix)} % of the time, and no ${newer} was executed${modern === undefined ? ' as far as the name of the kernel tells' : ''}.`,
      fix: `Use ${newer} with operands in shared memory, filled by TMA, from specialised warps: the old instructions cannot reach the peak and load every operand through registers.`,
      gainPct: bounded(matrix * (1 - LEGACY_RATE)),
    };
  },
};

const FP64_PCT = 15;

export const strayFp64: Rule = {
  id: 'stray-fp64',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['compute', 'special-function', 'latency', 'l1-shared'],
  symptomOf: [],
  requires: ['fp64_pct', 'fp64_ops_per_cycle'],
  uses: ['fma_pct', 'ffma_per_cycle', 'fadd_per_cycle', 'fmul_per_cycle', 'xu_pct', 'sm_count'],
  condition: `The FP64 pipe is busy for ${FP64_PCT} % of the time or more in a kernel that is not about doubles: it also computes in FP32, or converts between the two (below 60 % of the FP32 pipe).`,
  gainBasis:
    'The share of time of the FP64 pipe (or of the conversions, if that is more), of which FP32 needs half where FP64 runs at half rate and next to nothing elsewhere.',
  source: `${PROGRAMMING_GUIDE}, arithmetic throughput: FP64 runs at 1/2 of FP32's rate on 8.0, 9.0 and 10.0 and at 1/32 to 1/64 elsewhere; ${BEST_PRACTICES}, literals without f are doubles.`,
  headline: { fact: 'fp64_pct', subject: 'the load of the FP64 pipe', unit: ' %' },
  evaluate(facts): RuleOutcome | undefined {
    const fp64 = facts.need('fp64_pct');
    const doubles = facts.need('fp64_ops_per_cycle');
    if (fp64 < FP64_PCT || doubles <= 0 || (facts.have('fma_pct') ?? 0) >= 60) return undefined;
    const singles =
      (facts.have('ffma_per_cycle') ?? 0) +
      (facts.have('fadd_per_cycle') ?? 0) +
      (facts.have('fmul_per_cycle') ?? 0);
    const sms = facts.have('sm_count') ?? 1;
    // The XU does 16 lanes a clock; conversions between the two widths go there.
    const conversions = ((facts.have('xu_pct') ?? 0) / 100) * 16 * sms;
    if (singles < 0.25 * doubles && conversions < 0.25 * doubles) return undefined;
    const hasFastDoubles = ['8.0', '9.0', '10.0'].includes(knownCapability(facts.launch.computeCapability));
    return {
      evidence: evidenceOf(facts, [
        'fp64_pct',
        'fp64_ops_per_cycle',
        'ffma_per_cycle',
        'fadd_per_cycle',
        'fmul_per_cycle',
        'xu_pct',
        'fma_pct',
      ]),
      diagnosis: `Doubles have strayed into single-precision code: the FP64 pipe is busy ${round1(fp64)} % of the time, with values that come from and go back to FP32.`,
      fix: 'Write literals with f (0.5f), call the float functions (expf, fabsf, fmaf), and look for DADD, DMUL, DFMA and F2F.F64 in the SASS.',
      gainPct: bounded(Math.max(fp64, facts.have('xu_pct') ?? 0) * (hasFastDoubles ? 0.5 : 0.95)),
    };
  },
};

const UNFUSED_PCT = 10;

export const unfusedFp: Rule = {
  id: 'unfused-fp',
  priority: 3,
  kind: 'cause',
  scope: 'local',
  bearsOn: ['compute'],
  symptomOf: ['stray-fp64'],
  requires: ['fusable_pct', 'fused_fp32_pct'],
  uses: ['fma_pct', 'issue_pct', 'fadd_per_cycle', 'fmul_per_cycle', 'ffma_per_cycle'],
  condition: `More than ${UNFUSED_PCT} % of the FP32 arithmetic and of all instructions are multiplications and additions that could pair up, in a kernel bound by arithmetic or issuing.`,
  gainBasis: 'One of the two instructions of each pair, in all instructions.',
  source: `${PROFILING_GUIDE}, Instruction Statistics (FPInstructions), counting only what has a partner to fuse with.`,
  headline: {
    fact: 'fusable_pct',
    subject: 'multiplications and additions that are not fused',
    unit: ' % of instructions',
  },
  evaluate(facts, limit): RuleOutcome | undefined {
    const fusable = facts.need('fusable_pct');
    if (
      limit.limiter !== 'compute' ||
      fusable <= UNFUSED_PCT ||
      facts.need('fused_fp32_pct') > 100 - UNFUSED_PCT
    )
      return undefined;
    return {
      evidence: evidenceOf(facts, [
        'fusable_pct',
        'fused_fp32_pct',
        'fma_pct',
        'fadd_per_cycle',
        'fmul_per_cycle',
        'ffma_per_cycle',
      ]),
      diagnosis: `Multiplications and additions are executed apart: ${Math.round(fusable)} % of the instructions could be the other half of a fused multiply-add.`,
      fix: 'Let the compiler fuse (no -fmad=false, no __fmul_rn and __fadd_rn), or write fmaf; reassociate so that each product feeds a sum.',
      gainPct: bounded(fusable, 50),
    };
  },
};
