import type { CiRun } from '../model/reports/ci-run.ts';
import { caseText } from '../model/judge/case-key.ts';
import { changeWords } from '../model/text/change-text.ts';
import { clip, plainText } from '../report/text/plain-text.ts';

/** A line to point at in the files of a pull request. */
export interface SlowerLine {
  /** From the repository's top. */
  readonly path: string;
  readonly line: number;
  readonly title: string;
  readonly text: string;
}

/** GitHub shows ten of a step; a check profiles fewer. */
const MOST_LINES = 10;
const MOST_CHARACTERS = 500;

/** The lines that made cases slower, as far as profiles tell. */
export function slowerLines({ check }: CiRun): SlowerLine[] {
  return (check?.profiles ?? [])
    .flatMap(({ key, change_pct, at }) =>
      at === undefined || change_pct >= 0
        ? []
        : [
            {
              path: at.path,
              line: at.line,
              title: `Pawl: ${changeWords(change_pct)}: ${plainText(caseText(key))}`,
              text: clip(plainText(at.text), MOST_CHARACTERS),
            },
          ],
    )
    .slice(0, MOST_LINES);
}
