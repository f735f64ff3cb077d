import type { CaseComparison } from '../../../src/model/judge/comparison.ts';
import type { PointComparison } from '../../../src/model/history/history-api.ts';
import type { Trend, TrendPoint } from '../../../src/model/history/history.ts';
import { Distribution } from '../charts/distribution.tsx';
import { changeText, levelTexts, timeOfDay } from '../common/format.ts';
import { adjust } from '../common/router.ts';
import { useShown } from '../common/use-shown.ts';
import type { RunDetail, StoredMeasurement } from '../source/shapes.ts';
import { useAnswer, type Loaded } from '../source/use-answer.ts';
import { Change } from './change.tsx';
import { Commit } from './commit.tsx';
import { Loading } from './states.tsx';
import { VerdictChip } from './verdict.tsx';
import { Scroll } from '../common/scroll.tsx';

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
  // A change or a point is chosen in tables below.
  const panel = useShown<HTMLElement>(a === undefined || b === undefined ? undefined : `${a} ${b}`);
  const [one, other] = [a, b].map((commit) => trend.points.find((point) => point.commit === commit));
  if (one === undefined && other === undefined) return null;
  return (
    <section ref={panel} class="compare panel opened" aria-label="Comparison of two points">
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
          Choose the other point: click it in the trend, or use A and B in the table of points.
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
      <b class="letter">{name}</b> <Commit sha={point.commit} />{' '}
      <small>
        {timeOfDay(point.time)}
        {point.host === undefined ? '' : ` on ${point.host}`}
      </small>
      <br />
      <b>{level}</b> <small>{interval}</small>
    </p>
  );
}

interface ComparedProps {
  readonly trend: Trend;
  readonly one: TrendPoint;
  readonly other: TrendPoint;
}

function Compared({ trend, one, other }: ComparedProps) {
  const a = useMeasurementId(trend.key.id, one);
  const b = useMeasurementId(trend.key.id, other);
  if (a === 'missing' || b === 'missing')
    return (
      <>
        <PlainDifference one={one} other={other} />
        <NoSamples />
      </>
    );
  if (a === 'loading' || b === 'loading') return <Loading height={280} />;
  return <ComparedMeasurements a={a.id} b={b.id} one={one} other={other} />;
}

function ComparedMeasurements(props: {
  readonly a: string;
  readonly b: string;
  readonly one: TrendPoint;
  readonly other: TrendPoint;
}) {
  const { a, b, one, other } = props;
  const [first, second] = [encodeURIComponent(a), encodeURIComponent(b)];
  const comparison = useAnswer<PointComparison>(`compare?a=${first}&b=${second}`);
  const samples = [
    useAnswer<StoredMeasurement>(`measurements/${first}/samples`),
    useAnswer<StoredMeasurement>(`measurements/${second}/samples`),
  ] as const;
  return (
    <>
      <Judged loaded={comparison} one={one} other={other} />
      {samples[0].state === 'done' && samples[1].state === 'done' ? (
        <Scroll label="Distribution of samples">
          <Distribution
            sides={[
              { name: 'A', series: samples[0].answer.series },
              { name: 'B', series: samples[1].answer.series },
            ]}
          />
        </Scroll>
      ) : samples.some(({ state }) => state === 'failed') ? (
        <NoSamples />
      ) : (
        <Loading height={240} />
      )}
    </>
  );
}

function NoSamples() {
  return <p class="quiet">The samples of these points are not available.</p>;
}

/** A point names its run; its measurement is the one of the key, and of the point's commit. */
function useMeasurementId(key: string, point: TrendPoint): { readonly id: string } | 'loading' | 'missing' {
  const loaded = useAnswer<RunDetail>(`runs/${encodeURIComponent(point.run)}`);
  if (loaded.state === 'loading') return 'loading';
  if (loaded.state === 'failed') return 'missing';
  const own = loaded.answer.measurements.filter((measurement) => measurement.key.id === key);
  // A check measures its baseline's commit too: the point is the side that has its commit.
  const found =
    own.find(({ commit }) => commit === point.commit) ?? own.find(({ side }) => side === 'head') ?? own[0];
  return found === undefined ? 'missing' : { id: found.id };
}

/** Where no verdict can be had. */
function PlainDifference({ one, other }: Pick<ComparedProps, 'one' | 'other'>) {
  const plain = (100 * (one.level_ms - other.level_ms)) / one.level_ms;
  return (
    <p class="judged">
      From A to B the level differs by <b>{changeText(plain)}</b>; positive is faster.{' '}
      <span class="quiet">
        This is not a verdict: judging needs the server and the stored samples, or <code>pawl compare</code>.
      </span>
    </p>
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
  if (judged === undefined) return <PlainDifference one={one} other={other} />;
  return (
    <p class="judged">
      <VerdictChip verdict={judged.verdict} />{' '}
      {judged.state === 'estimated' ? <Change change_pct={judged.change_pct} ci_pct={judged.ci_pct} /> : null}{' '}
      {judged.reason}
      {loaded.state === 'done' && loaded.answer.thinned ? (
        <span class="quiet"> Retention removed part of the samples: this is less precise than before.</span>
      ) : null}
    </p>
  );
}
