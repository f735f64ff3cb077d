import type { VerifiedTensor } from '../../model/correctness/verification.ts';
import { errorBins } from '../text/fuzz-text.ts';
import type { Figure } from './figure.tsx';
import { svgLine, svgRect, svgText } from './figure.tsx';
import { linearScale } from './scale.ts';

const WIDTH = 900;
const HEIGHT = 190;
const LEFT = 60;
const RIGHT = 20;
const TOP = 14;
const BOTTOM = 40;

/** How many elements of an output are off by how much: a bar a decade, counts on a logarithmic axis. */
export function errorPlot(tensor: VerifiedTensor): Figure | undefined {
  const bins = errorBins(tensor);
  if (bins.length === 0) return undefined;
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(...bins.map(({ count }) => count)) + 1)));
  const floor = HEIGHT - BOTTOM;
  const y = linearScale([0, decades], [floor, TOP]);
  const step = (WIDTH - LEFT - RIGHT) / bins.length;
  const barWidth = Math.min(64, step * 0.7);
  const ticks = Array.from({ length: decades + 1 }, (_, exponent) => exponent);
  const body = [
    ticks.map((exponent) => [
      svgLine(LEFT, y(exponent), WIDTH - RIGHT, y(exponent), 'grid'),
      svgText(LEFT - 8, y(exponent) + 4, (10 ** exponent).toLocaleString('en'), '', 'end'),
    ]),
    bins.map(({ label, count }, index) => {
      const middle = LEFT + (index + 0.5) * step;
      // One element is a line above the axis, not nothing: log10(1) is 0.
      const top = count === 0 ? floor : Math.min(floor - 2, y(Math.log10(count)));
      return (
        <>
          <g class={label === 'exact' ? 'base' : 'head'}>
            <title>{count}</title>
            {svgRect(middle - barWidth / 2, top, barWidth, floor - top, 'hill')}
          </g>
          {count > 0 && svgText(middle, top - 4, count.toLocaleString('en'), 'strong', 'middle')}
          {svgText(middle, floor + 16, label, '', 'middle')}
        </>
      );
    }),
    svgLine(LEFT, floor, WIDTH - RIGHT, floor, 'axis'),
    svgText(WIDTH - RIGHT, floor + 34, 'absolute error, from this power of ten on', '', 'end'),
  ];
  return {
    width: WIDTH,
    height: HEIGHT,
    label: `Absolute errors of ${tensor.name}: ${bins.map(({ label, count }) => `${label} ${count}`).join(', ')}`,
    body,
  };
}
