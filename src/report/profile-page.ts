import type { Finding, ProfileComparison } from '../model/diagnosis.ts';
import type { ProfilePage } from '../model/profile-page.ts';
import { htmlPage } from './html-page.ts';
import { htmlText } from './html-text.ts';
import { plainText } from './plain-text.ts';
import { profilePanels } from './profile-figures.ts';
import { movedTable } from './profile-page-moved.ts';
import { PROFILE_STYLE } from './profile-style.ts';
import {
  findingFate,
  gainText,
  shortName,
  verdictFacts,
  verdictSentence,
  verdictTone,
} from './profile-text.ts';
import { signalLabel, signalValue } from './signal-text.ts';
import { inlineFigure } from './svg/figure.ts';

/** More launches than this are a list to choose from, not pages to read. */
const MOST_LAUNCHES = 12;

/** Profiles as one file: no scripts, nothing fetched. */
export function renderProfilePage(pages: readonly ProfilePage[]): string {
  const shown = pages.slice(0, MOST_LAUNCHES);
  const left = pages.length - shown.length;
  const names = [...new Set(shown.map(({ after }) => shortName(after.diagnosis.name)))];
  const title = `Profile · ${names.slice(0, 3).join(', ')}`;
  return htmlPage({
    title,
    style: PROFILE_STYLE,
    parts: [
      ...shown.map(article),
      left > 0 ? `<p class="quiet">And ${left} more launches: choose with --kernel or --launch.</p>` : '',
    ],
  });
}

function article(page: ProfilePage, index: number): string {
  const parts = [
    picturePart(page, index === 0 ? 'h1' : 'h2'),
    problemsPart(page.problems),
    findingsPart(page),
    page.comparison === undefined ? '' : changesPart(page.comparison),
    notCollectedPart(page.after.diagnosis.not_collected),
    provenancePart(page),
  ];
  return `<article>\n${parts.filter((part) => part !== '').join('\n')}\n</article>`;
}

function picturePart(page: ProfilePage, heading: 'h1' | 'h2'): string {
  const { name } = page.after.diagnosis;
  const facts = verdictFacts(page).map((fact) => `<b>${htmlText(fact)}</b>`);
  const panels = profilePanels(page).map(
    ({ title, subtitle, figure }) => `<figure class="panel">
<figcaption><h3>${htmlText(title)}</h3><span>${htmlText(subtitle)}</span></figcaption>
${inlineFigure(figure)}
</figure>`,
  );
  const short = shortName(name);
  return `<div class="picture">
<header class="verdict tone-${verdictTone(page)}">
<${heading}>${htmlText(short)}</${heading}>
<p class="sentence">${htmlText(verdictSentence(page))}</p>
<p class="facts">${facts.join(' · ')}</p>
</header>
${short === plainText(name) ? '' : `<p class="signature quiet"><code>${htmlText(name)}</code></p>`}
<section class="panels" aria-label="figures">
${panels.join('\n')}
</section>
${page.roofline === undefined ? '' : `<p class="basis quiet">${htmlText(page.roofline.basis)}</p>`}
</div>`;
}

function problemsPart(problems: readonly string[]): string {
  if (problems.length === 0) return '';
  const items = problems.map((problem) => `<li>${htmlText(problem)}</li>`);
  return `<section aria-label="notices"><ul class="notices">${items.join('')}</ul></section>`;
}

function findingsPart(page: ProfilePage): string {
  const { findings } = page.after.diagnosis;
  if (findings.length === 0)
    return '<section><h2>Findings</h2><p class="quiet">No rule found anything to fix.</p></section>';
  const cards = findings.map((finding, index) => card(finding, index + 1, findingFate(page, finding)));
  return `<section><h2>Findings <small>the first is what to fix first</small></h2>\n${cards.join('\n')}\n</section>`;
}

function card(finding: Finding, number: number, fate: string | undefined): string {
  const gain = gainText(finding);
  const rows = Object.entries(finding.evidence).map(
    ([name, value]) =>
      `<tr><th scope="row">${htmlText(signalLabel(name))}</th><td>${htmlText(signalValue(name, value))}</td></tr>`,
  );
  const said = [
    finding.gain_basis === undefined || gain === undefined
      ? undefined
      : `How the gain is estimated: ${finding.gain_basis}`,
    finding.source === undefined ? undefined : `Source: ${finding.source}`,
  ].flatMap((text) => (text === undefined ? [] : [htmlText(text)]));
  return `<section class="finding panel">
<header><h3>${number}. ${htmlText(finding.rule)}${fate === undefined ? '' : ` <span class="fate">(${fate})</span>`}</h3>${gain === undefined ? '' : `<span class="gain">${htmlText(gain)}</span>`}</header>
<p>${htmlText(finding.diagnosis)}</p>
<p class="fix"><b>Fix:</b> ${htmlText(finding.fix)}</p>
${rows.length === 0 ? '' : `<table class="evidence"><tbody>${rows.join('')}</tbody></table>`}
${said.length === 0 ? '' : `<p class="said quiet">${said.join('<br>')}</p>`}
</section>`;
}

function changesPart(comparison: ProfileComparison): string {
  const fates = [
    ['appeared', comparison.appeared],
    ['vanished', comparison.vanished],
    ['still there', comparison.persisted],
  ] as const;
  const items = fates.flatMap(([word, rules]) =>
    rules.length === 0 ? [] : [`<div><dt>${word}</dt><dd>${htmlText(rules.join(', '))}</dd></div>`],
  );
  return `<section><h2>What changed</h2>
${items.length === 0 ? '' : `<dl class="panel changes">${items.join('')}</dl>`}
${movedTable(comparison.moved)}</section>`;
}

function notCollectedPart(metrics: readonly string[]): string {
  if (metrics.length === 0) return '';
  const what = `${metrics.length} ${metrics.length === 1 ? 'metric' : 'metrics'} that rules would have read`;
  const items = metrics.map((metric) => `<li><code>${htmlText(metric)}</code></li>`);
  return `<section><h2>Not collected</h2>
<p class="quiet">What is not here was never taken as zero: rules that need it did not speak. <code>ncu --set full</code> and the raw page have most of it.</p>
<details><summary>${what}</summary><ul class="metrics">${items.join('')}</ul></details></section>`;
}

function provenancePart({ provenance }: ProfilePage): string {
  if (provenance.length === 0) return '';
  const items = provenance.map(
    ({ name, value }) => `<div><dt>${htmlText(name)}</dt><dd>${htmlText(value)}</dd></div>`,
  );
  return `<section><h2>Where this comes from</h2><dl class="panel">${items.join('')}</dl>
<p class="basis quiet">The duration is that of a profiled launch, at the clocks and with the caches that ncu left; <code>pawl bench</code> says how fast a kernel is.</p></section>`;
}
