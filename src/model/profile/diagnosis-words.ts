/**
 * The words of `pawl.diagnosis/1`, apart from its schema: `pawl diagnose` answers in the time that loading a schema
 * library would take.
 */
export const DIAGNOSIS_SCHEMA = 'pawl.diagnosis/1';

export const LIMITERS = [
  'dram',
  'l2',
  'l1-shared',
  'compute',
  'tensor',
  'special-function',
  'latency',
  'launch',
  'none',
] as const;
export type Limiter = (typeof LIMITERS)[number];

/** What is found in the compiled code of CPU kernels. */
export const CODE_RULE_IDS = [
  'unoptimised-build',
  'math-calls',
  'scalar-code',
  'division-in-loop',
  'generic-target',
] as const;
export type CodeRuleId = (typeof CODE_RULE_IDS)[number];

/** What is found at lines of a GPU kernel, by samples and instructions. */
const LINE_RULE_IDS = ['slow-arithmetic'] as const;
export type LineRuleId = (typeof LINE_RULE_IDS)[number];

/** What can be found; docs/rules.md says when. */
export const RULE_IDS = [
  'measurement-broken',
  'small-grid',
  'latency-bound',
  'at-limit',
  'memory-bound',
  'compute-bound',
  'launch-bound',
  'tail-wave',
  'partial-warp',
  'low-occupancy',
  'imbalance',
  'long-scoreboard',
  'short-scoreboard',
  'barrier-stall',
  'math-throttle',
  'memory-throttle',
  'fixed-latency',
  'wgmma-wait',
  'icache-miss',
  'bank-conflicts',
  'uncoalesced-access',
  'register-spill',
  'local-arrays',
  'tensor-idle',
  'legacy-mma',
  'l2-thrash',
  'special-function-bound',
  'divergence',
  'stray-fp64',
  'unfused-fp',
  'atomic-contention',
  ...LINE_RULE_IDS,
  ...CODE_RULE_IDS,
] as const;
export type RuleId = (typeof RULE_IDS)[number];
