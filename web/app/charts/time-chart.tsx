import type UPlot from 'uplot';

import { colorNow } from '../common/theme.ts';
import { axisLook, CHART_FONT, timeTickTexts } from './axes.ts';
import { usePlot } from './use-plot.ts';

const HEIGHT = 170;

/** One quantity over time. `label` says in words what the picture shows. */
export function TimeChart(props: {
  readonly label: string;
  readonly unit: string;
  readonly points: readonly { readonly time_ms: number; readonly value: number }[];
}) {
  const { label, unit, points } = props;
  const { frame } = usePlot(
    (width) => {
      const line = colorNow('dot');
      const options: UPlot.Options = {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { size: 8, fill: line } },
        scales: { x: { time: true }, y: { range: (_plot, low, high) => niceRange(low, high) } },
        axes: [
          { ...axisLook(), size: 32, space: 110, values: (_plot, ticks) => timeTickTexts(ticks) },
          { ...axisLook(), size: 56, label: unit, labelFont: CHART_FONT, labelSize: 18 },
        ],
        series: [
          {},
          { stroke: line, width: 1.5, points: { show: points.length < 120, size: 4, fill: line } },
        ],
      };
      return {
        options,
        data: [points.map(({ time_ms }) => time_ms / 1000), points.map(({ value }) => value)],
      };
    },
    [points, unit],
  );
  return <div ref={frame} class="plot" role="img" aria-label={label} style={{ height: `${HEIGHT}px` }} />;
}

function niceRange(low: number, high: number): [number, number] {
  const margin = Math.max((high - low) * 0.1, Math.abs(high) * 0.02, 1e-6);
  return [Math.min(low, Math.max(0, low - margin)), high + margin];
}
