import { changeText } from '../../model/text/change-text.ts';
import type { Trend, TrendReport } from '../../model/history/history.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import { htmlPage } from './html-page.tsx';
import { Items } from './page-parts.tsx';
import { InlineFigure } from '../svg/figure.tsx';
import { trendPlot } from '../svg/trend-plot.tsx';
import {
  changePlace,
  deviceText,
  hostsText,
  keyDetails,
  keyName,
  markText,
  newestText,
  otherMarks,
  shortSha,
  steadyTexts,
} from '../text/trend-text.ts';

/** The trends as one page: no scripts, nothing fetched. */
export function renderTrendHtml(report: TrendReport): string {
  const { trends, since, store } = report;
  const changed = trends.filter(({ changes }) => changes.length > 0).length;
  const window = since === undefined ? '' : ` since ${since.slice(0, 10)}`;
  return htmlPage({
    title: 'Trends',
    style: COMPARISON_STYLE,
    body: (
      <>
        <header>
          <h1>Trends</h1>
          <p class="facts">
            {`${trends.length} of ${store}${window}, `}
            <b>{changed}</b> with changes
          </p>
        </header>
        {trends.length === 0 && (
          <p>
            No measurements to show. <code>pawl bench</code>, <code>check</code> and <code>compare</code> fill
            the history; <code>pawl history import</code> brings in older runs.
          </p>
        )}
        {trends.map((trend) => (
          <TrendSection trend={trend} report={report} />
        ))}
        <Devices report={report} />
        <section>
          <h2>How to read this</h2>
          <p>
            A dot is a commit, the band its 95 % interval, the line the level between changes. Positive is
            faster. A step is attributed to its first measured commit; a creep is a drift that no single
            commit shows. A single bad run does not count as a change. About one in twenty of the changes
            shown is expected to be a false alarm.
          </p>
        </section>
      </>
    ),
  });
}

function TrendSection({ trend, report }: { readonly trend: Trend; readonly report: TrendReport }) {
  return (
    <section>
      <h2>{keyName(trend.key)}</h2>
      <p class="facts">
        {[keyDetails(trend.key), hostsText(trend.points)].filter((part) => part !== '').join(' · ')}
      </p>
      <figure>
        <InlineFigure figure={trendPlot(trend, { titled: false })} />
      </figure>
      {steadyTexts(trend).map((text) => (
        <p class="facts">{text}</p>
      ))}
      {trend.newest === undefined ? null : (
        <p class={`tone-${trend.newest.change_pct < 0 ? 'bad' : 'good'}`}>
          <span class="chip">newest</span> {changeText(trend.newest)} {changePlace(trend.newest, report)}:{' '}
          {newestText(trend.newest)}
        </p>
      )}
      {trend.changes.length === 0 ? (
        <p class="facts">no change</p>
      ) : (
        <ul class="reasons">
          {trend.changes.map((change) => (
            <li class={`tone-${change.change_pct < 0 ? 'bad' : 'good'}`}>
              <span class="chip">{change.kind}</span> {changeText(change)} {changePlace(change, report)}
            </li>
          ))}
        </ul>
      )}
      {otherMarks(trend).map((mark) => (
        <p class="facts">
          {markText(mark)} at {shortSha(mark.commit)}, {mark.time.slice(0, 10)}
        </p>
      ))}
    </section>
  );
}

function Devices({ report: { devices } }: { readonly report: TrendReport }) {
  const items = devices.map((device) => (
    <li class={`tone-${device.health === 'alarming' ? 'bad' : 'plain'}`}>
      <b>{device.host === undefined ? device.device : `${device.device} on ${device.host}`}</b>{' '}
      {deviceText(device)}
    </li>
  ));
  return <Items class="reasons" title="Devices" items={items} />;
}
