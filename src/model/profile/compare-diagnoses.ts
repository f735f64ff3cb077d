/** Two stored profiles of one case: what changed, from what each says by itself. */
import { defined } from '../defined.ts';
import type { LaunchDiagnosis, ProfileComparison } from './diagnosis.ts';
import type { HotLine, HotLines, LineChange } from './hot-lines.ts';
import { movedSignals } from './moved-signals.ts';
import type { Capture } from './profile-report.ts';

/** Without the sentence, which takes a whole profile to say. */
export type StoredChange = Omit<ProfileComparison, 'summary' | 'persisted'>;

type Captured = Pick<Capture, 'diagnosis' | 'hot_lines'>;

const MOST_LINES = 20;
/** A line whose cost changed by less, in percent of the launch, is noise of sampling. */
const LEAST_CHANGE_PCT = 1;

/** Launch by launch, paired by name in order; two profiles of one launch each are a pair whatever their names. */
export function compareDiagnoses(before: Captured, after: Captured): StoredChange[] {
  const left = (before.diagnosis?.kernels ?? []).map((was, index) => ({ was, index }));
  const launches = after.diagnosis?.kernels ?? [];
  const isOnly = left.length === 1 && launches.length === 1;
  return launches.flatMap((is, index) => {
    const at = left.findIndex(({ was }) => isOnly || was.name === is.name);
    const [partner] = at < 0 ? [] : left.splice(at, 1);
    if (partner === undefined) return [];
    const lines = changedLines(
      [partner.was, before.hot_lines?.[partner.index]],
      [is, after.hot_lines?.[index]],
    );
    return [{ ...changeOf(partner.was, is), ...defined({ lines }) }];
  });
}

function changeOf(was: LaunchDiagnosis, is: LaunchDiagnosis): StoredChange {
  const [before_us, after_us] = [was.duration_us, is.duration_us];
  const rulesOf = ({ findings }: LaunchDiagnosis) => findings.map(({ rule }) => rule);
  return {
    kernel: is.name,
    ...defined({ before_us, after_us }),
    ...(before_us === undefined || after_us === undefined || before_us <= 0
      ? {}
      : { change_pct: (100 * (before_us - after_us)) / before_us }),
    moved: movedSignals(was.signals ?? {}, is.signals ?? {}),
    appeared: rulesOf(is).filter((rule) => !rulesOf(was).includes(rule)),
    vanished: rulesOf(was).filter((rule) => !rulesOf(is).includes(rule)),
  };
}

type Side = readonly [launch: LaunchDiagnosis, hot: HotLines | undefined];

/**
 * Lines are followed by their text, which is all that is stored of their files: the nearest one of the same file with
 * the same text. A line of which the text is not known is the same where its number is.
 */
function changedLines([was, wasHot]: Side, [is, isHot]: Side): LineChange[] | undefined {
  const [before_us, after_us] = [was.duration_us, is.duration_us];
  if (wasHot === undefined || isHot === undefined || before_us === undefined || after_us === undefined)
    return undefined;
  const left = wasHot.lines.filter(({ line }) => line > 0);
  const followed = isHot.lines
    .filter(({ line }) => line > 0)
    .map((line): LineChange => {
      const partner = nearest(line, left);
      if (partner !== undefined) left.splice(left.indexOf(partner), 1);
      return lineChange(line, { before_us, after_us }, partner);
    });
  const gone = left.map((line) => lineGone(line, before_us));
  const least_us = (LEAST_CHANGE_PCT / 100) * Math.max(before_us, after_us);
  const by = (line: LineChange): number => Math.abs(line.after_us - line.before_us);
  return [...followed, ...gone]
    .filter((line) => by(line) >= least_us)
    .toSorted((one, other) => by(other) - by(one))
    .slice(0, MOST_LINES);
}

function lineChange(
  line: HotLine,
  { before_us, after_us }: { readonly before_us: number; readonly after_us: number },
  partner: HotLine | undefined,
): LineChange {
  return {
    file: line.file,
    line: line.line,
    ...defined({ source: line.source, before_line: partner?.line }),
    changed: partner === undefined,
    before_us: partner === undefined ? 0 : costOf(partner, before_us),
    after_us: costOf(line, after_us),
  };
}

function lineGone(line: HotLine, duration_us: number): LineChange {
  return {
    file: line.file,
    line: line.line,
    ...defined({ source: line.source }),
    before_line: line.line,
    changed: true,
    before_us: costOf(line, duration_us),
    after_us: 0,
  };
}

function costOf({ share_pct }: HotLine, duration_us: number): number {
  return (share_pct / 100) * duration_us;
}

function nearest(line: HotLine, others: readonly HotLine[]): HotLine | undefined {
  const isSame = (other: HotLine): boolean =>
    other.file === line.file &&
    (line.source === undefined || other.source === undefined
      ? other.line === line.line
      : other.source.trim() === line.source.trim());
  return others
    .filter(isSame)
    .toSorted((one, other) => Math.abs(one.line - line.line) - Math.abs(other.line - line.line))[0];
}
