import { markup, Style } from '../markup.tsx';
import { FIGURE_STYLE } from './figure-style.ts';
import type { Figure } from './figure.tsx';
import { at } from './scale.ts';

/** For a file that a report links to. */
export function figureFile({ width, height, label, body }: Figure): string {
  return markup(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="figure"
      width={width}
      height={at(height)}
      viewBox={`0 0 ${width} ${at(height)}`}
      role="img"
    >
      <title>{label}</title>
      <Style css={FIGURE_STYLE} />
      <rect class="paper" width={width} height={at(height)} rx="8" />
      {body}
    </svg>,
  );
}
