/** What a rule is: when it speaks, what it says, and where it stands among the others. */
import type { Limiter, RuleId } from '../../model/profile/diagnosis-words.ts';
import type { FactName } from '../facts/derivation.ts';
import type { Facts } from '../facts/facts.ts';
import type { Limit } from './limiter.ts';

/**
 * `verdict`: about the measurement or the kernel as a whole. `cause`: something in the code or the launch that can be
 * changed. `wait`: what warps wait for; it stands where no cause explains it. `limit`: what the kernel is bound by, where
 * nothing more exact is known.
 */
type RuleKind = 'verdict' | 'cause' | 'wait' | 'limit';

/** What a rule found in one launch. */
export interface RuleOutcome {
  readonly evidence: Readonly<Record<string, number>>;
  readonly diagnosis: string;
  /** Where it can be said more exactly than by the rule. */
  readonly fix?: string;
  /** Percent of the kernel's time. */
  readonly gainPct: number;
  /** It has nothing to do with what limits this launch, although it often has. */
  readonly isAside?: boolean;
  /** It limits, but what else limits needs saying beside it. */
  readonly isPartial?: boolean;
}

/** The number that tells a finding's story when two profiles are compared. */
interface Headline {
  readonly fact: FactName;
  /** `shared-memory bank conflicts` */
  readonly subject: string;
  /** `% of wavefronts` */
  readonly unit: string;
}

export interface Rule {
  readonly id: RuleId;
  /** What is wrong, in plain words and without this launch's numbers. */
  readonly meaning: string;
  readonly fix: string;
  /** 0 is most urgent. */
  readonly priority: 0 | 1 | 2 | 3;
  readonly kind: RuleKind;
  /** Whether the gain is of the whole kernel's time or of a part that may be hidden behind others. */
  readonly scope: 'global' | 'local';
  /** The limits that it can be a reason for. */
  readonly bearsOn: readonly Limiter[];
  /** Where one of these is found and matters as much, this is its consequence and says nothing new. */
  readonly symptomOf: readonly RuleId[];
  /** Without these it cannot speak. */
  readonly requires: readonly FactName[];
  /** With these it knows more. */
  readonly uses: readonly FactName[];
  readonly condition: string;
  readonly gainBasis: string;
  readonly source: string;
  readonly headline?: Headline;
  readonly evaluate: (facts: Facts, limit: Limit) => RuleOutcome | undefined;
}

export const EVERY_LIMIT: readonly Limiter[] = [
  'dram',
  'l2',
  'l1-shared',
  'compute',
  'tensor',
  'special-function',
  'latency',
  'launch',
];

export const PROFILING_GUIDE = 'Nsight Compute Profiling Guide';
export const PROGRAMMING_GUIDE = 'CUDA C++ Programming Guide';
export const BEST_PRACTICES = 'CUDA C++ Best Practices Guide';

/** No estimate from counters is worth more than this. */
const MOST_GAIN_PCT = 95;

export const bounded = (gainPct: number, mostPct: number = MOST_GAIN_PCT): number =>
  Math.min(Math.max(gainPct, 0), mostPct, MOST_GAIN_PCT);

/** One decimal is all that a counter is good for. */
export const round1 = (value: number): number => Math.round(value * 10) / 10;

/** The evidence: what is known of the named facts. */
export function evidenceOf(facts: Facts, names: readonly FactName[]): Record<string, number> {
  const evidence: Record<string, number> = {};
  for (const name of names) {
    const value = facts.have(name);
    if (value !== undefined)
      evidence[name] = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
  }
  return evidence;
}
