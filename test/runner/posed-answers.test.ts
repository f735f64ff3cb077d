import { describe, expect, it } from 'vitest';

import { PosedAnswers } from '../../src/runner/posed-answers.ts';

function found(...chunks: readonly string[]): string | undefined {
  const posed = new PosedAnswers();
  for (const chunk of chunks) posed.push(Buffer.from(chunk));
  return posed.found;
}

describe('PosedAnswers', () => {
  it.each([
    '{"mac":"00","body":{"id":3}}\n',
    '{"samples_ms": [0.000001]}\n',
    'a prefix {"passed": true, "oracle": "o", "tensors": [], "tampering": []}\n',
    '{"body": {"id": 1}, "mac": "00"}',
  ])('sees through %j', (line) => {
    expect(found(line)).toBe(line.trim());
  });

  it('sees through a line that arrives in pieces', () => {
    expect(found('{"sampl', 'es_ms":[1', ']}\n')).toContain('samples_ms');
  });

  it.each([
    'launched 12 blocks, 0.3 ms\n',
    'the body of the mac\n',
    '{"time_ms": 0.3, "passed": true}\n',
    '{"mac": "aa:bb"}\n{"body": "text"}\n',
  ])('lets ordinary words pass: %j', (text) => {
    expect(found(text)).toBeUndefined();
  });

  it('holds little of a line without end', () => {
    expect(found(...Array.from({ length: 50 }, () => 'x'.repeat(100_000)))).toBeUndefined();
  });
});
