import { useCallback } from 'preact/hooks';

import { defined } from '../../../src/model/defined.ts';
import type { Trend } from '../../../src/model/history/history.ts';
import { isNoteOn } from '../../../src/model/history/notes-on.ts';
import { ratesOf } from '../../../src/model/device/rates.ts';
import { ratesTexts } from '../../../src/report/text/rates-text.ts';
import { newestText, steadyTexts } from '../../../src/report/text/trend-text.ts';
import { RooflineHistory } from '../charts/roofline-history.tsx';
import { TrendChart } from '../charts/trend-chart.tsx';
import type { TrendZoom } from '../charts/trend-options.ts';
import { measureCase } from '../common/commands.ts';
import { changeText, countText, timeText } from '../common/format.ts';
import { ChangesTable } from '../parts/changes-table.tsx';
import { Choice, sinceOf, WINDOWS } from '../parts/choice.tsx';
import { Commit } from '../parts/commit.tsx';
import { ComparePanel } from '../parts/compare-panel.tsx';
import { KeyName } from '../parts/key-name.tsx';
import { MarksTable } from '../parts/marks-table.tsx';
import { NotesSection } from '../parts/notes.tsx';
import { PointsTable } from '../parts/points-table.tsx';
import { ProfileLinks } from '../parts/profile-links.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { adjust, type Place } from '../common/router.ts';
import { useNotes } from '../source/use-notes.ts';
import { useAnswer } from '../source/use-answer.ts';

/** What a screen can show one beside the other; changes are found on all points. */
const MOST_POINTS = 400;

export function CasePage({ id, query }: { readonly id: string; readonly query: Place['query'] }) {
  const since = sinceOf(query['since'] ?? 'all', Date.now());
  const asked = new URLSearchParams({
    key: id,
    max_points: String(MOST_POINTS),
    ...defined({ since }),
  });
  const loaded = useAnswer<Trend>(`trend?${asked.toString()}`);
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(trend) => <Content trend={trend} query={query} />}
    </Shown>
  );
}

function Content({ trend, query }: { readonly trend: Trend; readonly query: Place['query'] }) {
  const { key, points, changes, thinned_from } = trend;
  const { a, b, from, to } = query;
  const notes = useNotes({ kernel: key.kernel, case: key.case, mode: key.mode, device: key.device });
  const onZoom = useCallback((zoom: TrendZoom) => adjust({ from: zoom.from, to: zoom.to }), []);
  const onPick = useCallback((side: 'a' | 'b', commit: string) => adjust({ [side]: commit }), []);
  return (
    <>
      <h1>
        <KeyName keyed={key} link={false} />
      </h1>
      <div class="tools-line">
        <Choice label="Window" name="since" value={query['since'] ?? 'all'} options={WINDOWS} />
        <span class="quiet">
          {countText(points.length, 'point')}
          {thinned_from === undefined ? '' : ` of ${countText(thinned_from, 'commit')}`}; the band is the 95 %
          interval
        </span>
      </div>
      {points.length === 0 ? (
        <Empty title="No point in this window." command={measureCase(key)}>
          A longer window may have some.
        </Empty>
      ) : (
        <>
          <Newest trend={trend} />
          <TrendChart trend={trend} picks={{ a, b }} onPick={onPick} zoom={{ from, to }} onZoom={onZoom} />
          <HeldAgainst trend={trend} />
          <ComparePanel trend={trend} a={a} b={b} />
          <h2>Changes</h2>
          {steadyTexts(trend).map((text) => (
            <p class="quiet">{text}</p>
          ))}
          <ChangesTable
            changes={changes}
            points={thinned_from ?? points.length}
            notesOf={(commit) => notes.notes?.notes.filter((note) => isNoteOn(note, key, commit)) ?? []}
          />
          <NotesSection
            notes={notes.notes}
            on={{ kernel: key.kernel, case: key.case, mode: key.mode, device: key.device }}
            commits={notable(trend)}
            chosen={query['note']}
            onChange={notes.again}
          />
          <MarksTable trend={trend} />
          <RooflineHistory trend={trend} />
          <h2>Profiles</h2>
          <ProfileLinks kernel={key.kernel} name={key.case} />
          <h2>Points</h2>
          <PointsTable points={points} a={a} b={b} onPick={onPick} />
        </>
      )}
    </>
  );
}

/** Commits that there is something to say of: those of changes and the newest, then all. */
function notable({ changes, newest, points }: Trend): string[] {
  const first = [...changes.map(({ commit }) => commit).toReversed(), ...(newest ? [newest.commit] : [])];
  return [...new Set([...first, ...points.map(({ commit }) => commit).toReversed()])].slice(0, MOST_POINTS);
}

/** A newest point that is off is reported above the chart, where it is not overlooked. */
function Newest({ trend: { newest } }: { readonly trend: Trend }) {
  if (newest === undefined) return null;
  return (
    <p class={`newest tone-${newest.change_pct < 0 ? 'bad' : 'good'}`} role="status">
      The newest point, <Commit sha={newest.commit} />, is{' '}
      <b>{changeText(Math.abs(newest.change_pct)).replace('+', '')}</b>{' '}
      {newest.change_pct < 0 ? 'slower' : 'faster'} than the level before it: {newestText(newest)}.
    </p>
  );
}

/** The lines of the picture, and what of them is too far off to be in it. */
function HeldAgainst({ trend: { lines = {}, points } }: { readonly trend: Trend }) {
  const level_ms = points.at(-1)?.level_ms;
  const { baseline_ms, floor_ms, reference } = lines;
  if (level_ms === undefined) return null;
  const parts = [
    baseline_ms === undefined ? '' : `baseline ${timeText(baseline_ms)}`,
    floor_ms === undefined
      ? ''
      : `floor ${timeText(floor_ms)}: the newest point takes ${(level_ms / floor_ms).toFixed(2)} times that`,
    reference === undefined ? '' : `${reference.kernel} ${timeText(reference.level_ms)}`,
  ].filter((part) => part !== '');
  const rates = ratesTexts(ratesOf(lines, level_ms));
  return (
    <>
      {rates.length === 0 ? null : (
        <p class="facts-line rates">
          The newest point: <b>{rates.join(' · ')}</b>
        </p>
      )}
      {parts.length === 0 ? null : <p class="quiet held-against">Lines: {parts.join(' · ')}.</p>}
    </>
  );
}
