import type { FactName } from '../facts/derivation.ts';
import type { Facts } from '../facts/facts.ts';
import { bounded, evidenceOf, PROFILING_GUIDE, type Rule, type RuleOutcome } from './rule.ts';

const ATOMIC_REQUEST_PCT = 10;
const SHARED_ATOMIC_PCT = 50;
const WAIT_PCT = 30;
const BUSY_SLICE_PCT = 40;
/** Some atomics remain: one a block. */
const MOST_GAIN_PCT = 90;

export const atomicContention: Rule = {
  id: 'atomic-contention',
  meaning: 'Many threads update the same addresses atomically, one after the other.',
  fix: 'Combine first: reduce in the warp (shuffles) and the block (shared memory), then one atomic per block; or give each block its own copy and add them up at the end.',
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
  condition: `Atomics are ${ATOMIC_REQUEST_PCT} % or more of the global requests, and take ${BUSY_SLICE_PCT} % of the busiest L2 slice's time or warps wait ${WAIT_PCT} % of the time for memory; or they are ${SHARED_ATOMIC_PCT} % of the passes through shared memory, and warps wait as long for it.`,
  gainBasis:
    "The wait for memory times the share of atomics, or the busiest slice's time on them, if larger.",
  source: `${PROFILING_GUIDE}, L2 Cache: one slice executes the atomics on an address one by one.`,
  headline: { fact: 'global_atomics', subject: 'atomic requests', unit: '' },
  evaluate(facts): RuleOutcome | undefined {
    return globalContention(facts) ?? sharedContention(facts);
  },
};

const GLOBAL_WAITS = ['lg_throttle_pct', 'long_scoreboard_pct', 'drain_pct', 'membar_pct'] as const;
const SHARED_WAITS = ['short_scoreboard_pct', 'mio_throttle_pct'] as const;

/** Of the waits that were collected: the others only make it less. */
const waitPct = (facts: Facts, waits: readonly FactName[]): number =>
  Math.min(
    100,
    waits.reduce((total, name) => total + (facts.have(name) ?? 0), 0),
  );

function globalContention(facts: Facts): RuleOutcome | undefined {
  const atomics = facts.need('global_atomics');
  const others = (facts.have('global_load_requests') ?? 0) + (facts.have('global_store_requests') ?? 0);
  const atomicPct = atomics > 0 ? (100 * atomics) / (atomics + others) : 0;
  const slicePct = facts.have('l2_atomic_busiest_pct') ?? 0;
  const waitedPct = waitPct(facts, GLOBAL_WAITS);
  if (atomicPct < ATOMIC_REQUEST_PCT || (slicePct < BUSY_SLICE_PCT && waitedPct < WAIT_PCT)) return undefined;
  const where =
    slicePct >= BUSY_SLICE_PCT
      ? ` in a slice of the L2 that is busy with them ${Math.round(slicePct)} % of the time`
      : '';
  return {
    evidence: evidenceOf(facts, [
      'global_atomics',
      'l2_atomic_busiest_pct',
      'l2_atomic_pct',
      ...GLOBAL_WAITS,
    ]),
    diagnosis: `Threads queue for the same addresses: ${Math.round(atomicPct)} % of the global requests are atomics, done one after the other${where}.`,
    gainPct: bounded(Math.max((waitedPct * atomicPct) / 100, slicePct), MOST_GAIN_PCT),
  };
}

function sharedContention(facts: Facts): RuleOutcome | undefined {
  const atomics = facts.have('shared_atomic_wavefronts') ?? 0;
  const all = facts.have('shared_wavefronts') ?? 0;
  if (atomics <= 0 || all <= 0) return undefined;
  const atomicPct = Math.min(100, (100 * atomics) / all);
  const waitedPct = waitPct(facts, SHARED_WAITS);
  const loadPct = Math.max(waitedPct, facts.have('l1_pct') ?? 0);
  if (atomicPct < SHARED_ATOMIC_PCT || loadPct < WAIT_PCT) return undefined;
  return {
    evidence: evidenceOf(facts, [
      'shared_atomic_wavefronts',
      'shared_wavefronts',
      'shared_atomic_inst',
      'l1_pct',
      ...SHARED_WAITS,
    ]),
    diagnosis: `Threads queue for the same addresses of shared memory: ${Math.round(atomicPct)} % of its passes are atomics, one after the other.`,
    gainPct: bounded((loadPct * atomicPct) / 100, MOST_GAIN_PCT),
  };
}
