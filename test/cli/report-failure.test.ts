import { afterEach, expect, it, vi } from 'vitest';

import { reportFailure } from '../../src/cli/report-failure.ts';

afterEach(() => vi.restoreAllMocks());

it('ends a bug with 70, asks for a report, and shows where it happened only when asked', () => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const error = new TypeError('x is not a function');
  expect(reportFailure(error)).toBe(70);
  expect(said.join('')).toBe(
    'pawl: Pawl has a bug: x is not a function\n  → Please report it with what PAWL_DEBUG=1 prints besides.\n',
  );
  expect(reportFailure(error, { verbose: true })).toBe(70);
  expect(said.join('')).toContain('\n    at ');
});
