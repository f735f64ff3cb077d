import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { bind } from '../../src/adopt/c/bind.ts';
import { chooseFunction } from '../../src/adopt/c/choose.ts';
import { extentsInC } from '../../src/adopt/c/formula-in-c.ts';
import { findDefinitions } from '../../src/adopt/c/functions.ts';
import { signaturesOf } from '../../src/adopt/c/signature.ts';
import { tokenize } from '../../src/adopt/c/tokens.ts';
import { local } from '../../src/adopt/c/wrapper.ts';

const signatures = (source: string) => signaturesOf(findDefinitions(tokenize(source).tokens));
const fixture = (name: string) => readFile(join(import.meta.dirname, '../fixtures/adopt', name), 'utf8');
const nothingTold = { shapes: {}, inout: [], scalars: {} };

describe('what is compiled', () => {
  const words = (source: string, defined: string[]) =>
    tokenize(source, defined)
      .tokens.map(({ text }) => text)
      .join(' ');
  const either = (condition: string) => `#if ${condition}\nyes\n#else\nno\n#endif\n`;

  it.each([
    ['defined(A)', 'yes'],
    ['!defined(A)', 'no'],
    ['defined A && defined(B)', 'yes'],
    ['defined(A) && !defined B', 'no'],
    ['0', 'no'],
    ['defined(A) // defined(C)', 'yes'],
    // Not known: a macro of the compiler, a comparison, parentheses.
    ['defined(C)', 'yes no'],
    ['__CUDA_ARCH__ >= 800', 'yes no'],
    ['!(defined C || defined B)', 'yes no'],
    ['C && (defined(C) || defined(A) || defined(C))', 'yes no'],
  ])('of #if %s is %s', (condition, expected) => {
    expect(words(either(condition), ['A', 'B'])).toBe(expected);
  });

  it('is one branch of several, inside of others too, by what was defined before', () => {
    const source = `#define A\n#ifdef A\n${either('defined(B)')}#elif 1\nlater\n#endif\n#undef A\n${either('defined(A)')}`;
    expect(words(source, [])).toBe('yes no yes no');
    expect(words(source, ['B'])).toBe('yes yes no');
    expect(words(`#if 0\n${either('1')}#else\nhere\n#endif`, [])).toBe('here');
  });

  it('keeps what an include guard encloses', () => {
    expect(words('#ifndef GUARD_H\n#define GUARD_H\nbody\n#endif\n', [])).toBe('body');
  });
});

describe('functions of a C or C++ file', () => {
  it('are those with a body outside of classes, comments, texts and `#if 0`, except main', async () => {
    const found = signatures(await fixture('c/softmax.cpp'));
    expect(found.map(({ text, obstacle }) => [text, obstacle === undefined])).toEqual([
      ['T total(const T *x, int n)', false],
      ['void rows::softmax(const float *__restrict__ x, float *y, int rows, int cols)', true],
    ]);
  });

  it('have arrays as pointers, and sizes by any name of an integer', async () => {
    const [dot] = signatures(await fixture('c/dot.c'));
    expect(bind(dot!, { shapes: { x: 'n', y: 'n' }, inout: [], scalars: {} })).toMatchObject({
      tensors: [
        { name: 'x', role: 'input', dtype: 'f64', shape: ['n'] },
        { name: 'y', role: 'input', dtype: 'f64', shape: ['n'] },
        { name: 'result', role: 'output', dtype: 'f64', shape: ['1'] },
      ],
      dims: ['n'],
      result: 2,
    });
  });

  it.each([
    ['typedef float real; void f(const real *x, real *y, int n) {}', ['f32', 'f32']],
    ['using real = double; void f(const real *x, real *y, int n) {}', ['f64', 'f64']],
    ['extern "C" { void f(const std::int64_t *x, uint8_t *y, std::size_t n) {} }', ['i64', 'u8']],
    [
      '__attribute__((noinline)) static void f(float const *x, float *const y, unsigned n = 3) {}',
      ['f32', 'f32'],
    ],
    ['[[gnu::hot]] void f(const signed char *x, short y[], bool flag) noexcept {}', ['i8', 'i16']],
    ['void f(const unsigned *x, std::uint64_t *y, size_t n) {}', ['u32', 'u64']],
    ['void f(const _Float16 *, _Float16 *, long long) {}', ['f16', 'f16']],
  ])('%s', (source, dtypes) => {
    const { tensors } = bind(signatures(source)[0]!, nothingTold);
    expect(tensors.map(({ dtype }) => dtype)).toEqual(dtypes);
    expect(tensors.map(({ role }) => role)).toEqual(['input', 'output']);
  });

  it.each([
    ['void f(std::vector<float> &x) {}', 'x is std :: vector < float > &'],
    ['void f(float **x, int n) {}', 'x is float * *'],
    ['void f(const char *x, float *y) {}', 'x is const char *'],
    ['template <int N> void f(const float *x, float *y) {}', 'it is a template'],
    ['void f(const float *x, int n) {}', 'it does not write anything'],
    ['int f(int n) { return n; }', 'none of its parameters is a pointer'],
  ])('%s cannot be adopted, and the reason is said', (source, reason) => {
    expect(() => chooseFunction(signatures(source), 'f', 'x.cpp')).toThrow(reason);
  });

  it('are chosen by name where there are several', async () => {
    const all = signatures(await fixture('c/dot.c'));
    expect(() => chooseFunction(all, undefined, 'dot.c')).toThrow('--function NAME');
    expect(chooseFunction(all, 'gather', 'dot.c').name).toBe('gather');
    expect(() => chooseFunction(all, 'scatter', 'dot.c')).toThrow('does not define a function scatter');
    const twice = signatures('void f(float *x) {} void f(double *x) {}');
    expect(() => chooseFunction(twice, 'f', 'x.cpp')).toThrow('more than once');
  });

  it('survive what no compiler would take', () => {
    for (const source of [
      'void f(',
      '"',
      "'\\",
      '/*',
      'R"(',
      '#if 0\n',
      '}}}',
      'void f(float *x) {',
      '<<<',
      'template <',
    ]) {
      expect(() => signatures(source)).not.toThrow();
    }
  });
});

