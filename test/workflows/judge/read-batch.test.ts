import { expect, it } from 'vitest';

import { readBatch } from '../../../src/workflows/judge/read-batch.ts';

async function refusalOf(line: unknown): Promise<string> {
  const text = typeof line === 'string' ? line : JSON.stringify(line);
  async function* input() {
    yield `${text}\n`;
  }
  for await (const { sources } of readBatch('-', input(), '/nowhere')) {
    return sources().then(
      () => 'taken',
      (error: Error) => error.message,
    );
  }
  return 'no line';
}

it.each([
  ['{"id": 1', 'Line 1 is not a candidate: it is not JSON.'],
  [{ candidate: 'a.cpp' }, 'Line 1 is not a candidate: id: a number, or text of 1 to 500 characters.'],
  [
    { id: true, candidate: 'a.cpp' },
    'Line 1 is not a candidate: id: a number, or text of 1 to 500 characters.',
  ],
  [{ id: 'a' }, 'Line 1 is not a candidate: either `files` or `candidate`.'],
])('says what is wrong with the line %j', async (line, message) => {
  expect(await refusalOf(line)).toBe(message);
});
