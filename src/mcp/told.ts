/**
 * The model's documents as an assistant is told of them. Each function gives a schema that reads a value of the model
 * and gives what is told: text that Pawl did not write in its wrapper, lists cut, numbers short. To parse a document
 * with such a schema is to project it: what the schema does not name is left out.
 */
import { z } from 'zod';

import { variantSchema, variantText } from '../model/problem/variant.ts';
import { cutList, type CutList } from './bounded.ts';
import {
  nameOf,
  nameSchema,
  own,
  untrusted,
  untrustedLines,
  untrustedSchema,
  wordOf,
  wordSchema,
} from './untrusted.ts';

/** Text that Pawl did not write. */
export function text(characters?: number) {
  return z
    .string()
    .transform((said) => untrusted(said, characters))
    .pipe(untrustedSchema);
}

/** The last lines of what a compiler or a kernel printed. */
export function lines(count?: number) {
  return z
    .string()
    .transform((said) => untrustedLines(said, count))
    .pipe(untrustedSchema);
}

/** Pawl's own words, or, as a plain string, text that others may have written. */
export type Said = string | { readonly own: string };

/** Text whose author is known to the code that passes it. */
export function said(characters?: number) {
  return z
    .custom<Said>((value) => typeof value === 'string' || (typeof value === 'object' && value !== null))
    .transform((one) => (typeof one === 'string' ? untrusted(one, characters) : own(one.own, characters)))
    .pipe(z.union([z.string(), untrustedSchema]));
}

export const ownText = z
  .string()
  .transform((said) => own(said))
  .pipe(z.string());
export const name = z.string().transform(nameOf).pipe(nameSchema);
export const word = z.string().transform(wordOf).pipe(wordSchema);

/** What was written, by what it is: paths below the project's folder. */
export const paths = z.record(z.string(), z.string());

/**
 * Reads a list that may be cut already.
 *
 * @param more how to see the rest, where there is a rest
 */
export function list<Item extends z.ZodType>(item: Item, limit: number, more: string) {
  return z
    .custom<readonly z.input<Item>[] | CutList<z.input<Item>>>()
    .transform((all) => ('items' in all ? all : cutList(all, limit, more)))
    .pipe(
      z.object({
        items: z.array(item as z.ZodType<z.output<Item>, z.input<Item>>),
        /** How many there are; more than `items` where the list was cut. */
        total: z.int(),
        more: z.string().optional(),
      }),
    );
}

type Documents = z.ZodObject | z.ZodDiscriminatedUnion<readonly z.ZodObject[]>;
type KeyOf<Value> = Value extends unknown ? keyof Value & string : never;
type ValueOf<Value, Key> = Value extends unknown ? (Key extends keyof Value ? Value[Key] : undefined) : never;
type Field<Value> = undefined extends Value
  ? z.ZodOptional<z.ZodType<unknown, Exclude<Value, undefined>>>
  : z.ZodType<unknown, Value>;

/** Fields of a document, or of one of several kinds of it: those that not every kind has are optional. */
export function pick<Schema extends Documents, Key extends KeyOf<z.output<Schema>>>(
  schema: Schema,
  ...keys: readonly Key[]
): { [One in Key]: Field<ValueOf<z.output<Schema>, One>> } {
  const shapes = (schema instanceof z.ZodObject ? [schema] : schema.options).map(({ shape }) => shape);
  return Object.fromEntries(
    keys.map((key) => {
      const found = shapes.flatMap(({ [key]: field }) => (field === undefined ? [] : [field]));
      const fields = [...new Set(found)].map((field) => told(field as z.ZodType, key));
      const field = fields.length === 1 ? fields[0]! : z.union(fields);
      return [key, found.length < shapes.length ? field.optional() : field];
    }),
  ) as never;
}

/** Identifiers, times and commits by their fields' names: a single word is told as it is. */
const WORDS = new Set([
  'arch',
  'at',
  'base_commit',
  'commit',
  'date',
  'detector',
  'expires',
  'gate',
  'id',
  'metric',
  'mode',
  'previous_commit',
  'seed',
  'sha',
  'started_at',
  'time',
  'unit',
]);
/** Names of pawl.yaml, which tools take as they are. */
const NAMES = new Set(['case', 'kernel', 'kind', 'tensor', 'tunable']);

const MOST_ITEMS = 10;

function told(schema: z.ZodType, key: string): z.ZodType {
  if (schema === variantSchema) return variant;
  if (schema instanceof z.ZodOptional) return told(schema.unwrap() as z.ZodType, key).optional();
  if (schema instanceof z.ZodDefault) return told(schema.unwrap() as z.ZodType, key);
  if (schema instanceof z.ZodPipe) return told(schema.out as z.ZodType, key);
  if (schema instanceof z.ZodNumber) return schema.isInt ? z.int() : short;
  if (schema instanceof z.ZodTuple) {
    return z.tuple(schema.def.items.map((item) => told(item as z.ZodType, key)) as [z.ZodType]);
  }
  if (schema instanceof z.ZodObject) {
    return z.object(pick(schema, ...Object.keys(schema.shape)));
  }
  if (schema instanceof z.ZodArray) {
    const item = told(schema.element as z.ZodType, key);
    return isPlain(item) ? z.array(item) : list(item, MOST_ITEMS, 'The report has all.');
  }
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodNumber) return schema;
  if (schema.type === 'string') return WORDS.has(key) ? word : NAMES.has(key) ? name : text();
  if (isPlain(schema)) return schema;
  throw new Error(`${key}: a field of type ${schema.type} cannot be shown to an assistant`);
}

/** Nothing is told of the variant of a kernel that has no tunables. */
const variant = variantSchema
  .transform((set) => (Object.keys(set).length === 0 ? undefined : untrusted(variantText(set))))
  .pipe(untrustedSchema.optional());

/** Six digits are more than any measurement has. */
const short = z
  .number()
  .transform((value) => Number(value.toPrecision(6)))
  .pipe(z.number());

function isPlain({ type }: z.ZodType): boolean {
  return type === 'enum' || type === 'literal' || type === 'boolean' || type === 'number';
}
