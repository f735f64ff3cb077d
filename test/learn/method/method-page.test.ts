import { readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { loadMethod } from '../../../src/learn/method/load-method.ts';
import { methodPage } from './method-page.ts';

const PAGE = new URL('../../../docs/method.md', import.meta.url);
const START = '## The gates\n';
/** The formatter may wrap and align: only the words count. */
const words = (text: string): readonly string[] => text.split(/[\s|-]+/u).filter((word) => word !== '');

it('docs/method.md says what the gates, settings and facts are', async () => {
  const made = methodPage(await loadMethod(undefined));
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(START);
  expect(start).toBeGreaterThan(0);
  if (process.env['UPDATE_METHOD'] === '1') writeFileSync(PAGE, `${page.slice(0, start)}${made}\n`);
  expect(words(readFileSync(PAGE, 'utf8').slice(start))).toEqual(words(made));
});
