import { spawnSync } from 'node:child_process';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ExpressionError } from '../../../src/config/expression/expression-error.ts';
import { Expression } from '../../../src/config/expression/expression.ts';
import type { Scope } from '../../../src/config/expression/evaluate-expression.ts';

const compute = (source: string, scope: Scope = {}) => Expression.parse(source).evaluate(scope);

function failure(source: string, scope: Scope = {}): ExpressionError {
  try {
    compute(source, scope);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`\`${source}\` did not fail`);
}

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-2 ** 2', -4],
    ['2 ** 3 ** 2', 512],
    ['2 ** -1', 0.5],
    ['7 / 2', 3.5],
    ['7 // 2', 3],
    ['-7 // 2', -4],
    ['-7 % 3', 2],
    ['7 % -3', -2],
    ['1e3 + .5 + 2.', 1002.5],
    ['10 - 3 - 2', 5],
    ['min(3, 1, 2) + max(3, 1, 2)', 4],
    ['ceil(2.1) + floor(-2.1) + abs(-2)', 2],
    ['log2(1024)', 10],
    ['sqrt(64) + sqrt(0)', 8],
    ['ceildiv(7, 2) + ceildiv(-7, 2) + ceildiv(8, 2)', 5],
    ['true + True', 2],
    ['0 or 5', 5],
    ['3 and 5', 5],
    ['1 if 2 > 1 else 1 / 0', 1],
    ['2 > 1 ? 10 : 20', 10],
    ['0 ? 1 : 0 ? 2 : 3', 3],
    ['"a" if x in (1, 2) else \'b\'', 'b'],
  ])('computes %s as Python would (or C, for `? :`)', (source, value) => {
    expect(compute(source, { x: 3 })).toBe(value);
  });

  it.each([
    ['8 <= a * b <= 64', true],
    ['8 <= a * b <= 16', false],
    ['pad == 0 or a % 32 != 0', true],
    ['stage == 0 or ((a*t+(w-1))*(b*t+(w-1))) < 12*64', false],
    ['k % ((a * b)/t) == 0', true],
    ['mode in ("tma", "async")', true],
    ['mode not in ["tma", "async"]', false],
    ['not a == 8 && b == 4', true],
    ['!pad and not pad', true],
    ['mode == "tma"', true],
    ['mode == 1', false],
    ['fast == 1', true],
    ['"a" < "b" and not "b" <= "a"', true],
  ])('decides the constraint %s', (source, value) => {
    const variant = { a: 16, b: 4, t: 2, w: 15, k: 64, pad: 0, stage: 1, mode: 'tma', fast: true };
    expect(Expression.parse(source).holds(variant)).toBe(value);
  });

  it('leaves alone what `or`, `and` and a choice do not need', () => {
    expect(compute('x == 0 or 1 / x > 2', { x: 0 })).toBe(true);
    expect(compute('x != 0 and 1 / x > 2', { x: 0 })).toBe(false);
    expect(compute('1 / x if x else 7', { x: 0 })).toBe(7);
  });

  it('says each name once, where it first stands', () => {
    expect(Expression.parse('b * a + min(b, c) if d in (e, a) else 1').names).toEqual([
      { name: 'b', offset: 0 },
      { name: 'a', offset: 4 },
      { name: 'c', offset: 15 },
      { name: 'd', offset: 21 },
      { name: 'e', offset: 27 },
    ]);
  });

  it.each([
    ['', 0, 'an empty formula'],
    ['1 +', 3, 'the formula ends where a number, a name or `(` belongs'],
    ['(1', 2, 'the formula ends where `)` belongs'],
    ['1 2', 2, '`2` stands where an operator or the end belongs'],
    ['12abc', 2, 'a number runs into a name'],
    ['a = 1', 2, 'a single `=` (`==` compares)'],
    ['a @ b', 2, '`@` has no meaning'],
    ['a \u0007', 2, '`U+0007` has no meaning'],
    ['"abc', 0, 'a text that does not end'],
    ['mni(1, 2)', 0, 'no function is called `mni` (did you mean `min`?)'],
    ['ceil(1, 2)', 0, '`ceil` takes 1 argument, not 2'],
    ['ceildiv(1)', 0, '`ceildiv` takes 2 arguments, not 1'],
    ['a in 3', 5, '`3` stands where a list such as (1, 2, 4) belongs'],
    ['1 if 2', 6, 'the formula ends where `else` belongs'],
    ['a == not b', 5, '`not` stands where a number, a name or `(` belongs'],
    ['1e999', 0, 'a number too large'],
    ['constructor.constructor', 11, '`.` has no meaning'],
  ])('refuses %j and says where', (source, offset, reason) => {
    const error = failure(source, { a: 1, b: 1 });
    expect({ offset: error.offset, reason: error.reason.slice(0, reason.length) }).toEqual({
      offset,
      reason,
    });
    expect(error.kind).toBe('configuration');
  });

  it.each([
    ['1 / (2 - 2)', 2, 'division by zero'],
    ['1 // 0', 2, 'division by zero'],
    ['1 % 0', 2, 'division by zero'],
    ['0 ** -1', 2, 'division by zero'],
    ['ceildiv(1, 0)', 0, 'division by zero'],
    ['2 + 10 ** 400', 7, 'a result too large for a number'],
    ['(0 - 8) ** 0.5', 8, 'a result that is not a real number'],
    ['log2(0)', 0, 'log2 of 0'],
    ['sqrt(0 - 1)', 0, 'sqrt of -1'],
    ['1 + "a"', 2, '`+` needs numbers, not a text,'],
    ['"a" < 1', 4, '`<` needs numbers, not a text,'],
    ['1 + nope', 4, '`nope` has no value'],
    ['toString', 0, '`toString` has no value'],
  ])('cannot compute %s and says where', (source, offset, reason) => {
    const error = failure(source);
    expect({ offset: error.offset, reason: error.reason }).toEqual({ offset, reason });
  });

  it.each([
    ['brackets', '('.repeat(2000) + '1' + ')'.repeat(2000)],
    ['minus signs', '-'.repeat(3000) + '1'],
    ['negations', 'not '.repeat(1000) + '1'],
    ['powers', '2**'.repeat(1000) + '1'],
    ['choices', '1 ? 2 : '.repeat(500) + '1'],
    ['characters', '1+'.repeat(100_000) + '1'],
  ])('refuses too many %s instead of overflowing the stack', (_, source) => {
    expect(failure(source).reason).toMatch(/^(nested more than 100 deep|longer than 4096 characters)$/);
  });

  it('computes the longest sum that it reads', () => {
    expect(compute(`${'1+'.repeat(2047)}1`)).toBe(2048);
  });

  it('either computes or fails with an ExpressionError, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...'1 2.5 a b ( ) [ ] , + - * / // % ** < <= == != and or not in if else ? : ! && || "t" min( true .'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((parts) => parts.join(' ')),
          fc.string(),
        ),
        (source) => {
          try {
            const value = compute(source, { a: 3, b: 0 });
            expect(['number', 'boolean', 'string']).toContain(typeof value);
            expect(Number.isNaN(value)).toBe(false);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
            expect((error as ExpressionError).offset).toBeLessThanOrEqual(source.length);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  it.skipIf(!python)('agrees with Python on generated formulas', () => {
    const scope = { a: 3, b: -4, c: 0, d: 2.5, t: true };
    const sources = fc.sample(formula(), { numRuns: 1500, seed: 7 });
    const script = [
      'import json, sys',
      'scope = json.loads(sys.argv[1])',
      'def value(source):',
      '    try: return float(eval(source, {"__builtins__": {"min": min, "max": max, "abs": abs}}, scope))',
      '    except (ZeroDivisionError, SyntaxError): return None',
      'print(json.dumps([value(source) for source in json.load(sys.stdin)]))',
    ].join('\n');
    const run = spawnSync('python3', ['-W', 'ignore', '-c', script, JSON.stringify(scope)], {
      input: JSON.stringify(sources),
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    const wanted = JSON.parse(run.stdout) as (number | null)[];
    const got = sources.map((source) => {
      try {
        return Expression.parse(source).evaluateNumber(scope);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
        return null;
      }
    });
    const differing = sources.filter((_, index) => got[index] !== wanted[index]);
    expect(differing).toEqual([]);
    expect(wanted.filter((value) => value !== null).length).toBeGreaterThan(750);
  });
});

/** Formulas that are formulas in Python too, with brackets left out often enough to try precedence. */
function formula(): fc.Arbitrary<string> {
  const { tree } = fc.letrec<{ tree: string }>((tie) => {
    const part = fc.oneof(
      tie('tree'),
      tie('tree').map((text) => `(${text})`),
    );
    const operator = fc.constantFrom(...'+ - * / // % < <= > >= == !='.split(' '), ' and ', ' or ');
    return {
      tree: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom('a', 'b', 'c', 'd', 't', 'True', '0', '1', '2', '7', '1.5', '3 ** 2', '2 ** -1'),
        fc.tuple(part, operator, part).map(([left, by, right]) => `${left} ${by} ${right}`),
        fc.tuple(fc.constantFrom('-', 'not '), part).map(([by, operand]) => `${by}${operand}`),
        fc
          .tuple(part, part, part)
          .map(([then, condition, otherwise]) => `${then} if ${condition} else ${otherwise}`),
        fc
          .tuple(part, fc.constantFrom('in', 'not in'), part)
          .map(([item, by, other]) => `(${item} ${by} (1, ${other}))`),
        fc.tuple(fc.constantFrom('min', 'max'), part, part).map(([name, x, y]) => `${name}(${x}, ${y})`),
        part.map((operand) => `abs(${operand})`),
      ),
    };
  });
  return tree;
}
