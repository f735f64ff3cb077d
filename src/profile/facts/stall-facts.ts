/** Why warps wait: each reason's share of the cycles between two instructions of a warp, in percent. */
import type { Signal } from './metric-names.ts';
import { quotedStalls } from './rule-text.ts';
import { percent, sum, type Derivation, type Derivations, type StallFact } from './derivation.ts';

function stallShare(reason: string, signal: Signal): Derivation {
  return {
    reads: [signal, 'warp_latency'],
    derive: (facts) =>
      percent(facts.have(signal), facts.have('warp_latency')) ??
      quotedStalls(facts.launch.ncuRules).get(reason),
  };
}

export const stallFacts: Derivations<StallFact> = {
  long_scoreboard_pct: stallShare('long_scoreboard', 'stall_long_scoreboard'),
  short_scoreboard_pct: stallShare('short_scoreboard', 'stall_short_scoreboard'),
  barrier_pct: stallShare('barrier', 'stall_barrier'),
  wait_pct: stallShare('wait', 'stall_wait'),
  math_throttle_pct: stallShare('math_pipe_throttle', 'stall_math_pipe_throttle'),
  mio_throttle_pct: stallShare('mio_throttle', 'stall_mio_throttle'),
  lg_throttle_pct: stallShare('lg_throttle', 'stall_lg_throttle'),
  tex_throttle_pct: stallShare('tex_throttle', 'stall_tex_throttle'),
  /** Of the memory queues, as far as they were collected. */
  throttle_pct: {
    reads: ['lg_throttle_pct', 'mio_throttle_pct', 'tex_throttle_pct'],
    derive: (facts) => {
      const shares = [
        facts.have('lg_throttle_pct'),
        facts.have('mio_throttle_pct'),
        facts.have('tex_throttle_pct'),
      ];
      const known = shares.filter((share) => share !== undefined);
      return known.length > 0 ? sum(...known) : undefined;
    },
  },
  drain_pct: stallShare('drain', 'stall_drain'),
  membar_pct: stallShare('membar', 'stall_membar'),
  no_instruction_pct: stallShare('no_instruction', 'stall_no_instruction'),
  gmma_pct: stallShare('gmma', 'stall_gmma'),
};
