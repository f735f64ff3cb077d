import { minutesText, speedupText } from '../common/format.ts';
import type { ListedSession } from '../source/shapes.ts';
import { Table } from './table.tsx';

type Interval = readonly [number, number];

/** What was expected of a session beside its outcome. */
export function PredictionTable(props: {
  readonly prediction: ListedSession['prediction'];
  readonly goal: ListedSession['goal'];
  readonly minutes: number;
  readonly speedup: number | undefined;
  readonly isOver: boolean;
}) {
  const { prediction, goal, minutes, speedup, isOver } = props;
  const rows = [
    {
      name: 'time',
      goal: '–',
      predicted: minutesText(prediction.minutes),
      interval: prediction.minutes_ci.map(minutesText).join(' … '),
      outcome: minutesText(minutes),
      judged: isOver ? placeOf(minutes, prediction.minutes_ci, 'sooner', 'later') : 'so far',
    },
    {
      name: 'speed-up',
      goal: speedupText(goal.speedup),
      predicted: speedupText(prediction.speedup),
      interval: prediction.speedup_ci.map(speedupText).join(' … '),
      outcome: speedup === undefined ? '–' : speedupText(speedup),
      judged:
        speedup === undefined
          ? ''
          : isOver
            ? placeOf(speedup, prediction.speedup_ci, 'less', 'more')
            : 'so far',
    },
  ];
  return (
    <>
      <Table
        caption="Prediction against outcome"
        rows={rows}
        idOf={({ name }) => name}
        columns={[
          { name: 'of', side: 'left', cell: ({ name }) => <b>{name}</b> },
          { name: 'goal', cell: (row) => row.goal },
          { name: 'predicted', cell: ({ predicted }) => predicted },
          { name: '80 % interval', cell: ({ interval }) => interval },
          { name: 'came to', cell: ({ outcome }) => <b>{outcome}</b> },
          { name: 'so', side: 'left', cell: ({ judged }) => judged },
        ]}
      />
      <p class="quiet">{prediction.basis}</p>
    </>
  );
}

function placeOf(value: number, [low, high]: Interval, below: string, above: string): string {
  if (value < low) return `${below} than predicted`;
  return value > high ? `${above} than predicted` : 'within the interval';
}
