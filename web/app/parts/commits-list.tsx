import type { HistoryRun } from '../../../src/model/history/history.ts';
import { countText, timeOfDay } from '../common/format.ts';
import { MEASURE } from '../common/commands.ts';
import { adjust, hrefOf, type Place } from '../common/router.ts';
import { Commit } from './commit.tsx';
import { PagedTable } from './paged-table.tsx';
import { Empty } from './states.tsx';

interface MeasuredCommit {
  readonly sha: string;
  /** Latest first. */
  readonly runs: readonly HistoryRun[];
}

/** The commits of the latest runs, to choose two of. */
export function CommitsList({
  runs,
  query,
}: {
  readonly runs: readonly HistoryRun[];
  readonly query: Place['query'];
}) {
  const byCommit = new Map<string, HistoryRun[]>();
  for (const run of runs) {
    if (run.commit === undefined || run.dirty === true) continue;
    const known = byCommit.get(run.commit);
    if (known === undefined) byCommit.set(run.commit, [run]);
    else known.push(run);
  }
  const rows: readonly MeasuredCommit[] = [...byCommit].map(([sha, of]) => ({ sha, runs: of }));
  if (rows.length === 0)
    return (
      <Empty title="No commit was measured yet." command={MEASURE}>
        Measured commits can be compared here.
      </Empty>
    );
  const pick = (letter: 'a' | 'b', sha: string) => (
    <button
      type="button"
      class={`pick pick-${letter}`}
      aria-pressed={query[letter] === sha}
      onClick={() => adjust({ [letter]: sha })}
    >
      {letter.toUpperCase()}
      <span class="hidden"> is {sha.slice(0, 10)}</span>
    </button>
  );
  return (
    <>
      <p class="quiet">
        Choose A and B below, or name commits, branches, devices or drivers above: a device or a driver alone
        stands for its latest measurements.
      </p>
      <PagedTable
        caption="Commits of the latest runs"
        rows={rows}
        idOf={({ sha }) => sha}
        columns={[
          { name: 'commit', side: 'left', cell: ({ sha }) => <Commit sha={sha} /> },
          {
            name: 'branch',
            side: 'left',
            cell: ({ runs: of }) => [...new Set(of.flatMap(({ branch }) => branch ?? []))].join(', ') || '–',
          },
          {
            name: 'device',
            side: 'left',
            spare: true,
            cell: ({ runs: of }) => [...new Set(of.flatMap(({ device }) => device ?? []))].join(', '),
          },
          {
            name: 'latest run (UTC)',
            side: 'left',
            cell: ({ runs: [latest] }) =>
              latest === undefined ? null : (
                <a href={hrefOf(['run', latest.id])}>{timeOfDay(latest.started_at)}</a>
              ),
          },
          {
            name: 'cases',
            cell: ({ runs: of }) => countText(Math.max(...of.map(({ cases }) => cases)), 'case'),
          },
          {
            name: 'compare',
            cell: ({ sha }) => (
              <span class="picks">
                {pick('a', sha)} {pick('b', sha)}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
