import { PROFILED_UNITS, type ProfilePage } from '../../model/profile/profile-page.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import { findingFate, gainText, shortName, verdictFacts, verdictSentence } from '../text/profile-text.ts';

/** A comment is a pointer, not a page. */
const MOST_FINDINGS = 2;

/** A short block for a pull request's comment: the sentence, the load of the units, what to fix first. */
export function renderProfileMarkdown(page: ProfilePage): string {
  const { before, after } = page;
  const facts = verdictFacts(page).map(markdownText);
  const findings = after.diagnosis.findings.slice(0, MOST_FINDINGS).map((finding) => {
    const notes = [gainText(finding), findingFate(page, finding)].filter((note) => note !== undefined);
    const aside = notes.length === 0 ? '' : ` (${markdownText(notes.join(', '))})`;
    return `- **${finding.rule}**${aside}: ${markdownText(finding.diagnosis)}\n  Fix: ${markdownText(finding.fix)}`;
  });
  const units = PROFILED_UNITS.flatMap((unit) => {
    const [was, is] = [before?.units[unit], after.units[unit]];
    if (is === undefined) return [];
    return [`${unit} ${was === undefined ? '' : `${was.toFixed(0)} → `}${is.toFixed(0)} %`];
  });
  const blocks = [
    `**${markdownText(verdictSentence(page))}**`,
    `${markdownCode(shortName(after.diagnosis.name))} · ${facts.join(' · ')}`,
    findings.join('\n'),
    units.length === 0 ? '' : `Percent of peak: ${markdownText(units.join(' · '))}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
