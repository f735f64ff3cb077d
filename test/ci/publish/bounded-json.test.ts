import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseBoundedJson } from '../../../src/ci/artifact/bounded-json.ts';
import { PawlError } from '../../../src/model/pawl-error.ts';

const parse = (text: string): unknown => parseBoundedJson(Buffer.from(text));

describe('parseBoundedJson', () => {
  it('reads what JSON.stringify writes, with or without spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        if (/"(?:__proto__|constructor|prototype)":/u.test(text)) return;
        expect(parse(` ${text}\n`)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('agrees with JSON.parse about what is JSON, but for what it refuses on purpose', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u0061"',
      '"\\x"',
      '1',
      '-',
      '0',
      '01',
      '1e5',
      '.5',
    ];
    const words = [
      'true',
      'nul',
      'null',
      ' ',
      '\n',
      '\u00A0',
      '"',
      '\\',
      '\u0001',
      '"\u0001"',
      'NaN',
      '/**/',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parse(text)).toThrow(PawlError);
          return;
        }
        try {
          expect(parse(text)).toEqual(expected);
        } catch (error) {
          expect((error as Error).message).toMatch(/a name appears twice|a number is too large/u);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
