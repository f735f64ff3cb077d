/** Rules for CPU kernels, over what the compiled code and its flags say. They need no profiler. */
import type { Finding } from '../../model/profile/diagnosis.ts';
import type { CodeRuleId } from '../../model/profile/diagnosis-words.ts';
import type { LoopMix } from './read-loops.ts';

export interface CompiledCode {
  readonly loops: readonly LoopMix[];
  /** In the compiler's order: the last of a kind counts. */
  readonly flags: readonly string[];
}

interface Found {
  readonly diagnosis: string;
  readonly evidence: Readonly<Record<string, number>>;
}

export interface CodeRule {
  readonly id: CodeRuleId;
  readonly meaning: string;
  readonly condition: string;
  readonly fix: string;
  readonly priority: Finding['priority'];
  /** Percent of the kernel's time that it promises: how often the code runs is not known. */
  readonly gainPct: number;
  readonly gainBasis: string;
  readonly source: string;
  readonly find: (code: CompiledCode) => Found | undefined;
}

const NOT_COUNTED = 'How often the code runs is not counted, so this is half of the most possible';

export const CODE_RULES: readonly CodeRule[] = [
  {
    id: 'unoptimised-build',
    meaning: 'The compiler flags turn optimisation off or down.',
    condition: 'The last -O flag is -O0, -O1 or -Og.',
    fix: 'Remove the flag from `flags` in pawl.yaml: Pawl builds with -O3.',
    priority: 0,
    gainPct: 60,
    gainBasis: 'Unoptimised code keeps every value in memory; a factor of two to ten is usual.',
    source: 'GCC manual, Options That Control Optimization.',
    find({ flags }) {
      const level = flags.findLast((flag) => flag.startsWith('-O'));
      if (level === undefined || !/^-O(?:0|1|g)$/u.test(level)) return undefined;
      return { diagnosis: `The kernel is built with ${level}.`, evidence: {} };
    },
  },
  {
    id: 'math-calls',
    meaning: 'The inner loop calls the math library for one value at a time.',
    condition: 'An innermost loop calls exp, log, pow, tanh or another scalar function of libm.',
    fix: "Compute it for a vector at a time: with a polynomial that the compiler can vectorise, within the problem's tolerance, or a vector math library (-ffast-math with libmvec on x86).",
    priority: 1,
    gainPct: 45,
    gainBasis: `A call takes tens of cycles per value, a vectorised polynomial a few. ${NOT_COUNTED}.`,
    source: 'Agner Fog, Optimizing software in C++, Vectorized math functions.',
    find({ loops }) {
      const calling = loops.filter(({ mathCalls }) => mathCalls.length > 0);
      const names = [...new Set(calling.flatMap(({ mathCalls }) => mathCalls))];
      if (names.length === 0) return undefined;
      return {
        diagnosis: `${calling.length} of ${loops.length} inner loops call ${names.join(', ')} for one value at a time.`,
        evidence: { loops_with_calls: calling.length, loops: loops.length },
      };
    },
  },
  {
    id: 'scalar-code',
    meaning: 'The inner loops compute one value at a time and leave the vector units idle.',
    condition: 'Innermost loops have floating-point arithmetic, and none of it is on vectors.',
    fix: 'Let the compiler vectorise: independent partial sums, no calls or branches in the loop, __restrict on pointers, contiguous accesses; or use vector types or intrinsics.',
    priority: 1,
    gainPct: 35,
    gainBasis: `The narrowest vectors hold four floats: three quarters of the arithmetic. ${NOT_COUNTED}.`,
    source:
      'Intel 64 and IA-32 Optimization Manual, Vectorization; Arm Neoverse software optimization guides.',
    find({ loops }) {
      const scalar = loops.reduce((sum, loop) => sum + loop.scalar, 0);
      const vector = loops.reduce((sum, loop) => sum + loop.vector, 0);
      if (scalar === 0 || vector > 0) return undefined;
      return {
        diagnosis: `The inner loops have ${scalar} floating-point instructions, and none of them works on a vector.`,
        evidence: { scalar_instructions: scalar, vector_instructions: vector },
      };
    },
  },
  {
    id: 'division-in-loop',
    meaning: 'The inner loop divides or takes square roots.',
    condition: 'An innermost loop has a floating-point division or square root.',
    fix: "If the divisor does not change in the loop, multiply by its reciprocal, computed before the loop, within the problem's tolerance.",
    priority: 2,
    gainPct: 8,
    gainBasis:
      'A division takes as long as four to ten multiplications; other instructions hide a part of it.',
    source: 'Agner Fog, Instruction tables.',
    find({ loops }) {
      const dividing = loops.filter(({ divisions }) => divisions > 0);
      if (dividing.length === 0) return undefined;
      return {
        diagnosis: `${dividing.length} of ${loops.length} inner loops divide or take square roots.`,
        evidence: { loops_with_divisions: dividing.length, loops: loops.length },
      };
    },
  },
  {
    id: 'generic-target',
    meaning: 'The kernel is built for the oldest processors, not for this one.',
    condition: 'No -march or -mcpu among the flags.',
    fix: 'Add -march=native (or -mcpu=native) to `flags` in pawl.yaml, if the kernel runs only on machines like this one.',
    priority: 2,
    gainPct: 10,
    gainBasis: 'Wider vectors and fused multiply-adds help only loops that use them.',
    source: 'GCC manual, x86 Options and AArch64 Options.',
    find({ flags }) {
      if (flags.some((flag) => /^-m(?:arch|cpu)=/u.test(flag))) return undefined;
      return { diagnosis: 'No flag names the processor that the kernel is built for.', evidence: {} };
    },
  },
];

/** What the code says, the most promising first. */
export function findInCode(code: CompiledCode): Finding[] {
  return CODE_RULES.flatMap(({ id, priority, fix, gainPct, gainBasis, source, find }): Finding[] => {
    const found = find(code);
    if (found === undefined) return [];
    const { diagnosis, evidence } = found;
    return [
      {
        rule: id,
        priority,
        evidence: { ...evidence },
        diagnosis,
        fix,
        expected_gain_pct: gainPct,
        gain_basis: gainBasis,
        source,
      },
    ];
  }).toSorted((one, other) => other.expected_gain_pct - one.expected_gain_pct);
}
