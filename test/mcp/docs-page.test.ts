import { readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { annotationsOf, offeredTools } from '../../src/mcp/server/create-server.ts';
import { RESOURCE_FAMILIES, RESOURCES } from '../../src/mcp/resources/resources.ts';

describe('docs/mcp.md', () => {
  let page: string;

  beforeAll(async () => {
    page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  });

  it('has exactly the tools that the server lists, in their order, by what they do to the world', () => {
    const listed = [...page.matchAll(/^- \*\*(\w+)\*\*: ((?:`pawl_\w+`(?:, )?)+)$/gm)].map(
      ([, effect, names = '']) => [effect, names.split(', ').map((name) => name.slice(1, -1))],
    );
    const offered = (effect: string) => offeredTools(true).filter((tool) => tool.effect === effect);
    expect(listed.map(([effect]) => effect)).toEqual(['reads', 'works', 'changes']);
    expect(listed).toEqual(
      ['reads', 'works', 'changes'].map((effect) => [effect, offered(effect).map(({ name }) => name)]),
    );
    expect(listed.flatMap(([, names]) => names)).toHaveLength(offeredTools(true).length);
  });

  it('has exactly the resources that the server has', () => {
    const rows = [...page.matchAll(/^- `(pawl:[^`]+)`: ./gm)].map(([, uri]) => uri);
    const all = [...RESOURCES, ...RESOURCE_FAMILIES].map(({ uri }) => uri);
    expect(rows.toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual(all.toSorted((a, b) => (a < b ? -1 : 1)));
  });
});

describe('a tool', () => {
  it.each(offeredTools(true))('$name says in its annotations what it does', (tool) => {
    const { readOnlyHint, destructiveHint, openWorldHint } = annotationsOf(tool);
    expect(readOnlyHint).toBe(tool.effect === 'reads');
    expect(destructiveHint).toBe(tool.effect === 'changes');
    expect(openWorldHint).toBe(false);
    expect(tool.description.length).toBeLessThan(600);
  });

  it('that changes what others rely on is not offered unless that is allowed', () => {
    const names = (allowed: boolean) => offeredTools(allowed).map(({ name }) => name);
    expect(names(true).length - names(false).length).toBe(5);
    expect(offeredTools(false).every(({ effect }) => effect !== 'changes')).toBe(true);
  });
});
