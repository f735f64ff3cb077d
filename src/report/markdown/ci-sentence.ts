import type { CiRun } from '../../model/reports/ci-run.ts';
import type { JudgeChange } from '../../model/judge/judge-change.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import { comparisonSections } from '../text/comparison-sections.ts';
import { plainText } from '../text/plain-text.ts';
import { verdictSentence } from '../text/verdict-sentence.ts';

/** A run in one line, for a title and for the first line of everything else: a mark, a word and a sentence. */
export interface CiSentence {
  readonly emoji: string;
  /** `regressed`, `could not run` … */
  readonly word: string;
  /** Text that is fit to show, not yet escaped for anything. */
  readonly text: string;
}

export function ciSentence(run: CiRun): CiSentence {
  const { check, verdict } = run;
  if (verdict === 'failed' || check === undefined) {
    const [first = 'nothing says why'] = plainLinesOf(run.failure?.message ?? '');
    return { emoji: '⚠️', word: 'could not run', text: first };
  }
  const sections = comparisonSections(check);
  const isAllBroken =
    sections.incorrect.length > 0 && sections.incorrect.every(({ fault }) => fault?.during === 'build');
  const word = verdict === 'incorrect' && isAllBroken ? 'does not build' : verdict;
  return { emoji: VERDICT[verdict].emoji, word, text: verdictSentence(check, sections) };
}

/** What the report of the check does not list already: it has only what its verdict waits for. */
export function untoldJudgeChanges({ judge_changes, check }: CiRun): JudgeChange[] {
  const told = new Set(check?.comparison.judge_changes?.map(identityOf));
  return judge_changes.filter((change) => !told.has(identityOf(change)));
}

function identityOf({ kind, subject, base, change, text }: JudgeChange): string {
  return JSON.stringify([kind, subject, base, change, text]);
}

/** Lines of a message, first one first, without what is blank. */
export function plainLinesOf(text: string): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map(plainText)
    .filter((line) => line !== '');
}
