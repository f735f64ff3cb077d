import { minutesText } from '../common/format.ts';
import type { Session } from '../source/shapes.ts';

/** Time against budget: in words, with a bar behind them. */
export function PhaseTime({ phase }: { readonly phase: Session['phases'][number] }) {
  const { spent_s, budget_s, device_s } = phase;
  const isOver = spent_s > budget_s;
  return (
    <span
      class={`budget ${isOver ? 'over' : ''}`}
      title={`The device was held for ${minutesText(device_s / 60)}`}
    >
      <span class="bar" style={{ width: `${Math.min(100, (100 * spent_s) / budget_s)}%` }} />
      <span>
        {minutesText(spent_s / 60)} of {minutesText(budget_s / 60)}
        {isOver ? ', over budget' : ''}
      </span>
    </span>
  );
}
