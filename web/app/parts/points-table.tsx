import { useState } from 'preact/hooks';

import type { TrendPoint } from '../../../src/model/history/history.ts';
import { restsOn, shortCommit, timeOfDay } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';
import { Commit } from './commit.tsx';
import { Level } from './level.tsx';
import { Table } from './table.tsx';
import { VerdictChip } from './verdict.tsx';

const FIRST_SHOWN = 20;

export function PointsTable(props: {
  readonly points: readonly TrendPoint[];
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly onPick: (side: 'a' | 'b', commit: string) => void;
}) {
  const { points, a, b, onPick } = props;
  const [all, setAll] = useState(false);
  const latest = points.toReversed();
  const shown = all ? latest : latest.slice(0, FIRST_SHOWN);
  const choose = (side: 'a' | 'b', chosen: string | undefined, commit: string) => (
    <button
      type="button"
      class={`pick pick-${side}`}
      aria-pressed={chosen === commit}
      onClick={() => onPick(side, commit)}
    >
      {side.toUpperCase()}
      <span class="hidden"> is {shortCommit(commit)}</span>
    </button>
  );
  return (
    <>
      <Table
        caption="Points of the trend, latest first"
        rows={shown}
        idOf={({ commit, run }) => `${commit} ${run}`}
        columns={[
          {
            name: 'commit',
            side: 'left',
            cell: ({ commit, run }) => <Commit sha={commit} href={hrefOf(['run', run])} />,
          },
          { name: 'time (UTC)', side: 'left', cell: ({ time }) => timeOfDay(time) },
          { name: 'level', cell: ({ level_ms, ci_ms }) => <Level level_ms={level_ms} ci_ms={ci_ms} /> },
          { name: 'measured', cell: restsOn },
          { name: 'host', side: 'left', spare: true, cell: ({ host }) => host ?? '–' },
          { name: 'verdict', side: 'left', cell: ({ verdict }) => <VerdictChip verdict={verdict} /> },
          {
            name: 'compare',
            cell: ({ commit }) => (
              <span class="picks">
                {choose('a', a, commit)} {choose('b', b, commit)}
              </span>
            ),
          },
        ]}
      />
      {all || points.length <= FIRST_SHOWN ? null : (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {`All ${points.length} points`}
        </button>
      )}
    </>
  );
}
