/** What the SM computes with, where something better would do. */
import { knownCapability } from '../facts/metric-names.ts';
import {
  bounded,
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
  meaning: 'The unit for exp, log, sin, roots and conversions is full. It is much slower than FMA.',
  fix: 'Use fewer of them, or overlap them: exp2 with the scale folded in, polynomials on the FMA pipe for a part, one reciprocal for many divisions.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['special-function', 'tensor', 'latency'],
  symptomOf: ['stray-fp64'],
  requires: ['special_function_pct'],
  uses: ['compute_pct', 'matrix_pct', 'mio_throttle_pct', 'short_scoreboard_pct', 'memory_pct'],
  condition: `The special-function units are the busiest, at ${XU_BOUND_PCT} % or more; or, beside matrix work, at ${XU_NEAR_TENSOR_PCT} % or more and 90 % of the tensor cores' load.`,
  gainBasis: 'The gap between their load and that of the next busiest unit.',
  source: `${PROGRAMMING_GUIDE}, arithmetic throughput: 16 results per clock and SM, an eighth of FMA's.`,
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
      diagnosis: isBusiest
        ? `The special-function units limit the kernel: ${round1(xu)} % of their peak goes into exp, log, sin, square roots or conversions.`
        : `The special-function units are as busy as the tensor cores, ${round1(xu)} % and ${round1(matrix)} % of their peaks: exp, log, sin, square roots or conversions take as long as the matrix products, and whatever does not overlap adds up.`,
      gainPct: bounded(Math.max(5, 100 * (1 - next / Math.max(xu, 1))), 60),
    };
  },
};

const FP64_PCT = 15;
/** Between the widths, conversions cost eight times what the arithmetic does: they show first. */
const CONVERSION_XU_PCT = 40;
/** Conversions between FP32 and FP64 in a clock and SM. */
const CONVERSION_LANES = 16;

export const strayFp64: Rule = {
  id: 'stray-fp64',
  meaning:
    'Single-precision code computes in double precision, mostly because of a literal or function without f.',
  fix: 'Write literals with f (0.5f), call the float functions (expf, fabsf, fmaf), and look for DADD, DMUL, DFMA and F2F.F64 in the SASS.',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['compute', 'special-function', 'latency', 'l1-shared'],
  symptomOf: [],
  requires: ['fp64_pct', 'fp64_ops_per_cycle'],
  uses: ['fma_pct', 'ffma_per_cycle', 'fadd_per_cycle', 'fmul_per_cycle', 'xu_pct', 'sm_count'],
  condition: `The FP64 pipe is at ${FP64_PCT} % or more in a kernel that also computes in FP32 or converts between the two; or such conversions take ${CONVERSION_XU_PCT} % or more of the special-function units. Not with the FP32 pipe at 60 % or more.`,
  gainBasis:
    "The FP64 pipe's share of the time (half of it where FP64 runs at half rate), or four fifths of the conversions' time, if larger.",
  source: `${PROGRAMMING_GUIDE}, arithmetic throughput: FP64 has 1/2 of FP32's rate on 8.0, 9.0 and 10.0, and 1/32 to 1/64 elsewhere.`,
  headline: { fact: 'fp64_pct', subject: 'the load of the FP64 pipe', unit: ' %' },
  evaluate(facts): RuleOutcome | undefined {
    const fp64 = facts.need('fp64_pct');
    const doubles = facts.need('fp64_ops_per_cycle');
    if (doubles <= 0 || (facts.have('fma_pct') ?? 0) >= 60) return undefined;
    const xu = facts.have('xu_pct') ?? 0;
    const conversions = (xu / 100) * CONVERSION_LANES * (facts.have('sm_count') ?? 1);
    const singles =
      (facts.have('ffma_per_cycle') ?? 0) +
      (facts.have('fadd_per_cycle') ?? 0) +
      (facts.have('fmul_per_cycle') ?? 0);
    const converts = conversions >= 0.25 * doubles;
    const isConverting = xu >= CONVERSION_XU_PCT && converts && doubles >= 0.2 * conversions;
    const isComputing = fp64 >= FP64_PCT && (converts || singles >= 0.25 * doubles);
    if (!isConverting && !isComputing) return undefined;
    const hasFastDoubles = ['8.0', '9.0', '10.0'].includes(knownCapability(facts.launch.computeCapability));
    const savedPct = Math.max(fp64 * (hasFastDoubles ? 0.5 : 0.95), isConverting ? xu * 0.8 : 0);
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
      diagnosis: `Single-precision code computes in double precision: the FP64 pipe is busy ${round1(fp64)} % of the time, with values converted from and to FP32.`,
      gainPct: bounded(savedPct),
    };
  },
};

const UNFUSED_PCT = 10;

export const unfusedFp: Rule = {
  id: 'unfused-fp',
  meaning: 'Multiplications and additions take two instructions instead of one.',
  fix: 'Let the compiler fuse (no -fmad=false, __fmul_rn or __fadd_rn), or write fmaf; reassociate so that each product feeds a sum.',
  priority: 3,
  kind: 'cause',
  scope: 'local',
  bearsOn: ['compute'],
  symptomOf: ['stray-fp64'],
  requires: ['fusable_pct', 'fused_fp32_pct'],
  uses: ['fma_pct', 'issue_pct', 'fadd_per_cycle', 'fmul_per_cycle', 'ffma_per_cycle'],
  condition: `Over ${UNFUSED_PCT} % of the FP32 arithmetic and of all instructions could be fused in pairs, and arithmetic or issuing limits.`,
  gainBasis: 'One instruction of each pair, as a share of all.',
  source: `${PROFILING_GUIDE}, Instruction Statistics (FPInstructions), counting only pairs.`,
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
      diagnosis: `Multiplications and additions are not fused: ${Math.round(fusable)} % of the instructions could be part of a fused multiply-add.`,
      gainPct: bounded(fusable, 50),
    };
  },
};
