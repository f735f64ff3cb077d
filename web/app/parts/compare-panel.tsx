import type { CaseComparison } from '../../../src/model/comparison.ts';
import type { PointComparison } from '../../../src/model/history-api.ts';
import type { Trend, TrendPoint } from '../../../src/model/history.ts';
import { Distribution } from '../charts/distribution.tsx';
import { changeText, levelTexts, shortCommit, timeOfDay } from '../format.ts';
import { adjust } from '../router.ts';
import type { RunDetail, StoredMeasurement } from '../source/shapes.ts';
import { useAnswer, type Loaded } from '../source/use-answer.ts';
import { Change } from './change.tsx';
import { Loading } from './states.tsx';
import { VerdictChip } from './verdict.tsx';

/** Two points of a trend beside each other: levels, the verdict on what was stored, and the samples. */
export function ComparePanel({
  trend,
  a,
  b,
}: {
  readonly trend: Trend;
  readonly a: string | undefined;
  readonly b: string | undefined;
}) {
  const [one, other] = [a, b].map((commit) => trend.points.find((point) => point.commit === commit));
  if (one === undefined && other === undefined) return null;
  return (
    <section class="compare panel" aria-label="Comparison of two points">
      <h2>
        A <span class="quiet">and</span> B
      </h2>
      <button type="button" class="close" onClick={() => adjust({ a: undefined, b: undefined })}>
        Close <span class="hidden">the comparison</span>
      </button>
      <div class="sides">
        <Side name="A" point={one} />
        <Side name="B" point={other} />
      </div>
      {one === undefined || other === undefined ? (
        <p class="quiet">
          Choose the other point: with a click in the trend, or by its letter in the table of points.
        </p>
      ) : (
        <Compared trend={trend} one={one} other={other} />
      )}
    </section>
  );
}

function Side({ name, point }: { readonly name: 'A' | 'B'; readonly point: TrendPoint | undefined }) {
  if (point === undefined) return <p class={`side-${name.toLowerCase()} quiet`}>{name}: not chosen</p>;
  const { level, interval } = levelTexts(point.level_ms, point.ci_ms);
  return (
    <p class={`side-${name.toLowerCase()}`}>
      <b class="letter">{name}</b> <code>{shortCommit(point.commit)}</code>{' '}
      <small>{timeOfDay(point.time)}</small>
      <br />
      <b>{level}</b> <small>{interval}</small>
    </p>
  );
}

function Compared({
  trend,
  one,
  other,
}: {
  readonly trend: Trend;
  readonly one: TrendPoint;
  readonly other: TrendPoint;
}) {
  const ids = [useMeasurementId(trend.key.id, one), useMeasurementId(trend.key.id, other)] as const;
  const [first, second] = ids;
  const comparison = useAnswer<PointComparison>(
    first === undefined || second === undefined
      ? undefined
      : `compare?a=${encodeURIComponent(first)}&b=${encodeURIComponent(second)}`,
  );
  const samples = [useSamples(first), useSamples(second)] as const;
  return (
    <>
      <Judged loaded={comparison} one={one} other={other} />
      {samples[0].state === 'done' && samples[1].state === 'done' ? (
        <Distribution
          sides={[
            { name: 'A', series: samples[0].answer.series },
            { name: 'B', series: samples[1].answer.series },
          ]}
        />
      ) : samples.some(({ state }) => state === 'failed') ? (
        <p class="quiet">The samples of these points are not here.</p>
      ) : (
        <Loading height={240} />
      )}
    </>
  );
}

function useMeasurementId(key: string, point: TrendPoint): string | undefined {
  const loaded = useAnswer<RunDetail>(`runs/${encodeURIComponent(point.run)}`);
  if (loaded.state !== 'done') return undefined;
  const own = loaded.answer.measurements.filter((measurement) => measurement.key.id === key);
  // A check measures its baseline's commit too: the point is the side that has its commit.
  return (
    own.find(({ commit }) => commit === point.commit) ??
    own.find(({ side }) => side === 'head') ??
    own[0]
  )?.id;
}

function useSamples(id: string | undefined): Loaded<StoredMeasurement> {
  return useAnswer<StoredMeasurement>(
    id === undefined ? undefined : `measurements/${encodeURIComponent(id)}/samples`,
  );
}

/** The verdict of the stored series; where it cannot be had, the plain difference of the levels, which is said. */
function Judged({
  loaded,
  one,
  other,
}: {
  readonly loaded: Loaded<PointComparison>;
  readonly one: TrendPoint;
  readonly other: TrendPoint;
}) {
  if (loaded.state === 'loading') return <p class="judged quiet">Judging …</p>;
  const judged: CaseComparison | undefined =
    loaded.state === 'done' ? loaded.answer.comparison.cases[0] : undefined;
  if (judged === undefined) {
    const plain = (100 * (one.level_ms - other.level_ms)) / one.level_ms;
    return (
      <p class="judged">
        From A to B the level differs by <b>{changeText(plain)}</b>; positive is faster.{' '}
        <span class="quiet">
          This is no verdict: judging needs the server and the stored samples, or <code>pawl compare</code>.
        </span>
      </p>
    );
  }
  return (
    <p class="judged">
      <VerdictChip verdict={judged.verdict} />{' '}
      {judged.state === 'estimated' ? <Change change_pct={judged.change_pct} ci_pct={judged.ci_pct} /> : null}{' '}
      {judged.reason}
      {loaded.state === 'done' && loaded.answer.thinned ? (
        <span class="quiet"> Retention has left a part of the samples: this is rougher than it was.</span>
      ) : null}
    </p>
  );
}
