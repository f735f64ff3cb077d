/** What capture asks ncu for, so that every rule can speak. */
import type { FactName } from './facts/derivation.ts';
import { signalsOf } from './facts/facts.ts';
import { LIMITER_FACTS } from './rules/limiter.ts';
import { metricNames, type Signal } from './facts/metric-names.ts';
import { RULES } from './rules/index.ts';

/** The sections whose tables, charts and rules hold what is read here; together they are most of `--set full`. */
const SECTIONS = [
  'SpeedOfLight',
  'SpeedOfLight_RooflineChart',
  'ComputeWorkloadAnalysis',
  'MemoryWorkloadAnalysis',
  'MemoryWorkloadAnalysis_Chart',
  'MemoryWorkloadAnalysis_Tables',
  'SchedulerStats',
  'WarpStateStats',
  'InstructionStats',
  'LaunchStats',
  'Occupancy',
  'SourceCounters',
  'WorkloadDistribution',
] as const;

export interface MetricSet {
  /** ncu's own set; it holds SECTIONS in every version since 2021. */
  readonly set: 'full';
  readonly sections: readonly string[];
  /** What rules read on this device, best name first for each signal. A device or version may lack some of them. */
  readonly metrics: readonly string[];
}

/** What the comparison of two profiles reads beside. */
const COMPARED_FACTS: readonly FactName[] = ['sm_clock_hz', 'sm_elapsed_cycles'];

/** Every fact that a rule, the limiter or a comparison may read. */
export function factsRead(): readonly FactName[] {
  const names = new Set<FactName>([...LIMITER_FACTS, ...COMPARED_FACTS]);
  for (const { requires, uses, headline } of RULES) {
    for (const name of [...requires, ...uses]) names.add(name);
    if (headline) names.add(headline.fact);
  }
  return [...names];
}

export function metricSet(capability: string | undefined): MetricSet {
  const signals = new Set<Signal>(factsRead().flatMap((name) => signalsOf(name)));
  const metrics = new Set([...signals].flatMap((signal) => metricNames(signal, capability)));
  return { set: 'full', sections: SECTIONS, metrics: [...metrics].toSorted() };
}
