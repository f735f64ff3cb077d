import type { Trend, TrendMark } from '../../../src/model/history/history.ts';
import { markText } from '../../../src/report/text/trend-text.ts';
import { dateText } from '../common/format.ts';
import { Commit } from './commit.tsx';
import { Table } from './table.tsx';

const MOST_MARKS = 40;

/** What happened along a trend: settings, releases, waivers and confirmed changes, latest first. */
export function MarksTable({ trend }: { readonly trend: Trend }) {
  const marks = (trend.marks ?? []).toReversed();
  if (marks.length === 0) return null;
  return (
    <>
      <h2>Marks</h2>
      <Table
        caption="What happened along the trend, latest first"
        rows={marks.slice(0, MOST_MARKS)}
        idOf={(mark) => `${mark.kind} ${mark.commit} ${mark.name ?? ''}`}
        columns={[
          { name: 'mark', side: 'left', cell: ({ kind }) => KIND_WORDS[kind] },
          { name: 'what', side: 'left', cell: (mark) => markText(mark) },
          { name: 'commit', side: 'left', cell: ({ commit }) => <Commit sha={commit} /> },
          { name: 'date', cell: ({ time }) => dateText(time) },
        ]}
      />
      {marks.length > MOST_MARKS ? (
        <p class="quiet">{`And ${marks.length - MOST_MARKS} earlier ones.`}</p>
      ) : null}
    </>
  );
}

const KIND_WORDS: Readonly<Record<TrendMark['kind'], string>> = {
  setting: 'setting',
  release: 'release',
  waiver: 'waiver',
  verdict: 'verdict',
};
