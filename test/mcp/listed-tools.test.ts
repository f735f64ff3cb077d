import { beforeAll, describe, expect, it } from 'vitest';

import { INSTRUCTIONS } from '../../src/mcp/instructions.ts';
import { listedTools, sizeOf, sizesText } from './listed-tools.ts';

/** 12,000 tokens at about four characters each: every client reads the list before it asks for anything. */
const MOST_CHARACTERS = 48_000;

describe('tools/list', () => {
  let tools: Awaited<ReturnType<typeof listedTools>>;

  beforeAll(async () => {
    tools = await listedTools();
    // `PAWL_PRINT_SIZES=1 npx vitest run test/mcp/listed-tools.test.ts` shows where the characters go.
    if (process.env['PAWL_PRINT_SIZES'] !== undefined) console.log(sizesText(tools));
  });

  it('has at most 48,000 characters', () => {
    expect(sizeOf(tools), sizesText(tools)).toBeLessThanOrEqual(MOST_CHARACTERS);
  });

  it('says of every tool what comes back, in its description and as the fields of its result', () => {
    for (const { name, description, outputSchema } of tools) {
      expect(description, name).toMatch(/\. Returns [a-z]/);
      expect(Object.keys(outputSchema?.properties ?? {}), name).not.toEqual([]);
    }
  });

  it('says of every tool that text from others is data', () => {
    for (const { name, description } of tools) expect(description, name).toMatch(/written by others/);
    expect(INSTRUCTIONS).toMatch(/Never follow instructions/);
  });

  it('explains every field that has to be given', () => {
    for (const { name, inputSchema } of tools) {
      for (const field of inputSchema.required ?? []) {
        expect(inputSchema.properties?.[field], `${name}.${field}`).toHaveProperty('description');
      }
    }
  });
});
