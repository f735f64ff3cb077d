/** Arrays of a thread that lie in local memoryand are not spilled registers. */
import {
  bounded,
  evidenceOf,
  PROFILING_GUIDE,
  PROGRAMMING_GUIDE,
  round1,
  type Rule,
  type RuleOutcome,
} from './rule.ts';

/** Of the sectors of all accesses to global and local memory. */
const LEAST_SHARE_PCT = 20;

export const localArrays: Rule = {
  id: 'local-arrays',
  meaning: 'An array of each thread lies in local memory, which is device memory behind the caches.',
  fix: 'Keep it in registers: index it with constants only (unroll its loops, use selects), make it smaller, or put it into shared memory, one column per thread.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['dram', 'l2', 'l1-shared', 'latency', 'compute'],
  symptomOf: ['register-spill'],
  requires: ['array_sectors', 'all_global_sectors', 'memory_pct'],
  uses: ['spill_requests', 'l2_pct', 'l1_pct', 'dram_pct', 'long_scoreboard_pct'],
  condition: `${LEAST_SHARE_PCT} % or more of the sectors of global and local accesses are of local memory, spills aside.`,
  gainBasis: 'The share of those sectors, times the load of memory.',
  source: `${PROFILING_GUIDE}, local memory; ${PROGRAMMING_GUIDE}, Local Memory: arrays that are not indexed with constants.`,
  headline: { fact: 'array_sectors', subject: 'sectors of arrays in local memory', unit: '' },
  evaluate(facts): RuleOutcome | undefined {
    const arrays = facts.need('array_sectors');
    const sharePct = (100 * arrays) / Math.max(1, arrays + facts.need('all_global_sectors'));
    if (sharePct < LEAST_SHARE_PCT) return undefined;
    return {
      evidence: {
        ...evidenceOf(facts, [
          'array_sectors',
          'all_global_sectors',
          'memory_pct',
          'l2_pct',
          'l1_pct',
          'dram_pct',
        ]),
        array_sector_pct: round1(sharePct),
      },
      diagnosis: `An array of each thread lies in local memory: it causes ${Math.round(sharePct)} % of all sectors read and written.`,
      gainPct: bounded((sharePct * facts.need('memory_pct')) / 100),
    };
  },
};
