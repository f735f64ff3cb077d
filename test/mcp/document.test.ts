import { expect, it } from 'vitest';

import { documentText } from '../../src/mcp/resources/document.ts';

it('keeps lines and indents, and drops what cannot be seen', () => {
  expect(documentText('a:\r\n\t- b\u001b[31m\u202E\u200B\u0000\n')).toBe('a:\n\t- b[31m\n');
});

it('cuts a long document and says so', () => {
  const text = documentText('é'.repeat(1000), 101);
  expect(text.startsWith('é'.repeat(50))).toBe(true);
  expect(text).toMatch(/truncated: 1899 of 2000 bytes/);
  expect(text).not.toContain('\uFFFD');
});
