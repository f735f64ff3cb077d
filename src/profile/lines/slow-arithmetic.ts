/** Arithmetic that takes many instructions where few would do, found at the lines where it stands. */
import type { Finding, KernelDiagnosis, Limiter } from '../../model/profile/diagnosis.ts';
import type { LineRuleId } from '../../model/profile/diagnosis-words.ts';
import type { FindingLine, HotInstruction, HotLine, HotLines } from '../../model/profile/hot-lines.ts';
import { findingLine } from './finding-line.ts';
import { bounded, PROGRAMMING_GUIDE } from '../rules/rule.ts';

/** What the compiler makes of one operation, as nvcc 12 and 13 write it for 8.0 and 9.0. */
interface SlowKind {
  readonly name: string;
  readonly words: string;
  readonly fix: string;
  /** Of its instructions, those that are executed once for each. */
  readonly counted: RegExp;
  /** What must be among the line's instructions, too. */
  readonly beside: readonly RegExp[];
  /** What speaks against it. */
  readonly without?: RegExp;
  /** How many instructions it usually has, and how many what replaces it. */
  readonly instructions: number;
  readonly cheap: number;
}

const CALL = /^CALL/u;

const KINDS: readonly SlowKind[] = [
  {
    name: 'large_sines',
    words: 'sines or cosines of large arguments, which need a long range reduction',
    fix: 'keep arguments below about 100,000, or use sinpif and cospif, or __sinf and __cosf where their error is allowed',
    counted: /^I2F\.F64\.S64/u,
    beside: [/^DMUL/u, /^LDG\.E\.CONSTANT/u],
    instructions: 120,
    cheap: 10,
  },
  {
    name: 'powers',
    words: 'powers by powf',
    fix: 'multiply for small whole exponents, or use exp2f(y * log2f(x)) or __powf where their error is allowed',
    counted: /^FRND /u,
    beside: [/^IADD3.*-0x3f3504f3/u, /^MUFU\.RCP/u],
    instructions: 68,
    cheap: 5,
  },
  {
    name: 'integer_divisions',
    words: 'integer divisions or remainders by a variable',
    fix: 'make the divisor a template parameter or a power of two, keep a running index instead of dividing, or multiply by a reciprocal that is computed once',
    counted: /^(?:IMAD\.HI\.U32|I2F\.U64\.RP)/u,
    beside: [/^I2F(?:\.U32|\.U64)?\.RP/u, /^MUFU\.RCP/u, /^F2I(?:\.FTZ)?\.U(?:32|64)\.TRUNC/u],
    instructions: 14,
    cheap: 3,
  },
  {
    name: 'exact_divisions',
    words: 'exact divisions of floats',
    fix: 'multiply by a reciprocal that is computed once, or use __fdividef or -prec-div=false where the error is allowed (tl.fdiv in Triton)',
    counted: /^FCHK/u,
    beside: [/^MUFU\.RCP/u, CALL],
    instructions: 10,
    cheap: 2,
  },
  {
    name: 'exact_roots',
    words: 'exact square roots',
    fix: 'use rsqrtf and multiply, or -prec-sqrt=false where the error is allowed',
    counted: /^MUFU\.RSQ/u,
    beside: [/0x727fffff/u, CALL],
    instructions: 10,
    cheap: 2,
  },
  {
    name: 'exact_exponentials',
    words: 'exponentials by expf',
    fix: 'use exp2f with the factor folded into its argument, or __expf where the error is allowed',
    counted: /^FFMA\.RM.*12582913/u,
    beside: [/^MUFU\.EX2/u],
    instructions: 8,
    cheap: 2,
  },
  {
    name: 'doubles',
    words: 'doubles among floats',
    fix: 'write literals with f (0.5f) and call the float functions (expf, fabsf)',
    counted: /^(?:D(?:ADD|MUL|FMA|SETP|MNMX)|F2F\.F(?:64\.F32|32\.F64)|MUFU\.\w+64H)/u,
    beside: [/^F2F\.F(?:64\.F32|32\.F64)/u],
    without: /^I2F\.F64\.S64/u,
    instructions: 1,
    cheap: 0.5,
  },
  {
    name: 'conversions',
    words: 'conversions between integers and floats',
    fix: 'keep values in one type through the loop, and convert once',
    counted: /^(?:I2F|F2I)\.(?!.*\.RP)/u,
    beside: [/^I2F\.(?!.*\.RP)/u, /^F2I\./u],
    without: /^(?:FRND|I2F\.F64\.S64|IMAD\.HI)/u,
    // A quarter of the rate of other arithmetic, and results that have to be waited for.
    instructions: 4,
    cheap: 2,
  },
];

/** Below this share of the samples, it is not worth a finding. */
const LEAST_PCT = 10;
const MOST_LINES = 3;

const BEARS_ON: readonly Limiter[] = ['compute', 'special-function', 'latency', 'none'];
/** Not arithmetic: what costs there waits for memory, other warps or other code. */
const OTHER = /^(?:LD|ST|ATOM|RED|TEX|TLD|SUL|SUS|BAR|MEMBAR|DEPBAR|WARPSYNC|NANOSLEEP|SYNCS|UTMA|UBLKCP)/u;

export const SLOW_ARITHMETIC: {
  readonly id: LineRuleId;
  readonly meaning: string;
  readonly condition: string;
  readonly fix: string;
  readonly priority: Finding['priority'];
  readonly gainBasis: string;
  readonly source: string;
} = {
  id: 'slow-arithmetic',
  meaning: 'A line uses a long instruction sequence where a short one would do.',
  condition: `Integer divisions, exact float divisions, roots, exponentials or powers, sines of large arguments, doubles among floats, or repeated conversions take ${LEAST_PCT} % or more of the samples, memory aside. Needs samples and executed instructions by line; not for kernels limited by memory.`,
  fix: 'Depends on the sequence: fast functions, a divisor known to the compiler, float literals.',
  priority: 1,
  gainBasis:
    "The share of these sequences in the line's arithmetic, by executed instructions, times its samples, less the instructions that replace them.",
  source: `${PROGRAMMING_GUIDE}, arithmetic instructions and mathematical functions.`,
};

