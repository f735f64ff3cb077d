/** What accesses to memory cost beyond what they must. */
import type { Facts } from '../facts/facts.ts';
import type { Limit } from './limiter.ts';
import {
  BEST_PRACTICES,
  bounded,
  evidenceOf,
  PROFILING_GUIDE,
  PROGRAMMING_GUIDE,
  round1,
  type Rule,
  type RuleOutcome,
} from './rule.ts';

/** Coalescing efficiency below 80 %. */
const EXCESS_SECTOR_PCT = 20;
/** 32 threads of 16 bytes. */
const MOST_COALESCED_SECTORS = 16;
const CONFLICT_PCT = 10;
const SPILL_INSTRUCTION_PCT = 1;
/** With fewer warps than this on a scheduler, waiting is for latency and not in a queue. */
const FEW_WARPS = 4;
const FEW_WARPS_OCCUPANCY_PCT = 25;

const MEMORY_LOADS = ['dram_pct', 'l2_pct', 'l1_pct', 'memory_pct'] as const;

function hasFewWarps(facts: Facts): boolean {
  const warps = facts.have('active_warps');
  if (warps !== undefined) return warps < FEW_WARPS;
  return (facts.have('occupancy_pct') ?? 100) < FEW_WARPS_OCCUPANCY_PCT;
}

export const uncoalescedAccess: Rule = {
  id: 'uncoalesced-access',
  meaning: 'The threads of a warp access scattered addresses, so much of each sector is not used.',
  fix: 'Let neighbouring threads access neighbouring addresses: swap indices, turn an array of structures into arrays, or stage through shared memory; then load 16 bytes per thread.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['dram', 'l2', 'l1-shared', 'latency'],
  symptomOf: [],
  requires: ['excess_sector_pct'],
  uses: [
    ...MEMORY_LOADS,
    'excess_global_sectors',
    'all_global_sectors',
    'sectors_per_load',
    'sectors_per_store',
    'load_bytes_per_sector',
    'store_bytes_per_sector',
    'local_sectors',
    'active_warps',
    'occupancy_pct',
  ],
  condition: `${EXCESS_SECTOR_PCT} % or more of the 32-byte sectors of global accesses are excess. Broadcasts are not excess. If the bytes used per sector were not collected, more than 16 sectors per request are excess (before compute capability 10.0), as a coalesced access takes 4 to 16.`,
  gainBasis:
    'The share of excess sectors in global and local accesses, times the load of the busiest unit; half of that with too few warps to fill a queue, or if the load of memory was not collected. By sectors per request, those above 4 are excess.',
  source: `${BEST_PRACTICES}, Coalesced Access to Global Memory; ${PROFILING_GUIDE}, Source Counters (UncoalescedGlobalAccess).`,
  headline: {
    fact: 'excess_sector_pct',
    subject: 'excess sectors of uncoalesced accesses',
    unit: ' % of sectors',
  },
  evaluate(facts, limit): RuleOutcome | undefined {
    const excessPct = facts.need('excess_sector_pct');
    if (excessPct < EXCESS_SECTOR_PCT) return undefined;
    const isAside = limit.limiter === 'latency' && hasFewWarps(facts);
    const sectors = facts.have('all_global_sectors');
    const local = facts.have('local_sectors') ?? 0;
    const ofTrafficPct =
      sectors === undefined || sectors + local === 0 ? excessPct : (excessPct * sectors) / (sectors + local);
    const loadPct = limit.unknown ? 50 : limit.utilisationPct;
    return {
      evidence: {
        ...evidenceOf(facts, [
          'excess_global_sectors',
          'all_global_sectors',
          'sectors_per_load',
          'sectors_per_store',
          'load_bytes_per_sector',
          'store_bytes_per_sector',
          ...MEMORY_LOADS,
        ]),
        excess_pct: round1(excessPct),
      },
      diagnosis: scatteredText(facts, excessPct),
      // Where warps wait for latency and not in a queue, fewer sectors help half at most.
      gainPct: bounded(ofTrafficPct * (loadPct / 100) * (isAside ? 0.5 : 1)),
      isAside,
    };
  },
};

