import { expect, it } from 'vitest';

import { renderRuns } from '../../src/report/history-terminal.ts';

const NONE = { store: '.pawl/history.db', items: [] };

it('says where studies and profiles are, which are no runs', () => {
  expect(renderRuns(NONE, 'tune')).toMatch(/pawl tune show/u);
  expect(renderRuns(NONE, 'profile')).toMatch(/pawl serve/u);
});

it('says of other kinds which commands keep runs', () => {
  expect(renderRuns(NONE, 'check')).toMatch(/pawl bench.*pawl check/u);
});
