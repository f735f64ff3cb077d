import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { AnswerReader } from '../../src/runner/answer-reader.ts';

const KEY = Buffer.alloc(32, 7);

function line(body: object, key = KEY): Buffer {
  const text = JSON.stringify(body);
  const mac = createHmac('sha256', key).update(text).digest('hex');
  return Buffer.from(`{"mac":"${mac}","body":${text}}\n`);
}

const first = { id: 1, seq: 1, ok: true, result: { sets: 3 } };
const second = { id: 2, seq: 2, ok: false, error: { code: 'kernel-failed', message: 'ünwell' } };

describe('AnswerReader', () => {
  it('returns authenticated answers in order, however the bytes are cut', () => {
    const bytes = Buffer.concat([line(first), line(second)]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = new AnswerReader(KEY);
      const answers = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))];
      expect(answers).toEqual([first, second]);
    }
  });

  it('refuses an answer signed with another key', () => {
    const reader = new AnswerReader(KEY);
    expect(() => reader.push(line(first, Buffer.alloc(32, 8)))).toThrow(/wrong signature/);
  });

  it('refuses a true answer that is sent a second time', () => {
    const reader = new AnswerReader(KEY);
    reader.push(line(first));
    expect(() => reader.push(line(first))).toThrow(/answer 1 where 2 was due/);
  });

  it('refuses a changed body under a true signature', () => {
    const forged = Buffer.from(line(first).toString().replace('"sets":3', '"sets":9'));
    expect(() => new AnswerReader(KEY).push(forged)).toThrow(/wrong signature/);
  });

  it.each(['hello\n', '{"samples_ms":[0.001]}\n', '\n', '{"mac":"zz","body":{}}\n'])(
    'refuses %j, which is no answer at all',
    (text) => {
      expect(() => new AnswerReader(KEY).push(Buffer.from(text))).toThrow(/wrote to the result channel/);
    },
  );
});
