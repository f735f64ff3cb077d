import type { ProfileComparison } from '../../../model/profile/diagnosis.ts';
import type { LaunchProfile } from '../../../model/profile/profile.ts';
import { compareLines, type LinesSide } from '../../../profile/lines/compare-lines.ts';
import { causeText } from '../../../report/text/line-text.ts';
import type { CapturedSide } from '../../../profile/side/capture-side.ts';

/** What is known of a launch by line; undefined where nothing was sampled. */
export function linesSide(side: CapturedSide, launch: LaunchProfile): LinesSide | undefined {
  const index = side.profile?.launches.indexOf(launch) ?? -1;
  const hot = side.capture.hot_lines?.[index];
  const captured = side.lines[index];
  const duration_us = side.capture.diagnosis?.kernels[index]?.duration_us;
  if (hot === undefined || captured === undefined || duration_us === undefined) return undefined;
  return { hot, captured, duration_us, sources: side.sources };
}

/** The comparison with the lines it comes from; the sentence then names the line. */
export function atLines(
  comparison: ProfileComparison,
  { was, is }: { readonly was: LinesSide | undefined; readonly is: LinesSide | undefined },
): ProfileComparison {
  if (was === undefined || is === undefined) return comparison;
  const { lines, cause } = compareLines(was, is);
  return {
    ...comparison,
    lines,
    ...(cause === undefined
      ? {}
      : { cause, summary: `${comparison.summary.replace(/\.$/u, '')}; ${causeText(cause)}` }),
  };
}
