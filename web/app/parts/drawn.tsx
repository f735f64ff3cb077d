import { InlineFigure, type Figure } from '../../../src/report/svg/figure.tsx';
import { Scroll } from '../common/scroll.tsx';

/** A picture as reports have it, or a sentence where there is nothing to draw. */
export function Drawn(props: {
  readonly name: string;
  readonly figure: Figure | undefined;
  readonly otherwise?: string;
}) {
  if (props.figure === undefined) return <p class="quiet">{props.otherwise}</p>;
  return (
    <Scroll label={props.name}>
      <InlineFigure figure={props.figure} />
    </Scroll>
  );
}
