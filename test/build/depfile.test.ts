import { describe, expect, it } from 'vitest';

import { parseDepfile } from '../../src/build/depfile.ts';

describe('parseDepfile', () => {
  it('reads names over several lines, each once', () => {
    expect(parseDepfile('object: a.cpp include/b.h \\\n /usr/include/c.h \\\n  a.cpp\n')).toEqual([
      'a.cpp',
      'include/b.h',
      '/usr/include/c.h',
    ]);
  });

  it('unescapes blanks, hashes and dollars in names', () => {
    expect(parseDepfile('object: my\\ file.h a\\#b.h c$$d.h\n')).toEqual(['my file.h', 'a#b.h', 'c$d.h']);
  });

  it('reads several rules, and rules without anything', () => {
    expect(parseDepfile('object: a.h\nother:\nobject : b.h\n')).toEqual(['a.h', 'b.h']);
    expect(parseDepfile('')).toEqual([]);
  });
});
