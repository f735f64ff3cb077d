import { defined } from '../../model/defined.ts';
import type { FactReader } from '../facts/derivation.ts';
import { evidenceOf, round1, type Rule, type RuleOutcome } from './rule.ts';

/** Counters of different passes disagree by a few percent; more than this no hardware does. */
const IMPOSSIBLE_PCT = 110;

const FIX =
  'Profile again: the kernel alone on the device, the same work in every pass. Then check that it writes its results and that nothing was skipped or cached.';

/** At the end of the list of reasons: what the counters themselves rule out. */
function peakTraffic(facts: FactReader): number | undefined {
  const peak = facts.have('dram_peak_bytes_per_cycle');
  const clock = facts.have('dram_clock_hz');
  return peak === undefined || clock === undefined || peak <= 0 ? undefined : peak * clock;
}

function reason(facts: FactReader): string | undefined {
  const us = (facts.have('duration_ns') ?? 0) / 1000;
  if (!(us > 0)) return 'its duration is not a positive time';
  const { floorUs } = facts.problem;
  if (floorUs !== undefined && us < floorUs) {
    return `it took ${round1(us)} µs, and the device cannot do the work in less than ${round1(floorUs)} µs`;
  }
  const bytes = facts.have('dram_bytes');
  const peak = peakTraffic(facts);
  if (bytes !== undefined && peak !== undefined && bytes > peak * us * 1e-6 * (IMPOSSIBLE_PCT / 100)) {
    return 'more bytes were counted than its memory can move in that time';
  }
  for (const name of ['sm_pct', 'memory_pct', 'dram_pct'] as const) {
    if ((facts.have(name) ?? 0) > IMPOSSIBLE_PCT)
      return `a unit is reported at ${round1(facts.have(name) ?? 0)} % of its peak`;
  }
  return facts.have('inst_executed') === 0 ? 'no instruction was executed' : undefined;
}

export const measurementBroken: Rule = {
  id: 'measurement-broken',
  meaning: 'The numbers contradict each other or physics, so nothing can be concluded.',
  fix: FIX,
  priority: 0,
  kind: 'verdict',
  scope: 'global',
  bearsOn: [],
  symptomOf: [],
  requires: ['duration_ns'],
  uses: [
    'dram_bytes',
    'dram_peak_bytes_per_cycle',
    'dram_clock_hz',
    'sm_pct',
    'memory_pct',
    'dram_pct',
    'inst_executed',
  ],
  condition:
    "The time is not positive or below the work's floor, more bytes moved than memory allows, a unit is above 110 % of its peak, or no instruction was executed.",
  gainBasis: 'None.',
  source:
    'Bytes over bandwidth and operations over peak bound the time from below (Williams, Waterman, Patterson 2009).',
  evaluate(facts): RuleOutcome | undefined {
    const why = reason(facts);
    if (why === undefined) return undefined;
    return {
      evidence: {
        ...evidenceOf(facts, ['duration_ns', 'dram_bytes', 'sm_pct', 'memory_pct', 'inst_executed']),
        ...defined({ floor_us: facts.problem.floorUs }),
      },
      diagnosis: `The measurement is broken: ${why}.`,
      gainPct: 0,
    };
  },
};
