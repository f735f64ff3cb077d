/** What the renderings of a race have in common. */
import type { Race, RaceCase, Racer, RacerState, Speedup } from '../../model/judge/race.ts';
import { VERDICT, type Result, type Tone } from '../../model/judge/verdict.ts';
import { controlNotice, type Notice } from './comparison-notices.ts';
import { caseNames, counted, headCommitText } from './comparison-text.ts';
import { moneyText } from './cost-text.ts';
import { plainText } from './plain-text.ts';
import { protectionsText } from './protections-text.ts';
import { formatDuration, timeText } from './units.ts';

const STATE_WORD: Readonly<Record<Exclude<RacerState, 'raced'>, string>> = {
  wrong: 'wrong',
  refused: 'refused',
  broken: 'does not build',
  blind: 'blind tolerance',
  lost: 'lost',
  skipped: 'skipped',
};

const IS_BAD: ReadonlySet<RacerState> = new Set(['wrong', 'refused', 'broken']);

export interface RaceRow {
  /** Rank, kernel, median, speed-up and verdict: see `RACE_COLUMNS`. */
  readonly cells: readonly string[];
  readonly tone: Tone;
  readonly mark: string;
}

export const RACE_COLUMNS: readonly (readonly [name: string, side?: 'left'])[] = [
  ['rank'],
  ['kernel', 'left'],
  ['median'],
  ['speed-up', 'left'],
  ['verdict', 'left'],
];

export function raceRows({ kernels }: RaceCase, { reference }: Race): RaceRow[] {
  return kernels.map((racer) => ({
    cells: [
      rankText(racer),
      plainText(racer.kernel),
      racer.median_ms === undefined ? '' : timeText(racer.median_ms),
      racer.kernel === reference && racer.state === 'raced' ? '1×' : speedupText(racer.speedup),
      racer.kernel === reference && racer.state === 'raced' ? 'reference' : wordOf(racer),
    ],
    ...lookOf(racer),
  }));
}

function rankText({ rank }: Racer): string {
  if (rank === undefined) return '';
  const [best, worst] = rank;
  return best === worst ? String(best) : `${best}–${worst}`;
}

/** `1.83× [1.80, 1.86]`. */
function speedupText(speedup: Speedup | undefined): string {
  if (speedup === undefined) return '';
  const { estimate, low, high } = speedup;
  const decimals = estimate >= 100 ? 0 : estimate >= 10 ? 1 : estimate >= 0.1 ? 2 : 3;
  const text = (value: number): string => value.toFixed(decimals);
  return `${text(estimate)}× [${text(low)}, ${text(high)}]`;
}

function wordOf({ state, verdict }: Racer): string {
  return state === 'raced' ? (verdict ?? '') : STATE_WORD[state];
}

function lookOf({ state, verdict }: Racer): Pick<RaceRow, 'tone' | 'mark'> {
  if (state === 'raced') return verdict === undefined ? { tone: 'plain', mark: ' ' } : VERDICT[verdict];
  return IS_BAD.has(state) ? VERDICT.incorrect : VERDICT.undecided;
}

/** `small · hot · N=1000`. */
export function caseTitle({ case: name, mode, dims = {} }: RaceCase): string {
  const shape = Object.entries(dims).map(([dim, value]) => `${dim}=${value}`);
  return plainText([name, mode, shape.join(' ')].filter((part) => part).join(' · '));
}

/** A result's mark and tone are those of a verdict that says the same. */
export const RESULT_LOOK: Readonly<Record<Result, Pick<RaceRow, 'tone' | 'mark'>>> = {
  good: VERDICT.maintained,
  undecided: VERDICT.undecided,
  bad: VERDICT.incorrect,
};

export function raceSentence({ problem, reference, result, cases }: Race): string {
  const racers = cases.flatMap((one) => one.kernels);
  const kernels = new Set(racers.map(({ kernel }) => kernel));
  const bad = new Set(racers.filter(({ state }) => IS_BAD.has(state)).map(({ kernel }) => kernel));
  const start = `${counted(kernels.size, 'kernel')} of ${plainText(problem)}, speed-ups against ${plainText(reference)}`;
  switch (result) {
    case 'good':
      return `${start}; every pair is decided`;
    case 'undecided':
      return `${start}; some pairs are undecided`;
    case 'bad':
      return `${start}; ${counted(bad.size, 'kernel is', 'kernels are')} wrong, refused or not built`;
  }
}

export function raceFacts(race: Race): [name: string, value: string][] {
  const { hardware, commit, dirty, cost, protections } = race;
  const sandbox = plainText(protectionsText(protections));
  const facts: [string, string | undefined][] = [
    ['on', hardware],
    ['commit', headCommitText({ commit, dirty })],
    ['sandbox', sandbox],
    ['took', cost && formatDuration(1000 * cost.wall_s)],
    ['device', cost?.device_s === undefined ? undefined : formatDuration(1000 * cost.device_s)],
    ['cost', cost?.money && moneyText(cost.money)],
  ];
  return facts.flatMap(([name, value]): [string, string][] => (value ? [[name, plainText(value)]] : []));
}

/** Why a kernel has no rank, or its verdict is open. */
export function raceReasons(
  one: RaceCase,
): { readonly kernel: string; readonly reason: string; tone: Tone }[] {
  return one.kernels.flatMap((racer) => {
    const { kernel, state, verdict, reason } = racer;
    if (reason === undefined || (state === 'raced' && verdict !== 'undecided')) return [];
    return [{ kernel: plainText(kernel), reason: plainText(reason), tone: lookOf(racer).tone }];
  });
}

export function raceNotices({ left_out, control }: Race): Notice[] {
  const { nameOf } = caseNames(control?.cases ?? []);
  const steady = controlNotice({ control }, (keys) => keys.map(nameOf).join(', '));
  return [
    ...left_out.map(({ kernel, reason }): Notice => ({
      tone: 'note',
      text: plainText(`${kernel} is left out: ${reason}`),
    })),
    ...(steady === undefined ? [] : [steady]),
  ];
}

export const RACE_READING =
  'The reference is the first kernel, unless --reference names another. A speed-up above 1× is faster than the reference, with its interval in brackets; like every verdict it compares the fastest samples of each process (docs/statistics.md), not the medians. Ranks come from the comparisons of all pairs, with one multiple-comparison correction for all pairs and cases: kernels that could not be told apart share ranks (1–2).';
