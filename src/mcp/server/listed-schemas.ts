/** Schemas as `tools/list` has them: every client reads that list, and pays for it, before it asks for anything. */
import {
  fromJsonSchema,
  type JsonSchemaType,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What the server checks anyway and a client need not know to fill in a field. */
const UNSAID = new Set(['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems', 'propertyNames']);

/** The same schema; only its description is shorter. */
export function listedInput<Input extends z.ZodObject>(
  schema: Input,
): StandardSchemaWithJSON<z.input<Input>, z.output<Input>> {
  const json = shortened(z.toJSONSchema(schema, { io: 'input' })) as Record<string, unknown>;
  const jsonSchema = { input: () => json, output: () => json };
  return { '~standard': { ...schema['~standard'], jsonSchema } };
}

function shortened(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(shortened);
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => !UNSAID.has(key) && !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, shortened(value)]),
  );
}

/** The fields of a result and their types, and not what is inside of them: that is nine tenths of the whole. */
export function listedOutput(schema: z.ZodObject): StandardSchemaWithJSON {
  const { properties = {}, required } = z.toJSONSchema(schema, { io: 'output' });
  const outlines = Object.entries(properties).map(([key, field]) => [key, outlined(field)]);
  return fromJsonSchema({
    type: 'object',
    properties: Object.fromEntries(outlines),
    required,
  } as JsonSchemaType);
}

/** What a longer list of words means is known when one of them comes. */
const MOST_VALUES = 3;

function outlined(field: z.core.JSONSchema._JSONSchema): object {
  const { type, enum: values } = typeof field === 'object' ? field : {};
  if (values !== undefined && values.length <= MOST_VALUES) return { enum: values };
  return type === undefined ? {} : { type };
}