function scatteredText(facts: Facts, excessPct: number): string {
  if (facts.have('excess_global_sectors') !== undefined)
    return `Global accesses are not coalesced: ${Math.round(excessPct)} % of the sectors moved are not needed.`;
  const perRequest = [
    [facts.have('sectors_per_load'), 'load'],
    [facts.have('sectors_per_store'), 'store'],
  ] as const;
  const said = perRequest.flatMap(([sectors, what]) =>
    sectors !== undefined && sectors > MOST_COALESCED_SECTORS
      ? [`${round1(sectors)} sectors per ${what}`]
      : [],
  );
  return `Global accesses are not coalesced: ${said.join(' and ')}, where 4 are enough for 4 bytes per thread, and a coalesced access takes at most ${MOST_COALESCED_SECTORS}.`;
}

export const bankConflicts: Rule = {
  id: 'bank-conflicts',
  meaning: 'Threads of a warp access different rows of one shared-memory bank, which serves them one by one.',
  fix: 'Spread each warp over all 32 banks: pad rows by one element (16 bytes for 16-byte accesses), or swizzle (XOR) the column with the row; TMA and ldmatrix have matching swizzles.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['l1-shared', 'latency', 'compute', 'tensor'],
  symptomOf: ['atomic-contention'],
  requires: ['conflict_wavefronts', 'conflict_pct'],
  uses: [
    'l1_wavefronts',
    'l1_pct',
    'mio_throttle_pct',
    'short_scoreboard_pct',
    'shared_wavefronts_actual',
    'shared_wavefronts_ideal',
  ],
  condition: `${CONFLICT_PCT} % or more of the passes through shared memory are caused by conflicts.`,
  gainBasis:
    "The share of those passes in the L1's data cycles, times the L1's load or the stalls on shared memory, whichever is larger.",
  source: `${PROGRAMMING_GUIDE}, Shared Memory banks; ${PROFILING_GUIDE}, Shared Memory (SharedMemoryConflicts). Below ${CONFLICT_PCT} % the counter is mostly noise.`,
  headline: { fact: 'conflict_pct', subject: 'shared-memory bank conflicts', unit: ' % of wavefronts' },
  evaluate(facts): RuleOutcome | undefined {
    const conflictPct = facts.need('conflict_pct');
    if (conflictPct < CONFLICT_PCT) return undefined;
    const all = facts.have('l1_wavefronts');
    const ofL1 =
      all !== undefined && all > 0 ? Math.min(1, facts.need('conflict_wavefronts') / all) : conflictPct / 100;
    const waitPct = Math.min(
      100,
      (facts.have('mio_throttle_pct') ?? 0) + (facts.have('short_scoreboard_pct') ?? 0),
    );
    return {
      evidence: evidenceOf(facts, [
        'conflict_pct',
        'conflict_wavefronts',
        'l1_wavefronts',
        'l1_pct',
        'mio_throttle_pct',
        'short_scoreboard_pct',
      ]),
      diagnosis: `Threads of a warp hit the same banks of shared memory: ${Math.round(conflictPct)} % of its passes are repeats.`,
      gainPct: bounded(100 * ofL1 * Math.max((facts.have('l1_pct') ?? 50) / 100, waitPct / 100)),
    };
  },
};

