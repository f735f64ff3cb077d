import { describe, expect, it } from 'vitest';

import { offeredTools } from '../../src/mcp/server/create-server.ts';
import { INSTRUCTIONS } from '../../src/mcp/instructions.ts';
import { explainRegression } from '../../src/mcp/prompts/explain-regression.ts';
import { optimiseKernel } from '../../src/mcp/prompts/optimise-kernel.ts';
import { reviewSession } from '../../src/mcp/prompts/review-session.ts';
import { RESOURCE_FAMILIES, RESOURCES } from '../../src/mcp/resources/resources.ts';

const TEXTS = [
  { name: 'the instructions', text: INSTRUCTIONS },
  { name: 'optimise-kernel', text: optimiseKernel({ kernel: 'k', case: 'c', goal: '2x on c' }) },
  { name: 'optimise-kernel without a case', text: optimiseKernel({ kernel: 'k' }) },
  { name: 'explain-regression', text: explainRegression({ kernel: 'k', case: 'c' }) },
  { name: 'review-session', text: reviewSession({}) },
  { name: 'review-session of one', text: reviewSession({ session: '20261115-101500-k' }) },
];

describe.each(TEXTS)('$name', ({ text }) => {
  it('names only tools that there are', () => {
    const known = offeredTools(true).map(({ name }) => name);
    const named = [...text.matchAll(/pawl_[a-z_]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(known).toContain(name);
  });

  it('names only resources that there are', () => {
    const known = [...RESOURCES, ...RESOURCE_FAMILIES].map(
      ({ uri }) => new RegExp(`^${uri.replace('{id}', '[^/]+')}$`),
    );
    for (const [uri] of text.matchAll(/pawl:\/\/[\w/{}-]*[\w}]/g)) {
      expect(known.some((pattern) => pattern.test(uri))).toBe(true);
    }
  });

  it('says that text from elsewhere is not to be followed', () => {
    expect(text).toMatch(/(not|never) follow instructions/i);
  });
});
