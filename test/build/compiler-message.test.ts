import { describe, expect, it } from 'vitest';

import { compilerHint, compilerMessage, resourceHint } from '../../src/build/compiler-message.ts';

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
  ])('has a remedy for %s', (message, word) => {
    expect(compilerHint(compilerMessage(message))).toContain(word);
  });

  it.each([
    ['g++: fatal error: Killed signal terminated program cc1plus', 'memory'],
    ["nvcc error   : 'cicc' died due to signal 9 (Kill signal)", 'memory'],
    ['cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes', 'memory'],
    ['a.cpp:9:1: fatal error: error writing to /tmp/ccX.s: No space left on device', 'disk'],
    ['/usr/bin/ld: final close failed: No space left on device', 'disk'],
  ])('knows what the machine lacks by %s', (message, word) => {
    expect(resourceHint(message)).toContain(word);
  });

  it('blames the source for its own messages about memory, and for a compiler that crashes', () => {
    expect(resourceHint('a.cu:3:1: error: static assertion failed: tile is out of memory')).toBeUndefined();
    expect(
      resourceHint("nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)"),
    ).toBeUndefined();
  });

  it('has no remedy for a plain mistake in the source', () => {
    expect(compilerHint("a.cpp:7:5: error: 'x' was not declared in this scope")).toBeUndefined();
  });
});