export const registerSpill: Rule = {
  id: 'register-spill',
  meaning: 'The compiler ran out of registers and keeps values in local memory.',
  fix: 'Allow more registers (__launch_bounds__, -maxrregcount) or need fewer: smaller tile per thread, less unrolling, shorter live ranges.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['dram', 'l2', 'l1-shared', 'latency', 'compute', 'tensor'],
  symptomOf: [],
  requires: ['local_requests', 'inst_executed'],
  uses: [
    ...MEMORY_LOADS,
    'local_sectors',
    'all_global_sectors',
    'registers_per_thread',
    'spill_requests',
    'lg_throttle_pct',
    'long_scoreboard_pct',
  ],
  condition: `${SPILL_INSTRUCTION_PCT} % or more of the instructions spill registers to local memory or reload them.`,
  gainBasis:
    'The share of these instructions; or their share of all sectors times the load of the busiest level below the L1, if larger.',
  source: `${PROFILING_GUIDE}, local memory; ${PROGRAMMING_GUIDE}, Local Memory.`,
  headline: { fact: 'local_requests', subject: 'requests to spilled registers', unit: '' },
  evaluate(facts): RuleOutcome | undefined {
    const requests = facts.need('local_requests');
    const instructionPct = (100 * requests) / Math.max(1, facts.need('inst_executed'));
    if (instructionPct < SPILL_INSTRUCTION_PCT) return undefined;
    const local = facts.have('local_sectors') ?? 0;
    const other = facts.have('all_global_sectors') ?? 0;
    // Spills that stay in the L1 cost instructions; those that leave it cost the bandwidth below.
    const below = Math.max(facts.have('dram_pct') ?? 0, facts.have('l2_pct') ?? 0);
    const trafficPct = local + other > 0 && below >= 50 ? (local / (local + other)) * below : 0;
    const registers = facts.have('registers_per_thread');
    return {
      evidence: {
        ...evidenceOf(facts, [
          'local_requests',
          'local_sectors',
          'registers_per_thread',
          'inst_executed',
          ...MEMORY_LOADS,
        ]),
        spill_instruction_pct: round1(instructionPct),
      },
      diagnosis: `Registers spill to local memory: ${round1(instructionPct)} % of all instructions store and reload them${registers === undefined ? '' : ` (${registers} registers per thread)`}.`,
      gainPct: bounded(Math.max(instructionPct, trafficPct)),
    };
  },
};

export const l2Thrash: Rule = {
  id: 'l2-thrash',
  meaning: 'Reused data has left the L2 and is fetched from DRAM again.',
  fix: 'Keep the working set smaller than the L2: process tiles in groups that share operands, finish with data before the next, or pin reused data (access policy window, evict hints).',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['dram', 'l2'],
  symptomOf: ['uncoalesced-access', 'register-spill', 'local-arrays'],
  requires: ['l2_hit_pct', 'dram_bytes', 'dram_pct'],
  uses: ['l2_read_hit_pct', 'l2_read_sectors', 'dram_read_bytes', 'l2_size_bytes'],
  condition:
    "DRAM is at 60 % or more and moves too much: with L2 hits below 80 %, over 1.2 times the least bytes of the work; if these are unknown, over 1.2 times what the SMs read from the L2; else it reads over twice the L2's size with 10 to 80 % hits.",
  gainBasis: 'The share of needless bytes, times the load of DRAM.',
  source: `${PROFILING_GUIDE}, L2 Cache. A stream that is read once never hits, so the hit rate alone does not decide.`,
  headline: { fact: 'l2_hit_pct', subject: 'the L2 hit rate', unit: ' %' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const avoidable = avoidableDramShare(facts, limit);
    if (avoidable === undefined) return undefined;
    return {
      evidence: evidenceOf(facts, [
        'l2_hit_pct',
        'l2_read_hit_pct',
        'dram_bytes',
        'dram_read_bytes',
        'l2_size_bytes',
        'dram_pct',
      ]),
      diagnosis: `The L2 loses data before it is used again: about ${Math.round(100 * avoidable)} % of DRAM's traffic fetches it again.`,
      gainPct: bounded(100 * avoidable * (facts.need('dram_pct') / 100)),
    };
  },
};

function avoidableDramShare(facts: Facts, limit: Limit): number | undefined {
  const moved = facts.need('dram_bytes');
  if (facts.need('dram_pct') < 60 || (limit.limiter !== 'dram' && limit.limiter !== 'l2')) return undefined;
  const { minimumBytes } = facts.problem;
  if (minimumBytes !== undefined) {
    return facts.need('l2_hit_pct') < 80 && moved > 1.2 * minimumBytes ? 1 - minimumBytes / moved : undefined;
  }
  const read = facts.have('dram_read_bytes');
  const asked = facts.have('l2_read_sectors');
  if (read !== undefined && asked !== undefined && asked > 0 && read > 1.2 * 32 * asked)
    return 1 - (32 * asked) / read;
  const hit = facts.have('l2_read_hit_pct');
  const size = facts.have('l2_size_bytes');
  if (hit === undefined || read === undefined || size === undefined) return undefined;
  // Of the reads that miss, as many would hit as do: half is the guess that needs no model of the reuse.
  return hit >= 10 && hit < 80 && read > 2 * size ? 0.5 * (1 - hit / 100) : undefined;
}
