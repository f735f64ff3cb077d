/** How the launch fills the device. */
import { quotedSmImbalancePct } from './rule-text.ts';
import { percent, type Derivations } from './derivation.ts';

type LaunchFact = 'sm_idle_pct' | 'sm_imbalance_pct' | 'resident_blocks';

export const launchFacts: Derivations<LaunchFact> = {
  /** The share of time in which an average SM had no work. */
  sm_idle_pct: {
    reads: ['sm_active_cycles', 'sm_elapsed_cycles', 'sm_active_pct'],
    derive: (facts) => {
      const active =
        percent(facts.have('sm_active_cycles'), facts.have('sm_elapsed_cycles')) ??
        facts.have('sm_active_pct');
      return active === undefined ? undefined : Math.max(0, 100 - active);
    },
  },
  /** How far the average SM's active time lies below the busiest one's. */
  sm_imbalance_pct: {
    reads: ['sm_active_cycles', 'sm_active_cycles_max'],
    derive: (facts) => {
      const share = percent(facts.have('sm_active_cycles'), facts.have('sm_active_cycles_max'));
      return share === undefined ? quotedSmImbalancePct(facts.launch.ncuRules) : Math.max(0, 100 - share);
    },
  },
  resident_blocks: {
    reads: ['limit_blocks', 'limit_registers', 'limit_shared_mem', 'limit_warps', 'limit_barriers'],
    derive: (facts) => {
      const limits = [
        facts.have('limit_blocks'),
        facts.have('limit_registers'),
        facts.have('limit_shared_mem'),
        facts.have('limit_warps'),
      ];
      if (limits.some((limit) => limit === undefined)) return undefined;
      return Math.min(...limits.map((limit) => limit ?? Infinity), facts.have('limit_barriers') ?? Infinity);
    },
  },
};
