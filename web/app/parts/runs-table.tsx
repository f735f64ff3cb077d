import type { HistoryRun } from '../../../src/model/history/history.ts';
import { countText, formatDuration, timeOfDay } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';
import { Commit } from './commit.tsx';
import { Table } from './table.tsx';
import { VerdictChip } from './verdict.tsx';

export function RunsTable({ runs }: { readonly runs: readonly HistoryRun[] }) {
  return (
    <Table
      caption="Runs, latest first"
      rows={runs}
      idOf={({ id }) => id}
      columns={[
        {
          name: 'started (UTC)',
          side: 'left',
          cell: ({ id, started_at }) => <a href={hrefOf(['run', id])}>{timeOfDay(started_at)}</a>,
        },
        { name: 'kind', side: 'left', cell: ({ kind }) => kind },
        { name: 'verdict', side: 'left', cell: ({ verdict }) => <VerdictChip verdict={verdict} /> },
        { name: 'commit', side: 'left', cell: (run) => <Commits run={run} /> },
        {
          name: 'device',
          side: 'left',
          spare: true,
          cell: ({ device, host }) => [device, host].filter(Boolean).join(' · '),
        },
        { name: 'cases', cell: ({ cases }) => countText(cases, 'case') },
        {
          name: 'device held',
          spare: true,
          cell: ({ device_s }) => (device_s === undefined ? '–' : formatDuration(device_s * 1000)),
        },
      ]}
    />
  );
}

function Commits({
  run: { commit, dirty, base_commit, branch, pull_request },
}: {
  readonly run: HistoryRun;
}) {
  return (
    <span>
      {base_commit === undefined || base_commit === commit ? null : (
        <>
          <Commit sha={base_commit} brief /> →{' '}
        </>
      )}
      <Commit sha={commit} />
      {dirty === true ? ' + changes' : null}
      <small> {branch ?? (pull_request === undefined ? null : `#${pull_request}`)}</small>
    </span>
  );
}
