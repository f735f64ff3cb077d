import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { publishedSchemas } from '../../src/workflows/published-schemas.ts';

const FOLDER = new URL('../../docs/schemas/', import.meta.url);

describe('docs/schemas', () => {
  const schemas = publishedSchemas();

  it.each(Object.entries(schemas))(
    'holds %s as the code has it (`make schemas` rewrites it)',
    async (name, schema) => {
      const text = `${JSON.stringify(schema, null, 2)}\n`;
      if (process.env['UPDATE_SCHEMAS'] === '1') {
        await mkdir(FOLDER, { recursive: true });
        await writeFile(new URL(name, FOLDER), text);
      }
      expect(await readFile(new URL(name, FOLDER), 'utf8')).toBe(text);
    },
  );

  it('holds nothing that the code does not publish', async () => {
    expect((await readdir(FOLDER)).sort()).toEqual(Object.keys(schemas).sort());
  });

  it('describes pawl.yaml as it is written: shorthands allowed, defaults left out, unknown keys refused', () => {
    const schema = schemas['pawl-yaml.json'] as {
      required: string[];
      additionalProperties: boolean;
      properties: {
        kernels: {
          additionalProperties: { properties: { tunables: { additionalProperties: { anyOf: unknown[] } } } };
        };
      };
    };
    expect(schema.required).toEqual(['version', 'problems', 'kernels']);
    expect(schema.additionalProperties).toBe(false);
    expect(
      schema.properties.kernels.additionalProperties.properties.tunables.additionalProperties.anyOf,
    ).toHaveLength(2);
  });

  it('asks every request for its id', () => {
    const { anyOf } = schemas['runner-request.json'] as { anyOf: { required: string[] }[] };
    for (const request of anyOf) expect(request.required).toEqual(expect.arrayContaining(['id', 'op']));
    expect(anyOf).toHaveLength(12);
  });
});
