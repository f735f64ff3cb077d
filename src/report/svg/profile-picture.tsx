import type { ComponentChildren, VNode } from 'preact';

import type { ProfilePage } from '../../model/profile/profile-page.ts';
import { markup, Style } from '../markup.tsx';
import { truncate, wrap, plainText } from '../text/plain-text.ts';
import { profilePanels, type Panel } from './profile-figures.ts';
import { gainText, shortName, verdictFacts, verdictSentence, verdictTone } from '../text/profile-text.ts';
import { svgText } from './figure.tsx';
import { PANEL_WIDTH } from './percent-bars.ts';
import { PROFILE_FIGURE_STYLE } from './profile-figure-style.ts';
import { at } from './scale.ts';

const MARGIN = 24;
const GAP = 16;
const PADDING = 18;
const PANEL_HEAD = 46;
const COLUMN = PANEL_WIDTH + 2 * PADDING;
const WIDTH = 2 * MARGIN + 2 * COLUMN + GAP;
const INNER = WIDTH - 2 * MARGIN;

/** Letters that fit the width in the widest of the usual fonts (DejaVu Sans), by size. */
const HEADLINE_LETTERS = 66;
const TEXT_LETTERS = 126;
/** More belong on the page. */
const MOST_FINDINGS = 3;

const STYLE = `
.figure .sheet { fill: var(--f-stripe); } .figure .panel { fill: var(--f-panel); stroke: var(--f-line); }
.figure text.kicker { font-size: 13px; font-weight: 600; } .figure text.headline { font-size: 22px; font-weight: 700; fill: var(--f-ink); }
.figure text.title { font-size: 15px; font-weight: 700; fill: var(--f-ink); } .figure text.text { font-size: 13px; fill: var(--f-ink); }
.figure .good { fill: var(--f-good); } .figure .bad { fill: var(--f-bad); } .figure .plain { fill: var(--f-plain); }
.figure text.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
`;

/** The one-pager as one picture, to show around. */
export function renderProfilePicture(page: ProfilePage): string {
  const parts: ComponentChildren[] = [];
  const head = header(page);
  parts.push(head.body);
  let y = head.height;
  const panels = profilePanels(page);
  for (let row = 0; row < panels.length; row += 2) {
    const pair = panels.slice(row, row + 2);
    const height = PANEL_HEAD + PADDING + Math.max(...pair.map(({ figure }) => figure.height));
    parts.push(...pair.map((panel, column) => panelBox(panel, MARGIN + column * (COLUMN + GAP), y, height)));
    y += height + GAP;
  }
  const findings = findingLines(page, y);
  parts.push(findings.body);
  y = findings.bottom;
  const footer = page.provenance.map(({ name, value }) => `${name} ${value}`).join(' · ');
  const footerLines = wrap(plainText(`Pawl · ${footer}`), 148).slice(0, 2);
  parts.push(...footerLines.map((line, index) => svgText(MARGIN, y + 20 + 15 * index, line, 'small')));
  const height = y + 20 + 15 * footerLines.length;
  const label = `Profile of ${shortName(page.after.diagnosis.name)}: ${verdictSentence(page)}`;
  return markup(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="figure"
      width={WIDTH}
      height={at(height)}
      viewBox={`0 0 ${WIDTH} ${at(height)}`}
      role="img"
    >
      <title>{label}</title>
      <Style
        css={`
          ${PROFILE_FIGURE_STYLE}${STYLE}
        `}
      />
      <rect class="sheet" width={WIDTH} height={at(height)} />
      {parts}
    </svg>,
  );
}

function header(page: ProfilePage): { body: ComponentChildren; height: number } {
  const lines = wrap(plainText(verdictSentence(page)), HEADLINE_LETTERS).slice(0, 4);
  const below = 62 + 28 * lines.length;
  return {
    body: [
      <rect class={verdictTone(page)} x="0" y="0" width="8" height={below + 14} />,
      svgText(MARGIN, 34, truncate(shortName(page.after.diagnosis.name), 90), 'kicker code'),
      ...lines.map((line, index) => svgText(MARGIN, 64 + 28 * index, line, 'headline')),
      svgText(MARGIN, below, verdictFacts(page).join(' · '), 'kicker'),
    ],
    height: below + 28,
  };
}

function panelBox({ title, subtitle, figure }: Panel, x: number, y: number, height: number): VNode {
  return (
    <g transform={`translate(${at(x)} ${at(y)})`}>
      <title>{figure.label}</title>
      <rect class="panel" width={COLUMN} height={at(height)} rx="10" />
      {svgText(PADDING, 27, title, 'title')}
      {svgText(COLUMN - PADDING, 27, subtitle, '', 'end')}
      <g transform={`translate(${PADDING} ${PANEL_HEAD})`}>{figure.body}</g>
    </g>
  );
}

function findingLines(page: ProfilePage, top: number): { body: ComponentChildren; bottom: number } {
  const { findings } = page.after.diagnosis;
  if (findings.length === 0) return { body: undefined, bottom: top };
  const parts: ComponentChildren[] = [];
  let y = top + 30;
  for (const [index, finding] of findings.slice(0, MOST_FINDINGS).entries()) {
    const gain = gainText(finding);
    parts.push(
      svgText(MARGIN + PADDING, y, `${index + 1}. ${finding.rule}`, 'title'),
      gain !== undefined && svgText(WIDTH - MARGIN - PADDING, y, gain, 'strong', 'end'),
    );
    for (const [lead, text] of [
      ['', finding.diagnosis === verdictSentence(page) ? '' : finding.diagnosis],
      ['→ ', finding.fix],
    ] as const) {
      if (text === '') continue;
      for (const line of wrap(plainText(`${lead}${text}`), TEXT_LETTERS)) {
        y += 19;
        parts.push(svgText(MARGIN + PADDING, y, line, lead === '' ? 'text' : ''));
      }
    }
    y += 32;
  }
  const left = findings.length - MOST_FINDINGS;
  if (left > 0) {
    parts.push(svgText(MARGIN + PADDING, y - 6, `and ${left} more on the page`, 'small'));
    y += 18;
  }
  const height = y - 14 - top;
  const box = <rect class="panel" x={MARGIN} y={at(top)} width={INNER} height={at(height)} rx="10" />;
  return { body: [box, parts], bottom: top + height };
}
