/** What memory accesses cost beyond what they must. */
import { quotedConflicts, quotedExcessSectors, quotedExcessWavefronts } from './rule-text.ts';
import { highest, percent, SECTOR_BYTES, sum, type Derivations, type FactReader } from './derivation.ts';

/** A coalesced 4-byte access of a warp: fewer sectors than this never cost more than it. */
const SECTORS_PER_COALESCED_REQUEST = 4;

/** Excess of one direction, from how much of each sector was used; broadcasts are not excess. */
function excessSectors(
  bytesPerSector: number | undefined,
  sectors: number | undefined,
  requests: number | undefined,
): number | undefined {
  if (sectors === 0) return 0;
  if (bytesPerSector === undefined || sectors === undefined || requests === undefined) return undefined;
  if (sectors <= SECTORS_PER_COALESCED_REQUEST * requests) return 0;
  return sectors * Math.max(0, 1 - bytesPerSector / SECTOR_BYTES);
}

const ratio = (part: number | undefined, whole: number | undefined): number | undefined =>
  part === undefined || whole === undefined || whole <= 0 ? undefined : part / whole;

/** 16 bytes a thread, the widest access before compute capability 10.0 (256-bit loads): no coalesced one takes more. */
const MOST_SECTORS_OF_COALESCED_REQUEST = 16;
const WIDER_ACCESSES_SINCE = 10;

/** What a request needs at least, of what it takes, from the sectors of a request alone. */
function excessOfRequests(sectors: number | undefined, capability: string | undefined): number | undefined {
  if (sectors === undefined) return undefined;
  if (sectors <= SECTORS_PER_COALESCED_REQUEST) return 0;
  const isWide = !(Number(capability) < WIDER_ACCESSES_SINCE);
  // Between these it depends on how wide the accesses are, which was not collected.
  if (isWide || sectors <= MOST_SECTORS_OF_COALESCED_REQUEST) return undefined;
  return 100 * (1 - SECTORS_PER_COALESCED_REQUEST / sectors);
}

/** Where bytes per sector were not collected: weighed by sectors where those were, else the worse direction. */
function excessByRequests(facts: FactReader): number | undefined {
  const capability = facts.launch.computeCapability;
  const load = excessOfRequests(facts.have('sectors_per_load'), capability);
  const store = excessOfRequests(facts.have('sectors_per_store'), capability);
  const [loads, stores] = [facts.have('global_load_sectors'), facts.have('global_store_sectors')];
  if (loads !== undefined && stores !== undefined && loads + stores > 0) {
    if (load !== undefined && store !== undefined) return (load * loads + store * stores) / (loads + stores);
    // One direction is reported even where the other is not known.
    const certain = ((load ?? 0) * loads + (store ?? 0) * stores) / (loads + stores);
    return certain > 0 ? certain : undefined;
  }
  const worst = highest(load, store);
  return worst === 0 && (load === undefined || store === undefined) ? undefined : worst;
}

type MemoryFact =
  | 'conflict_wavefronts'
  | 'conflict_pct'
  | 'l1_wavefronts'
  | 'excess_global_sectors'
  | 'all_global_sectors'
  | 'excess_sector_pct'
  | 'sectors_per_load'
  | 'sectors_per_store'
  | 'local_sectors'
  | 'array_sectors'
  | 'local_requests'
  | 'dram_bytes'
  | 'global_atomics';

