import { describe, expect, it } from 'vitest';

import { compilerHint, compilerMessage } from '../../src/build/compiler-message.ts';

describe('compilerMessage', () => {
  it('keeps the first errors and drops warnings, context and counts', () => {
    const log = [
      'In file included from a.cpp:1:',
      'b.h:3:2: warning: #warning careful [-Wcpp]',
      "a.cpp:7:5: error: 'x' was not declared in this scope",
      '    7 |     x = 1;',
      "a.cpp:8:5: error: 'y' was not declared in this scope",
      '2 errors detected in the compilation of "a.cu".',
    ].join('\n');
    expect(compilerMessage(log)).toBe(
      "a.cpp:7:5: error: 'x' was not declared in this scope\na.cpp:8:5: error: 'y' was not declared in this scope",
    );
  });

  it('falls back to the last words where nothing looks like an error', () => {
    expect(compilerMessage('one\ntwo\nthree\nfour\n')).toBe('two\nthree\nfour');
  });

  it.each([
    ["nvcc fatal   : Unsupported gpu architecture 'compute_20'", 'arch'],
    ['a.cpp:1:10: fatal error: missing.h: No such file or directory', 'include_dirs'],
    ["a.cpp:(.text+0x5): undefined reference to `cblas_sgemm'", 'links'],
    ['g++: fatal error: Killed signal terminated program cc1plus', 'memory'],
  ])('has a remedy for %s', (message, word) => {
    expect(compilerHint(compilerMessage(message))).toContain(word);
  });

  it('has no remedy for a plain mistake in the source', () => {
    expect(compilerHint("a.cpp:7:5: error: 'x' was not declared in this scope")).toBeUndefined();
  });
});
