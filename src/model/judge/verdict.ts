/** The verdicts, and everything that differs by verdict. Without a schema library: the dashboard loads this. */

/** From best to worst: a file's verdict is its worst case's. */
export const VERDICTS = ['new', 'maintained', 'improved', 'undecided', 'regressed', 'incorrect'] as const;
/** The verdict on a case or on a whole comparison, which has the verdict of its worst case. */
export type Verdict = (typeof VERDICTS)[number];

/** What two measurements can come to; the others need no measuring. */
export type MeasuredVerdict = Exclude<Verdict, 'new' | 'incorrect'>;

/** What an outcome says to a script: the command line has an exit code for each. */
export type Result = 'good' | 'undecided' | 'bad';

/** A colour by what it means; each medium has its own. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'fresh';

export interface VerdictRow {
  readonly result: Result;
  readonly tone: Tone;
  /** For tables of text, beside the word, so that no hue is needed. */
  readonly mark: string;
  /** Where emoji are customary. */
  readonly emoji: string;
  /** Over a list of such cases. */
  readonly title: string;
  /** Behind a number of such cases. */
  readonly counted: string;
  /** The case is called different: somebody will act on it, and the same binary must not get it. */
  readonly isChange: boolean;
  /** A waiver accepts a slowdown, never a wrong result. */
  readonly isWaivable: boolean;
}

/** In the order in which a reader wants them: most urgent first. */
export const VERDICT = {
  incorrect: {
    result: 'bad',
    tone: 'bad',
    mark: '‼',
    emoji: '⛔',
    title: 'Incorrect',
    counted: 'incorrect',
    isChange: false,
    isWaivable: false,
  },
  regressed: {
    result: 'bad',
    tone: 'bad',
    mark: '✗',
    emoji: '❌',
    title: 'Regressions',
    counted: 'regressed',
    isChange: true,
    isWaivable: true,
  },
  undecided: {
    result: 'undecided',
    tone: 'warn',
    mark: '?',
    emoji: '❔',
    title: 'Undecided',
    counted: 'undecided',
    isChange: false,
    isWaivable: true,
  },
  improved: {
    result: 'good',
    tone: 'good',
    mark: '▲',
    emoji: '✅',
    title: 'Improvements',
    counted: 'improved',
    isChange: true,
    isWaivable: false,
  },
  new: {
    result: 'good',
    tone: 'fresh',
    mark: '+',
    emoji: '🆕',
    title: 'New',
    counted: 'new',
    isChange: false,
    isWaivable: false,
  },
  maintained: {
    result: 'good',
    tone: 'plain',
    mark: '✓',
    emoji: '✔️',
    title: 'Unchanged',
    counted: 'unchanged',
    isChange: false,
    isWaivable: false,
  },
} as const satisfies Readonly<Record<Verdict, VerdictRow>>;

/** Verdicts that fail a change. */
export type BadVerdict = { [V in Verdict]: (typeof VERDICT)[V]['result'] extends 'bad' ? V : never }[Verdict];

/** Most urgent first. */
export const VERDICTS_BY_URGENCY = Object.keys(VERDICT) as readonly Verdict[];

interface Judged {
  readonly verdict: Verdict;
}

/** For sorting: most urgent first. */
export function byUrgency(one: Judged, other: Judged): number {
  return VERDICTS_BY_URGENCY.indexOf(one.verdict) - VERDICTS_BY_URGENCY.indexOf(other.verdict);
}

/** The verdict of all cases together is that of the worst; where nothing was compared, nothing is known. */
export function worstVerdict(cases: readonly Judged[]): Verdict {
  return cases.length === 0 ? 'undecided' : worse(VERDICTS, ...cases.map(({ verdict }) => verdict));
}

/** The worst of some words, by an order from best to worst. */
export function worse<Word extends string>(order: readonly Word[], ...words: readonly Word[]): Word {
  return order[Math.max(...words.map((word) => order.indexOf(word)))]!;
}

export function isBad(verdict: Verdict): verdict is BadVerdict {
  return VERDICT[verdict].result === 'bad';
}

export function isChange({ verdict }: Judged): boolean {
  return VERDICT[verdict].isChange;
}
