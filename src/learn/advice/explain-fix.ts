import type { FixOutcome, RankedFix } from '../../model/learn/advice.ts';
import { quantile } from '../../stats/quantile.ts';
import { likeness, type Likeness, type Place } from './likeness.ts';

export interface ExplainOptions {
  /** All outcomes of the rule. */
  readonly evidence: readonly FixOutcome[];
  readonly here: Place;
  /** Where the rules alone have it. */
  readonly ruleRank: number;
  /** What any rule's fix is expected to bring of its estimate. */
  readonly share: number;
  readonly anyRecorded: boolean;
}

type Figures = Pick<RankedFix, 'rank' | 'rule_gain_pct' | 'expected_gain_pct' | 'ci_pct'>;

/** "The rule says up to 18 %; 5 recorded fixes of attention on NVIDIA H200 brought 2.1 to 5.0 %, half of them at least 3.9 %. Expected 4.1 % (−2.0 to 9.8 %): third, first by the rules alone." */
export function explainFix(fix: Figures, options: ExplainOptions): string {
  const { rank, rule_gain_pct, expected_gain_pct, ci_pct } = fix;
  if (rule_gain_pct <= 0) return 'There is no gain to expect from it.';
  const [low, high] = ci_pct;
  const moved = rank === options.ruleRank ? '' : `, ${ordinal(options.ruleRank)} by the rules alone`;
  const expected = `Expected ${percent(expected_gain_pct)} % (${percent(low)} to ${percent(high)} %): ${ordinal(rank)}${moved}.`;
  return `The rule says up to ${percent(rule_gain_pct)} %; ${whatIsKnown(options)}. ${expected}`;
}

function whatIsKnown({ evidence, here, share, anyRecorded }: ExplainOptions): string {
  const parts = (['here', 'same-kind', 'same-device', 'other'] as const).flatMap((like) => {
    const own = evidence.filter((outcome) => likeness(outcome, here) === like);
    return own.length === 0 ? [] : [recorded(own, where(like, here))];
  });
  const [nearest, ...others] = parts;
  if (nearest !== undefined) return [nearest, ...others.slice(0, 1)].join(', ');
  const usual = `${Math.round(100 * share)} % of a rule's estimate`;
  return anyRecorded
    ? `no such fix was recorded, fixes of other rules bring about ${usual}`
    : `nothing was recorded, ${usual} is assumed`;
}

function where(like: Likeness, { kind, device }: Place): string {
  const places: Readonly<Record<Likeness, string>> = {
    here: `of ${kind} on ${device}`,
    'same-kind': `of ${kind} on other devices`,
    'same-device': `of other kernels on ${device}`,
    other: 'of other kernels on other devices',
  };
  return places[like];
}

function recorded(outcomes: readonly FixOutcome[], place: string): string {
  const changes = outcomes.map(({ change_pct }) => change_pct);
  const [only] = changes;
  if (changes.length === 1) return `1 recorded fix ${place} brought ${percent(only!)} %`;
  const range = `${percent(Math.min(...changes))} to ${percent(Math.max(...changes))} %`;
  const middle = changes.length < 4 ? '' : `, half of them at least ${percent(quantile(changes, 0.5))} %`;
  return `${changes.length} recorded fixes ${place} brought ${range}${middle}`;
}

function percent(value: number): string {
  const text = Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0);
  return text.replace(/^-(?=0(?:\.0)?$)/, '').replace('-', '−');
}

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

function ordinal(rank: number): string {
  return ORDINALS[rank - 1] ?? `number ${rank}`;
}
