/** Which lines a finding is about. Runs after the rules, over what was sampled and counted by line. */
import type { Diagnosis, Finding, KernelDiagnosis } from '../../model/profile/diagnosis.ts';
import type { RuleId } from '../../model/profile/diagnosis-words.ts';
import type { HotInstruction, HotLine, HotLines } from '../../model/profile/hot-lines.ts';
import { findingLine } from './finding-line.ts';
import { withSlowArithmetic } from './slow-arithmetic.ts';

/** How much a line has of what a rule found; lines with nothing are not named. */
type Measure = (line: HotLine) => number;

const THREADS_PER_WARP = 32;

const stalled =
  (...reasons: readonly string[]): Measure =>
  ({ stalls }) =>
    reasons.reduce((sum, reason) => sum + (stalls[reason] ?? 0), 0);

/** Executed instructions of a kind. */
const executed =
  (opcode: RegExp): Measure =>
  ({ instructions }) =>
    instructions.reduce((sum, one) => sum + (isOf(one, opcode) ? (one.executed ?? 0) : 0), 0);

/** What lines cost that have an instruction of a kind. */
const costOf =
  (opcode: RegExp): Measure =>
  ({ instructions }) =>
    instructions.reduce((sum, one) => sum + (isOf(one, opcode) ? one.share_pct : 0), 0);

const cost: Measure = ({ share_pct }) => share_pct;

/** Thread slots that issued instructions left empty. */
const idleThreads: Measure = ({ executed: count = 0, threads = THREADS_PER_WARP }) =>
  count * Math.max(0, THREADS_PER_WARP - threads);

const localAccesses: Measure = (line) => line.local_sectors ?? executed(/^(?:LDL|STL)$/u)(line);

const TO_MEMORY = /^(?:LDG?|LDL|STG?|STL|ATOMG?|RED|REDG|LDGSTS|UTMALDG|UTMASTG|UBLKCP)$/u;

const MEASURES: Readonly<Partial<Record<RuleId, Measure>>> = {
  'bank-conflicts': ({ excess_wavefronts = 0 }) => excess_wavefronts,
  'uncoalesced-access': ({ excess_sectors = 0 }) => excess_sectors,
  'register-spill': localAccesses,
  'local-arrays': localAccesses,
  divergence: idleThreads,
  'partial-warp': idleThreads,
  'barrier-stall': stalled('barrier'),
  'long-scoreboard': stalled('long-scoreboard'),
  'short-scoreboard': stalled('short-scoreboard'),
  'math-throttle': stalled('math-throttle'),
  'memory-throttle': stalled('lg-throttle', 'mio-throttle', 'tex-throttle'),
  'fixed-latency': stalled('fixed-latency'),
  'wgmma-wait': stalled('matrix', 'warpgroup-arrive'),
  'icache-miss': stalled('no-instruction'),
  'stray-fp64': executed(/^D(?:ADD|MUL|FMA|SETP|MNMX|MMA)$/u),
  'special-function-bound': executed(/^MUFU$/u),
  'atomic-contention': costOf(/^(?:ATOMG?|ATOMS|RED|REDG|REDS)$/u),
  'unfused-fp': executed(/^(?:FADD|FMUL|DADD|DMUL|HADD2|HMUL2)$/u),
  'legacy-mma': executed(/^(?:HMMA|IMMA|BMMA)$/u),
  'memory-bound': costOf(TO_MEMORY),
  'l2-thrash': costOf(TO_MEMORY),
  'compute-bound': ({ executed: count = 0 }) => count,
  'latency-bound': cost,
  imbalance: cost,
};

/** More lines than these explain nothing that the first do not. */
const MOST_LINES = 3;
/** A line with less of it than this is named only if it is the first. */
const LEAST_PART = 0.1;

/** `hot` are the launches of the diagnosis, in its order. */
export function withLines(diagnosis: Diagnosis, hot: readonly HotLines[]): Diagnosis {
  if (hot.length !== diagnosis.kernels.length) return diagnosis;
  return {
    ...diagnosis,
    kernels: diagnosis.kernels.map((kernel, index) => kernelWithLines(kernel, hot[index]!)),
  };
}

export function kernelWithLines<Kernel extends KernelDiagnosis>(kernel: Kernel, hot: HotLines): Kernel {
  const findings = kernel.findings.map((finding) => atLines(finding, hot));
  return { ...kernel, findings: withSlowArithmetic(kernel, findings, hot) };
}

function atLines(finding: Finding, { lines }: HotLines): Finding {
  const measure = MEASURES[finding.rule];
  if (measure === undefined) return finding;
  const measured = lines.map((line) => ({ line, amount: measure(line) }));
  const total = measured.reduce((sum, { amount }) => sum + amount, 0);
  const named = measured
    .filter(({ line, amount }) => line.line > 0 && amount > 0)
    .toSorted((one, other) => other.amount - one.amount)
    .filter(({ amount }, index) => index === 0 || amount >= LEAST_PART * total)
    .slice(0, MOST_LINES)
    .map(({ line, amount }) => findingLine(line, (100 * amount) / total));
  return named.length === 0 ? finding : { ...finding, lines: named };
}

function isOf({ text }: HotInstruction, opcode: RegExp): boolean {
  const [head = ''] = text.replace(/^@!?\w+\s+/u, '').split(/[\s;]/u);
  return opcode.test(head.split('.')[0] ?? '');
}
