import { expect, it } from 'vitest';

import { renderRuns } from '../../../src/report/terminal/history-terminal.ts';

const RUN = {
  id: '0123456789abcdef',
  started_at: '2026-11-15T12:00:00Z',
  kind: 'bench',
  commit: '8c41d7e9aa0b5f10',
  cases: 3,
  device: 'AMD EPYC 9454 48-Core Processor with a long name',
  host: 'a-host-with-a-name',
} as const;

it('has a header, and a line a run where nothing limits it', () => {
  const lines = renderRuns({ store: 'x', items: [RUN] }).split('\n');
  expect(lines[0]).toMatch(/^run +started +kind +commit +verdict +cases +device +host$/u);
  expect(lines[1]).toMatch(/^0123456789ab  2026-11-15 12:00  bench .* a-host-with-a-name$/u);
});

it('says of a run that no commit holds the files that it measured', () => {
  const text = renderRuns({ store: 'x', items: [{ ...RUN, dirty: true }] });
  expect(text).toContain('8c41d7e9aa + changes');
  expect(renderRuns({ store: 'x', items: [RUN] })).not.toContain('changes');
});

it('fits a terminal of 80 columns, and cuts nothing', () => {
  const text = renderRuns({ store: 'x', items: [RUN] }, { columns: 80 });
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toContain(RUN.device);
  expect(text).toContain(RUN.host);
});

const NONE = { store: '.pawl/history.db', items: [] };

it('says where studies and profiles are, which are no runs', () => {
  expect(renderRuns(NONE, { kind: 'tune' })).toMatch(/pawl tune show/u);
  expect(renderRuns(NONE, { kind: 'profile' })).toMatch(/pawl serve/u);
});

it('says of other kinds which commands keep runs', () => {
  expect(renderRuns(NONE, { kind: 'check' })).toMatch(/pawl bench.*pawl check/u);
});
