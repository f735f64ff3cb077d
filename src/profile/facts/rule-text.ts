/**
 * The numbers in the sentences of ncu's own rules. The details page prints no stall, pipe or conflict counters, but
 * the rules that fired quote them; a rule that did not fire quotes nothing, which is not zero.
 */
import type { NcuRule } from '../../model/profile/profile.ts';

/** How ncu's `CPIStall` sentence describes each reason (Nsight Compute Profiling Guide, Warp Stall Reasons). */
const STALL_SENTENCES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/scoreboard dependency on an? L1TEX/iu, 'long_scoreboard'],
  [/scoreboard dependency on an? MIO/iu, 'short_scoreboard'],
  [/MIO \(memory input\/output\) instruction queue/iu, 'mio_throttle'],
  [/L1 instruction queue for local and global/iu, 'lg_throttle'],
  [/L1 instruction queue for texture/iu, 'tex_throttle'],
  [/sibling warps at a CTA barrier/iu, 'barrier'],
  [/fixed latency execution dependency/iu, 'wait'],
  [/execution pipe to be available/iu, 'math_pipe_throttle'],
  [/instruction cache miss|fetch an instruction|instruction fetch/iu, 'no_instruction'],
  [/memory barrier/iu, 'membar'],
  [/memory (?:instructions|operations) to complete|draining/iu, 'drain'],
  [/GMMA/u, 'gmma'],
];

const OF_ALL_STALLS = /represents about ([\d.]+)% of the total average of ([\d.]+) cycles/u;

/** Percent of a warp's cycles between two instructions, by stall reason, for those that ncu's rule quotes. */
export function quotedStalls(rules: readonly NcuRule[]): ReadonlyMap<string, number> {
  const stalls = new Map<string, number>();
  for (const rule of rules) {
    const share = rule.rule === 'CPIStall' ? OF_ALL_STALLS.exec(rule.description)?.[1] : undefined;
    const reason = STALL_SENTENCES.find(([pattern]) => pattern.test(rule.description))?.[1];
    if (share !== undefined && reason !== undefined) stalls.set(reason, Number(share));
  }
  return stalls;
}

function quote(rules: readonly NcuRule[], name: string, pattern: RegExp): readonly number[] | undefined {
  for (const rule of rules) {
    const match = rule.rule === name ? pattern.exec(rule.description) : null;
    if (match) {
      const numbers = match.slice(1).map(Number);
      if (numbers.every(Number.isFinite)) return numbers;
    }
  }
  return undefined;
}

function quotedPair(rules: readonly NcuRule[], name: string, pattern: RegExp): Part | undefined {
  const [part, whole] = quote(rules, name, pattern) ?? [];
  return part === undefined || whole === undefined ? undefined : { part, whole };
}

interface Part {
  readonly part: number;
  readonly whole: number;
}

export const quotedExcessSectors = (rules: readonly NcuRule[]): Part | undefined =>
  quotedPair(
    rules,
    'UncoalescedGlobalAccess',
    /total of (\d+) excessive sectors \(\d+% of the total (\d+) sectors/u,
  );

export const quotedExcessWavefronts = (rules: readonly NcuRule[]): Part | undefined =>
  quotedPair(
    rules,
    'UncoalescedSharedAccess',
    /total of (\d+) excessive wavefronts \(\d+% of the total (\d+) wavefronts/u,
  );

export const quotedConflicts = (rules: readonly NcuRule[], access: 'loads' | 'stores'): Part | undefined =>
  quotedPair(
    rules,
    'SharedMemoryConflicts',
    new RegExp(
      String.raw`results in (\d+) bank conflicts,\s+which represent [\d.]+% of the overall (\d+) wavefronts for shared ${access}`,
      'u',
    ),
  );

/** FP32 additions and multiplications, fused and not. */
export const quotedFusedFp32 = (rules: readonly NcuRule[]): Part | undefined => {
  const counts = quotedPair(rules, 'FPInstructions', /executes (\d+) fused and (\d+) non-fused FP32/u);
  return counts && { part: counts.part, whole: counts.part + counts.whole };
};

export const quotedFp32PeakPct = (rules: readonly NcuRule[]): number | undefined =>
  quote(rules, 'SOLFPRoofline', /achieved\s+(?:close to )?([\d.]+)% of this device's FP32 peak/u)?.[0];

/** By how much the busiest SM's active cycles exceed the average, in percent of the busiest's. */
export const quotedSmImbalancePct = (rules: readonly NcuRule[]): number | undefined =>
  quote(rules, 'WorkloadImbalance', /more SMs have .* Maximum instance value is ([\d.]+)% above/u)?.[0];

/** The pipe that ncu finds busiest by its cycles, and how busy. Pipes without a cycle counter (XU) never appear. */
export function quotedBusiestPipe(
  rules: readonly NcuRule[],
): { readonly name: string; readonly pct: number; readonly isTensor: boolean } | undefined {
  for (const { rule, description } of rules) {
    const match =
      rule === 'HighPipeUtilization'
        ? /^(.+?) is the highest-utilized pipeline \(([\d.]+)%\)/u.exec(description)
        : null;
    const [, name, pct] = match ?? [];
    if (name !== undefined && pct !== undefined) {
      return {
        name,
        pct: Number(pct),
        isTensor:
          /^Tensor|dominated by its Tensor/u.test(`${name}|${description}`) ||
          /its Tensor/u.test(description),
      };
    }
  }
  return undefined;
}
