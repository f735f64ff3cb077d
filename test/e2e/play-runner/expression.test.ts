import { describe, expect, it } from 'vitest';

import { evaluate, holds, interpolate } from './expression.ts';

const CONTEXTS = {
  github: { event_name: 'push', event: { label: null, repository: { fork: false } }, ref: 'refs/heads/main' },
  steps: { pawl: { outputs: { 'comment-id': '7' } } },
};
const FINE = { status: 'success' } as const;

describe('an expression of a workflow', () => {
  it.each([
    ["github.event_name == 'PUSH'", true],
    ["github.event.label.name == ''", true],
    ["github.event.label.name != 'pawl-approved'", true],
    ['!github.event.repository.fork', true],
    ["github.nothing || 'a' && 'b'", 'b'],
    ["format('refs/heads/{0}', 'main') == github.ref", true],
    ["steps.pawl.outputs['comment-id']", '7'],
    ['fromJSON(\'["self-hosted"]\')', ['self-hosted']],
    ["'it''s'", "it's"],
    ['!(1 == 1) || false', false],
  ])('%s', (text, value) => {
    expect(evaluate(text, CONTEXTS, FINE)).toEqual(value);
  });

  it('that nobody wrote down here is refused, not guessed', () => {
    for (const text of ['hashFiles(1)', 'vars.A', '1 +', 'a b', "'open"]) {
      expect(() => evaluate(text, CONTEXTS, FINE)).toThrow();
    }
  });

  it('as a condition asks for success unless it asks for something else', () => {
    const failed = { status: 'failure' } as const;
    expect(holds(undefined, CONTEXTS, failed)).toBe(false);
    expect(holds("github.event_name == 'push'", CONTEXTS, failed)).toBe(false);
    expect(holds('always()', CONTEXTS, failed)).toBe(true);
    expect(holds("${{ !cancelled() && steps.pawl.outputs.verdict == '' }}", CONTEXTS, failed)).toBe(true);
  });

  it('stands within text', () => {
    expect(interpolate('${{ github.ref }}-${{ github.none }}', CONTEXTS, FINE)).toBe('refs/heads/main-');
  });
});
