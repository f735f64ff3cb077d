import type { FindingLine, HotLine } from '../../model/profile/hot-lines.ts';

/** A line that has a part in what was found. */
export function findingLine(
  { file, line, source, share_pct, inlined_into }: HotLine,
  of_finding_pct: number,
): FindingLine {
  return {
    file,
    line,
    ...(source === undefined ? {} : { source }),
    share_pct,
    of_finding_pct,
    ...(inlined_into === undefined ? {} : { inlined_into }),
  };
}
