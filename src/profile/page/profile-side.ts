import { defined } from '../../model/defined.ts';
import type { KernelDiagnosis } from '../../model/profile/diagnosis.ts';
import type {
  OccupancyFigures,
  OccupancyResource,
  ProfiledUnit,
  ProfileSide,
  StallBreakdown,
} from '../../model/profile/profile-page.ts';
import type { FactName } from '../facts/derivation.ts';
import type { Facts } from '../facts/facts.ts';
import { quotedStalls } from '../facts/rule-text.ts';

const UNIT_FACTS: Readonly<Record<ProfiledUnit, FactName>> = {
  sm: 'sm_pct',
  memory: 'memory_pct',
  dram: 'dram_pct',
  l2: 'l2_pct',
  l1: 'l1_pct',
  tensor: 'matrix_pct',
  'special-function': 'special_function_pct',
};

const LIMIT_FACTS: Readonly<Record<OccupancyResource, FactName>> = {
  registers: 'limit_registers',
  'shared memory': 'limit_shared_mem',
  warps: 'limit_warps',
  blocks: 'limit_blocks',
  barriers: 'limit_barriers',
};

export function profileSide(facts: Facts, diagnosis: KernelDiagnosis): ProfileSide {
  const units = Object.entries(UNIT_FACTS).flatMap(([unit, fact]) => {
    const pct = facts.have(fact);
    return pct === undefined ? [] : [[unit, pct] as const];
  });
  const stalls = stallBreakdown(facts);
  return {
    diagnosis,
    units: Object.fromEntries(units),
    ...defined({ stalls }),
    occupancy: occupancyFigures(facts),
  };
}

const STALL_METRIC = /^smsp__average_warps_issue_stalled_(?<reason>\w+)_per_issue_active\.ratio$/u;

function stallBreakdown(facts: Facts): StallBreakdown | undefined {
  const { metrics, ncuRules } = facts.launch;
  const cycles = [...metrics].flatMap(([name, { value }]) => {
    const reason = STALL_METRIC.exec(name)?.groups?.['reason'];
    return reason === undefined || value <= 0 ? [] : [{ reason, value }];
  });
  const known = cycles.reduce((total, { value }) => total + value, 0);
  // Some reasons alone do not add up to the whole: the latency does, where it was collected.
  const whole = Math.max(known, facts.have('warp_latency') ?? 0);
  const shares =
    known > 0
      ? cycles.map(({ reason, value }) => ({ reason, pct: (100 * value) / whole }))
      : [...quotedStalls(ncuRules)].map(([reason, pct]) => ({ reason, pct }));
  if (shares.length === 0) return undefined;
  return {
    shares: shares.toSorted((one, other) => other.pct - one.pct || one.reason.localeCompare(other.reason)),
    isWhole: known > 0 && known >= 0.97 * whole && cycles.length > 3,
  };
}

function occupancyFigures(facts: Facts): OccupancyFigures {
  const limits = Object.entries(LIMIT_FACTS).flatMap(([resource, fact]) => {
    const blocks = facts.have(fact);
    return blocks === undefined ? [] : [{ resource: resource as OccupancyResource, blocks }];
  });
  const shared = [facts.have('static_shared_bytes'), facts.have('dynamic_shared_bytes')];
  const [theoreticalPct, achievedPct, registersPerThread, threadsPerBlock] = (
    ['theoretical_occupancy_pct', 'occupancy_pct', 'registers_per_thread', 'block_size'] as const
  ).map((fact) => facts.have(fact));
  return {
    limits,
    ...defined({ theoreticalPct, achievedPct, registersPerThread }),
    ...(shared.every((bytes) => bytes !== undefined)
      ? { sharedBytesPerBlock: shared.reduce<number>((total, bytes) => total + (bytes ?? 0), 0) }
      : {}),
    ...defined({ threadsPerBlock }),
  };
}