export const memoryFacts: Derivations<MemoryFact> = {
  /** Passes through the banks that a conflict-free layout of shared memory would not need. */
  conflict_wavefronts: {
    reads: [
      'shared_wavefronts_excess',
      'shared_wavefronts_actual',
      'shared_wavefronts_ideal',
      'shared_load_conflicts',
      'shared_store_conflicts',
    ],
    derive: (facts) => {
      const rules = facts.launch.ncuRules;
      const actual = facts.have('shared_wavefronts_actual');
      const ideal = facts.have('shared_wavefronts_ideal');
      // The hardware's conflict counter also counts waits for the data stage: the count per instruction comes first.
      return (
        facts.have('shared_wavefronts_excess') ??
        (actual !== undefined && ideal !== undefined ? Math.max(0, actual - ideal) : undefined) ??
        quotedExcessWavefronts(rules)?.part ??
        sum(facts.have('shared_load_conflicts'), facts.have('shared_store_conflicts')) ??
        quotedConflicts(rules, 'loads')?.part ??
        quotedConflicts(rules, 'stores')?.part
      );
    },
  },
  conflict_pct: {
    reads: [
      'conflict_wavefronts',
      'shared_wavefronts_actual',
      'shared_wavefronts',
      'shared_load_wavefronts',
      'shared_store_wavefronts',
    ],
    derive: (facts) => {
      const rules = facts.launch.ncuRules;
      const quoted = quotedExcessWavefronts(rules);
      if (facts.have('shared_wavefronts_actual') === undefined && quoted)
        return percent(quoted.part, quoted.whole);
      const all =
        facts.have('shared_wavefronts_actual') ??
        sum(facts.have('shared_load_wavefronts'), facts.have('shared_store_wavefronts')) ??
        facts.have('shared_wavefronts') ??
        quotedConflicts(rules, 'loads')?.whole ??
        quotedConflicts(rules, 'stores')?.whole;
      return percent(facts.have('conflict_wavefronts'), all);
    },
  },
  /** All wavefronts of the L1's data stage: one a cycle at its peak. */
  l1_wavefronts: {
    reads: ['l1_wavefronts_pct', 'l1_pct', 'sm_elapsed_cycles', 'sm_count'],
    derive: (facts) => {
      const busyPct = facts.have('l1_wavefronts_pct') ?? facts.have('l1_pct');
      const cycles = facts.have('sm_elapsed_cycles');
      const sms = facts.have('sm_count');
      return busyPct === undefined || cycles === undefined || sms === undefined
        ? undefined
        : (busyPct / 100) * cycles * sms;
    },
  },
  excess_global_sectors: {
    reads: [
      'global_sectors_excess',
      'global_sectors',
      'global_sectors_ideal',
      'load_bytes_per_sector',
      'global_load_sectors',
      'global_load_requests',
      'store_bytes_per_sector',
      'global_store_sectors',
      'global_store_requests',
    ],
    derive: (facts) => {
      const all = facts.have('global_sectors');
      const ideal = facts.have('global_sectors_ideal');
      return (
        facts.have('global_sectors_excess') ??
        (all !== undefined && ideal !== undefined ? Math.max(0, all - ideal) : undefined) ??
        quotedExcessSectors(facts.launch.ncuRules)?.part ??
        sum(
          excessSectors(
            facts.have('load_bytes_per_sector'),
            facts.have('global_load_sectors'),
            facts.have('global_load_requests'),
          ),
          excessSectors(
            facts.have('store_bytes_per_sector'),
            facts.have('global_store_sectors'),
            facts.have('global_store_requests'),
          ),
        )
      );
    },
  },
  all_global_sectors: {
    reads: ['global_sectors', 'global_load_sectors', 'global_store_sectors'],
    derive: (facts) =>
      facts.have('global_sectors') ??
      sum(facts.have('global_load_sectors'), facts.have('global_store_sectors')) ??
      quotedExcessSectors(facts.launch.ncuRules)?.whole,
  },
  /** 100 minus the coalescing efficiency. */
  excess_sector_pct: {
    reads: [
      'excess_global_sectors',
      'all_global_sectors',
      'sectors_per_load',
      'sectors_per_store',
      'global_load_sectors',
      'global_store_sectors',
    ],
    derive: (facts) =>
      percent(facts.have('excess_global_sectors'), facts.have('all_global_sectors')) ??
      excessByRequests(facts),
  },
  sectors_per_load: {
    reads: ['load_request_sectors', 'global_load_sectors', 'global_load_requests'],
    derive: (facts) =>
      facts.have('load_request_sectors') ??
      ratio(facts.have('global_load_sectors'), facts.have('global_load_requests')),
  },
  sectors_per_store: {
    reads: ['store_request_sectors', 'global_store_sectors', 'global_store_requests'],
    derive: (facts) =>
      facts.have('store_request_sectors') ??
      ratio(facts.have('global_store_sectors'), facts.have('global_store_requests')),
  },
  local_sectors: {
    reads: ['local_load_sectors', 'local_store_sectors', 'local_sectors_theoretical', 'spill_requests'],
    derive: (facts) => {
      const requests = facts.have('spill_requests');
      return (
        sum(facts.have('local_load_sectors'), facts.have('local_store_sectors')) ??
        facts.have('local_sectors_theoretical') ??
        (requests === undefined ? undefined : requests * SECTORS_PER_COALESCED_REQUEST)
      );
    },
  },
  /** Those of local memory that are not of spilled registers. */
  array_sectors: {
    reads: ['local_sectors', 'spill_requests'],
    derive: (facts) => {
      const all = facts.have('local_sectors');
      const spills = facts.have('spill_requests');
      if (all === undefined || spills === undefined) return undefined;
      return Math.max(0, all - spills * SECTORS_PER_COALESCED_REQUEST);
    },
  },
  /** Requests to spilled registers; where ncu does not tell them apart, all requests to local memory. */
  local_requests: {
    reads: ['spill_requests', 'local_load_requests', 'local_store_requests'],
    derive: (facts) =>
      facts.have('spill_requests') ??
      sum(facts.have('local_load_requests'), facts.have('local_store_requests')),
  },
  dram_bytes: {
    reads: ['dram_read_bytes', 'dram_write_bytes', 'dram_bytes_per_s', 'duration_ns'],
    derive: (facts) => {
      const rate = facts.have('dram_bytes_per_s');
      const ns = facts.have('duration_ns');
      return (
        sum(facts.have('dram_read_bytes'), facts.have('dram_write_bytes')) ??
        (rate === undefined || ns === undefined ? undefined : rate * ns * 1e-9)
      );
    },
  },
  global_atomics: {
    reads: ['global_atomic_requests', 'global_reduction_requests'],
    derive: (facts) => sum(facts.have('global_atomic_requests'), facts.have('global_reduction_requests')),
  },
};
