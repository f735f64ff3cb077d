import type { Trend, TrendReport } from '../model/history.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import { htmlPage } from './html-page.ts';
import { htmlText } from './html-text.ts';
import { inlineFigure } from './svg/figure.ts';
import { trendPlot } from './svg/trend-plot.ts';
import { changeFigures, changePlace, deviceText, keyDetails, keyName } from './trend-text.ts';

/** The trends as one page: no scripts, nothing fetched. */
export function renderTrendHtml(report: TrendReport): string {
  const { trends, since, store } = report;
  const changed = trends.filter(({ changes }) => changes.length > 0).length;
  const window = since === undefined ? '' : ` since ${since.slice(0, 10)}`;
  return htmlPage({
    title: 'Trends',
    style: COMPARISON_STYLE,
    parts: [
      `<header><h1>Trends</h1><p class="facts">${trends.length} of ${htmlText(store)}${window}, <b>${changed}</b> with changes</p></header>`,
      trends.length === 0
        ? '<p>There is no measurement to show. <code>pawl bench</code>, <code>check</code> and <code>compare</code> fill the history; <code>pawl history import</code> brings in older runs.</p>'
        : '',
      ...trends.map((trend) => trendPart(trend, report)),
      devicesPart(report),
      '<section><h2>How to read this</h2><p>A dot is a commit, the band its 95 % interval, the stroke the level of a stretch. Positive is faster. A step is blamed on its first measured commit; a creep is a drift that no single commit shows. A single bad run is no change. Of the changes shown together about one in twenty is expected to be none.</p></section>',
    ],
  });
}

function trendPart(trend: Trend, report: TrendReport): string {
  const items = trend.changes.map((change) => {
    const look = change.change_pct < 0 ? 'regressed' : 'improved';
    return `<li class="verdict-${look}"><span class="chip">${change.kind}</span> ${htmlText(changeFigures(change))} ${htmlText(changePlace(change, report))}</li>`;
  });
  return `<section><h2>${htmlText(keyName(trend.key))}</h2><p class="facts">${htmlText(keyDetails(trend.key))}</p>
<figure>${inlineFigure(trendPlot(trend))}</figure>
${items.length === 0 ? '<p class="facts">no change</p>' : `<ul class="reasons">\n${items.join('\n')}\n</ul>`}</section>`;
}

function devicesPart({ devices }: TrendReport): string {
  if (devices.length === 0) return '';
  const items = devices.map((device) => {
    const where = device.host === undefined ? device.device : `${device.device} on ${device.host}`;
    const look = device.health === 'alarming' ? 'regressed' : 'maintained';
    return `<li class="verdict-${look}"><b>${htmlText(where)}</b> ${htmlText(deviceText(device))}</li>`;
  });
  return `<section><h2>Devices</h2><ul class="reasons">\n${items.join('\n')}\n</ul></section>`;
}
