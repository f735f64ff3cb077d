import { changePct } from '../../model/text/change-pct.ts';
import { defined } from '../../model/defined.ts';
import type { TrendMark, TrendPoint, TrendSetting } from '../../model/history/history.ts';
import { isChange } from '../../model/judge/verdict.ts';
import { settingChanges } from './setting-changes.ts';

/** A tag of the project, with the time of its commit. */
export interface Release {
  readonly name: string;
  readonly commit: string;
  readonly time: string;
}

/** What the points themselves say, in their order: new settings, and changes that a check confirmed. */
export function pointMarks(points: readonly TrendPoint[], settings: readonly TrendSetting[]): TrendMark[] {
  let known: TrendSetting = {};
  return points.flatMap((point, index): TrendMark[] => {
    const { commit, time, verdict } = point;
    const setting = settings[point.setting ?? -1] ?? {};
    const changed = settingChanges(known, setting);
    // What a point does not say is as it was.
    known = { ...known, ...setting };
    const before = points[index - 1];
    return [
      ...(changed.length === 0 ? [] : [{ kind: 'setting' as const, commit, time, settings: changed }]),
      ...(verdict !== undefined && isChange({ verdict })
        ? [
            {
              kind: 'verdict' as const,
              commit,
              time,
              verdict,
              ...defined({ change_pct: before && changePct(before.level_ms, point.level_ms) }),
            },
          ]
        : []),
    ];
  });
}

/** Of the points that are shown, the last that a release can hold: the tagged commit, or the last one before it. */
export function releaseMarks(points: readonly TrendPoint[], releases: readonly Release[]): TrendMark[] {
  const shown = new Map(points.map((point) => [point.commit, point]));
  return releases.flatMap(({ name, commit, time }): TrendMark[] => {
    const at = shown.get(commit) ?? points.findLast((point) => point.time <= time);
    return at === undefined ? [] : [{ kind: 'release', commit: at.commit, time: at.time, name }];
  });
}
