import { bounded, evidenceOf, PROFILING_GUIDE, round1, type Rule, type RuleOutcome } from './rule.ts';

const ATOMIC_REQUEST_PCT = 10;
const SHARED_ATOMIC_PCT = 50;
const WAIT_PCT = 30;
const BUSY_SLICE_PCT = 40;

export const atomicContention: Rule = {
  id: 'atomic-contention',
  meaning: 'Many threads update the same addresses atomically and queue for them.',
  fix: 'Combine before the atomic: reduce in the warp (shuffles) and the block (shared memory), one atomic a block; or give each block its own copy and add them up at the end.',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['latency', 'launch', 'l2', 'l1-shared', 'compute'],
  symptomOf: [],
  requires: ['global_atomics'],
  uses: [
    'global_load_requests',
    'global_store_requests',
    'l2_atomic_pct',
    'l2_atomic_busiest_pct',
    'shared_atomic_inst',
    'shared_atomic_wavefronts',
    'shared_wavefronts',
    'lg_throttle_pct',
    'long_scoreboard_pct',
    'short_scoreboard_pct',
    'mio_throttle_pct',
    'drain_pct',
    'membar_pct',
    'l1_pct',
    'inst_executed',
  ],
  condition: `Atomics are ${ATOMIC_REQUEST_PCT} % or more of the global requests, and the busiest L2 slice spends ${BUSY_SLICE_PCT} % of the time on them or warps wait for memory ${WAIT_PCT} % of theirs; or atomics make ${SHARED_ATOMIC_PCT} % of the passes through shared memory and warps wait for it as long.`,
  gainBasis:
    "The wait for memory times the share of atomics in its requests, or the busiest slice's time on them if that is more.",
  source: `${PROFILING_GUIDE}, L2 Cache: atomics on one address are done one after the other, in one slice.`,
  headline: { fact: 'global_atomics', subject: 'atomic requests', unit: '' },
  evaluate(facts): RuleOutcome | undefined {
    const evidence = evidenceOf(facts, [
      'global_atomics',
      'shared_atomic_inst',
      'l2_atomic_busiest_pct',
      'l2_atomic_pct',
      'lg_throttle_pct',
      'long_scoreboard_pct',
      'short_scoreboard_pct',
      'mio_throttle_pct',
    ]);
    const atomics = facts.need('global_atomics');
    const requests =
      atomics + (facts.have('global_load_requests') ?? 0) + (facts.have('global_store_requests') ?? 0);
    const atomicPct = requests > 0 ? (100 * atomics) / requests : 0;
    const waitPct = Math.min(
      100,
      ['lg_throttle_pct', 'long_scoreboard_pct', 'drain_pct', 'membar_pct'].reduce(
        (total, name) => total + (facts.have(name as 'drain_pct') ?? 0),
        0,
      ),
    );
    const slicePct = Math.max(0, facts.have('l2_atomic_busiest_pct') ?? 0);
    if (atomicPct >= ATOMIC_REQUEST_PCT && (slicePct >= BUSY_SLICE_PCT || waitPct >= WAIT_PCT)) {
      return {
        evidence,
        diagnosis: `Threads queue for the same addresses: ${Math.round(atomicPct)} % of the global requests are atomics, done one after the other${slicePct >= BUSY_SLICE_PCT ? ` in a slice of the L2 that is busy with them ${Math.round(slicePct)} % of the time` : ''}.`,
        gainPct: bounded(Math.max((waitPct * atomicPct) / 100, slicePct), 90),
      };
    }
    const shared = facts.have('shared_atomic_wavefronts');
    const sharedAll = facts.have('shared_wavefronts');
    const sharedWaitPct = (facts.have('short_scoreboard_pct') ?? 0) + (facts.have('mio_throttle_pct') ?? 0);
    if (
      shared === undefined ||
      sharedAll === undefined ||
      shared < (sharedAll * SHARED_ATOMIC_PCT) / 100 ||
      shared === 0
    )
      return undefined;
    const sharedLoadPct = Math.max(sharedWaitPct, facts.have('l1_pct') ?? 0);
    if (sharedLoadPct < WAIT_PCT) return undefined;
    return {
      evidence: { ...evidence, shared_atomic_wavefronts: shared },
      diagnosis: `Threads queue for the same addresses of shared memory: ${Math.round((100 * shared) / sharedAll)} % of its passes are atomics, one after the other (${round1(sharedWaitPct)} % of the time is spent waiting for it).`,
      gainPct: bounded(sharedLoadPct * (shared / sharedAll), 90),
    };
  },
};
