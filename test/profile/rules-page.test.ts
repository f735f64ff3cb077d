import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { RULE_IDS } from '../../src/model/profile/diagnosis-words.ts';
import { rulesPage, signalsList } from './rules-page.ts';

const PAGE = new URL('../../docs/rules.md', import.meta.url);
const SIGNALS = new URL('../../docs/signals.txt', import.meta.url);
/** The formatter may wrap and align: only the words count. */
const words = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

it('docs/rules.md says what the rules are', () => {
  if (process.env['UPDATE_RULES'] === '1') writeFileSync(PAGE, `${rulesPage()}\n`);
  expect(words(readFileSync(PAGE, 'utf8'))).toEqual(words(rulesPage()));
});

it('docs/signals.txt says what the signals are read from', () => {
  if (process.env['UPDATE_RULES'] === '1') writeFileSync(SIGNALS, `${signalsList()}\n`);
  expect(readFileSync(SIGNALS, 'utf8')).toBe(`${signalsList()}\n`);
});

it('docs/rules.md has a section for every rule', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const id of RULE_IDS) expect(page).toContain(`### ${id}\n`);
});