describe('a launch', () => {
  const inC = (text: string) => extentsInC(text, '--grid', ['n', 'call'], local);

  it.each([
    ['256', ['256']],
    ['ceildiv(n, 256), n * 2', ['((n + 256 - 1) / 256)', '(n * 2)']],
    ['min(n // 4, 65535)', ['((n / 4) < 65535 ? (n / 4) : 65535)']],
    ['max(-n % 3, 1)', ['((-n % 3) > 1 ? (-n % 3) : 1)']],
    ['call', ['call_']],
  ])('%s is C', (text, expected) => {
    expect(inC(text)).toEqual(expected);
  });

  it.each([
    ['m', 'names m'],
    ['n / 2', 'cannot be written in C'],
    ['0.5', 'cannot be written in C'],
    ['1,2,3,4', 'more than three'],
    ['n +', 'is invalid at'],
  ])('%s is refused', (text, message) => {
    expect(() => inC(text)).toThrow(message);
  });
});

describe('a binding', () => {
  const [gather] = signatures('void gather(const float *in, const int *index, float *out, int n) {}');

  it('renames what is a word of formulas, and takes either name', () => {
    const { tensors } = bind(gather!, { shapes: { in: 'n * 2' }, inout: ['out'], scalars: {} });
    expect(tensors.map(({ name, role, shape }) => [name, role, shape])).toEqual([
      ['in_', 'input', ['n * 2']],
      ['index', 'input', undefined],
      ['out', 'inout', undefined],
    ]);
  });

  it('has floating parameters as scalars: told, by default, or assumed', () => {
    const [scale] = signatures(
      'void scale(float *x, float a, double b = -2.5, float c = 1e-5f, int n = 1) {}',
    );
    const { scalars } = bind(scale!, { ...nothingTold, scalars: { a: 3 } });
    expect(scalars.map(({ name, value, isAssumed }) => [name, value, isAssumed])).toEqual([
      ['a', 3, false],
      ['b', -2.5, false],
      ['c', 1e-5, false],
    ]);
    expect(bind(scale!, nothingTold).scalars[0]).toMatchObject({ value: 1, isAssumed: true });
    expect(() => bind(scale!, { ...nothingTold, scalars: { d: 1 } })).toThrow(
      'no floating-point parameter named d',
    );
  });

  it.each([
    [{ shapes: { x: 'n' }, inout: [], scalars: {} }, 'has no pointer named x'],
    [{ shapes: { out: 'rows' }, inout: [], scalars: {} }, 'names rows; the dimensions are n'],
    [{ shapes: { out: 'n,' }, inout: [], scalars: {} }, 'is invalid at'],
    [{ shapes: {}, inout: ['y'], scalars: {} }, 'has no pointer named y'],
  ])('refuses %j', (told, message) => {
    expect(() => bind(gather!, told)).toThrow(message);
  });
});
