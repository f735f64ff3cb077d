import type UPlot from 'uplot';

import { colorNow } from '../common/theme.ts';

export const CHART_FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** The look that all axes share. */
export function axisLook(): UPlot.Axis {
  const [ink, line] = [colorNow('quiet'), colorNow('line')];
  return {
    stroke: ink,
    font: CHART_FONT,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
  };
}

/** 2026-11-15, or 11-15 14:30 where ticks are hours apart: in UTC, as everything else. */
export function timeTickTexts(times_s: readonly number[]): string[] {
  const step = (times_s[1] ?? 0) - (times_s[0] ?? 0);
  return times_s.map((time_s) => {
    const text = new Date(time_s * 1000).toISOString();
    return step > 0 && step < 86_400 ? `${text.slice(5, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
  });
}
