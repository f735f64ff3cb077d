import { useCallback } from 'preact/hooks';

import { defined } from '../../../src/model/defined.ts';
import type { Trend } from '../../../src/model/history.ts';
import { steadyTexts } from '../../../src/report/trend-text.ts';
import { TrendChart } from '../charts/trend-chart.tsx';
import { measureCase } from '../common/commands.ts';
import { countText } from '../common/format.ts';
import { ChangesTable } from '../parts/changes-table.tsx';
import { Choice, sinceOf, WINDOWS } from '../parts/choice.tsx';
import { ComparePanel } from '../parts/compare-panel.tsx';
import { KeyName } from '../parts/key-name.tsx';
import { PointsTable } from '../parts/points-table.tsx';
import { ProfileLinks } from '../parts/profile-links.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { adjust, type Place } from '../common/router.ts';
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
  const { a, b } = query;
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
          <TrendChart trend={trend} picks={{ a, b }} onPick={onPick} />
          <ComparePanel trend={trend} a={a} b={b} />
          <h2>Changes</h2>
          {steadyTexts(trend).map((text) => (
            <p class="quiet">{text}</p>
          ))}
          <ChangesTable changes={changes} points={thinned_from ?? points.length} />
          <h2>Profiles</h2>
          <ProfileLinks kernel={key.kernel} name={key.case} />
          <h2>Points</h2>
          <PointsTable points={points} a={a} b={b} onPick={onPick} />
        </>
      )}
    </>
  );
}
