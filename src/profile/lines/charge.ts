/**
 * Who a warp's waiting is charged to. A sample shows where a warp was found; where it waits for data, the time is the
 * fault of the instruction that fetches them, which may stand on another line. So a wait on a scoreboard is charged to
 * the instructions whose results it waits for, one in a full queue to those that fill the queue, and everything else
 * to the instruction itself. Nothing is lost: the charges add up to the samples.
 */
import { Flow } from './flow.ts';
import { liveRegisters } from './live-registers.ts';
import type { SampledInstruction, SourceTable } from './source-page.ts';

export interface Charged {
  /** By instruction: samples by reason. */
  readonly charges: readonly ReadonlyMap<string, number>[];
  /** By instruction: those whose results it waits for. */
  readonly waitsFor: readonly (readonly number[])[];
  /** By instruction: registers in use. */
  readonly registers: readonly number[];
}

const SCOREBOARDS = new Set(['long-scoreboard', 'short-scoreboard']);
const TO_MEMORY = /^(?:LDG|LD|LDL|STG?|STL|ATOMG?|RED|REDG|LDGSTS)$/u;
const TO_SHARED = /^(?:LDS|STS|LDSM|STSM|ATOMS|REDS|LDGSTS|SHFL|MUFU|LDC)$/u;
const STORES = /^(?:STG?|STL|RED|REDG|SUST)$/u;

export function chargeStalls(table: SourceTable): Charged {
  const { instructions } = table;
  const flow = new Flow(table);
  const charges = instructions.map(() => new Map<string, number>());
  const waitsFor = instructions.map((): readonly number[] => []);
  const charge = (index: number, reason: string, samples: number): void => {
    const own = charges[index];
    own?.set(reason, (own.get(reason) ?? 0) + samples);
  };
  const share = (among: readonly number[], reason: string, samples: number): void => {
    const weights = among.map((index) => weightOf(instructions[index]!));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [at, index] of among.entries()) charge(index, reason, (samples * (weights[at] ?? 0)) / total);
  };
  for (const [index, { stalls, samples }] of instructions.entries()) {
    const known = [...stalls.values()].reduce((sum, count) => sum + count, 0);
    for (const [reason, count] of stalls) {
      const among = causes(flow, index, reason);
      if (SCOREBOARDS.has(reason)) waitsFor[index] = [...new Set([...waitsFor[index]!, ...among])];
      share(among.length === 0 ? [index] : among, reason, count);
    }
    // Samples without a reason are still time.
    if (samples > known) charge(index, 'misc', samples - known);
  }
  return { charges, waitsFor, registers: liveRegisters(flow) };
}

function causes(flow: Flow, index: number, reason: string): readonly number[] {
  if (reason === 'long-scoreboard') return flow.sourcesOf(index, 'long');
  if (reason === 'short-scoreboard') return flow.sourcesOf(index, 'short');
  // A warp that has issued one of these waits at the instruction after it.
  if (reason === 'barrier') return flow.last(index, /^(?:BAR|B2R)$/u);
  if (reason === 'membar') return flow.last(index, /^(?:MEMBAR|ERRBAR|FENCE|CCTL)$/u);
  if (reason === 'sleeping') return flow.last(index, /^NANOSLEEP$/u);
  if (reason === 'drain') return flow.all(STORES);
  if (reason === 'lg-throttle') return flow.inLoopOf(index, TO_MEMORY);
  if (reason === 'mio-throttle') return flow.inLoopOf(index, TO_SHARED);
  return [];
}

/** How much an instruction asks of the memory, as far as it was counted. */
function weightOf({
  sectors = 0,
  wavefronts = 0,
  localSectors = 0,
  executed = 0,
}: SampledInstruction): number {
  return Math.max(1, sectors, wavefronts, localSectors, executed);
}