interface SlowLine {
  readonly line: HotLine;
  readonly kind: SlowKind;
  /** Of the kernel's samples. */
  readonly slow_pct: number;
}

/** The findings with slow arithmetic among them, by its gain; lines that have none change nothing. */
export function withSlowArithmetic(
  { limiter }: Pick<KernelDiagnosis, 'limiter'>,
  findings: readonly Finding[],
  hot: HotLines,
): Finding[] {
  const found = BEARS_ON.includes(limiter) ? slowArithmetic(hot, findings) : undefined;
  if (found === undefined) return [...findings];
  // A kernel that computes more than it has to is not at its limit.
  const others = findings.filter(({ rule }) => rule !== 'at-limit');
  const at = others.findIndex((one) => one.expected_gain_pct < found.expected_gain_pct);
  return at === -1 ? [...others, found] : others.toSpliced(at, 0, found);
}

function slowArithmetic({ lines }: HotLines, findings: readonly Finding[]): Finding | undefined {
  // Said already, by counters.
  const isSaid = ({ kind }: SlowLine): boolean =>
    kind.name === 'doubles' && findings.some(({ rule }) => rule === 'stray-fp64');
  const slow = lines
    .filter(({ line }) => line > 0)
    .flatMap(slowKinds)
    .filter((one) => !isSaid(one));
  const byKind = KINDS.map((kind) => ({ kind, slow_pct: sumOf(slow.filter((one) => one.kind === kind)) }))
    .filter(({ slow_pct }) => slow_pct >= LEAST_PCT)
    .toSorted((one, other) => other.slow_pct - one.slow_pct);
  const told = slow.filter((one) => byKind.some(({ kind }) => kind === one.kind));
  if (told.length === 0) return undefined;
  const total = sumOf(told);
  const gain = told.reduce(
    (sum, { kind, slow_pct }) => sum + slow_pct * (1 - kind.cheap / kind.instructions),
    0,
  );
  const fixes = byKind.map(({ kind }) => kind.fix).join('; ');
  return {
    rule: SLOW_ARITHMETIC.id,
    priority: SLOW_ARITHMETIC.priority,
    evidence: Object.fromEntries(byKind.map(({ kind, slow_pct }) => [`${kind.name}_pct`, round(slow_pct)])),
    diagnosis: `About ${total.toFixed(0)} % of the samples are in slow arithmetic: ${byKind.map(({ kind, slow_pct }) => `${kind.words} (${slow_pct.toFixed(0)} %)`).join(', ')}.`,
    fix: `${fixes.charAt(0).toUpperCase()}${fixes.slice(1)}.`,
    expected_gain_pct: bounded(gain),
    gain_basis: SLOW_ARITHMETIC.gainBasis,
    source: SLOW_ARITHMETIC.source,
    lines: linesOf(told, total),
  };
}

function sumOf(slow: readonly SlowLine[]): number {
  return slow.reduce((sum, { slow_pct }) => sum + slow_pct, 0);
}

function linesOf(slow: readonly SlowLine[], total: number): FindingLine[] {
  const byLine = new Map<HotLine, number>();
  for (const { line, slow_pct } of slow) byLine.set(line, (byLine.get(line) ?? 0) + slow_pct);
  return [...byLine]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_LINES)
    .map(([line, slow_pct]) => findingLine(line, Math.min(100, (100 * slow_pct) / total)));
}

/** Kinds share what the arithmetic of the line costs, by their instructions; what remains is other arithmetic. */
function slowKinds(line: HotLine): SlowLine[] {
  const arithmetic = line.instructions.filter((one) => !OTHER.test(codeOf(one)));
  const executed = arithmetic.reduce((sum, one) => sum + (one.executed ?? 0), 0);
  const cost_pct = arithmetic.reduce((sum, { share_pct }) => sum + share_pct, 0);
  if (executed === 0 || cost_pct < LEAST_PCT / 2) return [];
  const parts = KINDS.flatMap((kind) => {
    const count = timesOf(line.instructions, kind);
    return count === 0 ? [] : [{ kind, instructions: count * kind.instructions }];
  });
  const all = Math.max(
    executed,
    parts.reduce((sum, { instructions }) => sum + instructions, 0),
  );
  return parts.map(({ kind, instructions }) => ({ line, kind, slow_pct: (cost_pct * instructions) / all }));
}

/** How often it was executed; 0 where the line is something else. */
function timesOf(instructions: readonly HotInstruction[], { counted, beside, without }: SlowKind): number {
  const ran = instructions.filter(({ executed = 0 }) => executed > 0);
  const has = (shape: RegExp): boolean => ran.some((one) => shape.test(codeOf(one)));
  // The slow way of a division is a call that need not have been made.
  const isThere = (shape: RegExp): boolean => instructions.some((one) => shape.test(codeOf(one)));
  if (!beside.every((shape) => (shape === CALL ? isThere(shape) : has(shape)))) return 0;
  if (without !== undefined && has(without)) return 0;
  return ran.reduce((sum, one) => sum + (counted.test(codeOf(one)) ? (one.executed ?? 0) : 0), 0);
}

/** Without its predicate. */
function codeOf({ text }: HotInstruction): string {
  return text.replace(/^\s*@!?U?P[T\d]+\s+/u, '').trim();
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
