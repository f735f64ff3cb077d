/** Matrix work, and the units made for it. */
import type { Facts } from '../facts/facts.ts';
import { knownCapability } from '../facts/metric-names.ts';
import { bounded, evidenceOf, PROGRAMMING_GUIDE, round1, type Rule, type RuleOutcome } from './rule.ts';

const TENSOR_IDLE_PCT = 5;
/** Above the ridge of FP32 on any device here: data is reused as only products of matrices reuse it. */
const DEEP_REUSE_FLOPS_PER_BYTE = 25;
const MOSTLY_FUSED_PCT = 80;
/** TF32 tensor cores do at least four times the FP32 rate since Ampere. */
const TENSOR_GAIN_PCT = 75;

export const tensorIdle: Rule = {
  id: 'tensor-idle',
  fix: 'Use the tensor cores (mma or wgmma; TF32 or FP16/BF16 inputs with FP32 sums): the SASS must show HMMA or HGMMA. Without tiles in shared memory, tile first.',
  meaning: 'A matrix product runs on the general pipes while the tensor cores idle.',
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
  condition: `Tensor cores are below ${TENSOR_IDLE_PCT} %, and the problem is a matrix product or looks like one: ${MOSTLY_FUSED_PCT} % FP32 fused multiply-adds, loads from global or shared memory at every step, and ${DEEP_REUSE_FLOPS_PER_BYTE} or more operations per byte of DRAM.`,
  gainBasis: `Tensor cores have at least four times the rate (${TENSOR_GAIN_PCT} %), unless DRAM or L2 limits first.`,
  source: `${PROGRAMMING_GUIDE}, warp matrix functions and arithmetic throughput; NVIDIA architecture whitepapers.`,
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

function looksLikeProduct(facts: Facts): boolean {
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
  fix: 'Use wgmma (tcgen05 on 10.0) with operands in shared memory, filled by TMA from specialised warps.',
  meaning: "The matrix instructions are of an older architecture and cannot reach this one's peak.",
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['tensor', 'latency', 'compute', 'l1-shared'],
  symptomOf: ['small-grid', 'launch-bound'],
  requires: ['matrix_pct'],
  uses: ['async_mma_pct', 'tma_pct', 'tensor_pct', 'issue_pct'],
  condition: `On compute capability 9.0 and later, tensor cores are at ${LEGACY_MIN_PCT} % or more without asynchronous matrix instructions (wgmma on 9.0, tcgen05 on 10.0).`,
  gainBasis: `${Math.round(100 * (1 - LEGACY_RATE))} % of the tensor cores' time: mma.sync reaches ${Math.round(100 * LEGACY_RATE)} % of the newer rate.`,
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
      diagnosis: `The matrix product uses older instructions: mma.sync keeps the tensor cores busy ${round1(matrix)} % of the time, and no ${newer} was executed${modern === undefined ? ' as far as the name of the kernel tells' : ''}.`,
      gainPct: bounded(matrix * (1 - LEGACY_RATE)),
    };
  },
};
