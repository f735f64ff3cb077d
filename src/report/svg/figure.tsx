import type { ComponentChildren, VNode } from 'preact';

import { at } from './scale.ts';

/** A picture that can stand in a page or in a file of its own. */
export interface Figure {
  readonly width: number;
  readonly height: number;
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly body: ComponentChildren;
}

/** For a page that has FIGURE_STYLE among its styles. */
export function InlineFigure({ figure: { width, height, label, body } }: { readonly figure: Figure }) {
  return (
    <svg class="figure" viewBox={`0 0 ${width} ${at(height)}`} role="img" aria-label={label}>
      {body}
    </svg>
  );
}

/** Text at a place. */
export function svgText(x: number, y: number, text: string, classes = '', anchor = 'start'): VNode {
  return (
    <text
      class={classes === '' ? undefined : classes}
      x={at(x)}
      y={at(y)}
      text-anchor={anchor === 'start' ? undefined : anchor}
    >
      {text}
    </text>
  );
}

export function svgLine(x1: number, y1: number, x2: number, y2: number, classes: string): VNode {
  return <line class={classes} x1={at(x1)} y1={at(y1)} x2={at(x2)} y2={at(y2)} />;
}

export function svgRect(x: number, y: number, width: number, height: number, classes: string): VNode {
  return <rect class={classes} x={at(x)} y={at(y)} width={at(width)} height={at(height)} />;
}

/** The name of the axis on the left, along it. */
export function axisName(text: string, middle: number): VNode {
  return (
    <text x="16" y={middle} transform={`rotate(-90 16 ${middle})`} text-anchor="middle">
      {text}
    </text>
  );
}
