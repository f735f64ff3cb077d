import type { VNode } from 'preact';

import type { MeasuredBench } from '../../model/reports/bench-report.ts';
import { at } from './scale.ts';

const WIDTH = 84;
const HEIGHT = 20;

/** The distribution of a measurement's samples, small enough for a table cell. */
export function miniHistogram({ histogram: { counts } }: MeasuredBench): VNode {
  const highest = Math.max(1, ...counts);
  const step = WIDTH / counts.length;
  const bars = counts.map((count, bin) => {
    const height = count === 0 ? 0 : Math.max(1, (count / highest) * HEIGHT);
    return `M${at(bin * step)} ${HEIGHT}v${at(-height)}h${at(step - 1)}V${HEIGHT}z`;
  });
  return (
    <svg class="mini" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path d={bars.join('')} />
    </svg>
  );
}
