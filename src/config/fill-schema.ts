import { z } from 'zod';

import type { Dtype, Fill } from '../model/problem/tensor.ts';
import { ExpressionError } from './expression/expression-error.ts';
import { Expression } from './expression/expression.ts';
import { formulaSchema } from './formula-schema.ts';
import { recordedSchema } from './recorded-schema.ts';
import type { RecordedSetting } from './recorded-schema.ts';
import { integerRange, isPacked } from '../model/problem/tensor.ts';

/** As `fillSchema` of the model, with formulas over the dimensions where that has numbers. */
const fillFormulasSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('normal'),
    mean: formulaSchema.prefault(0),
    std: formulaSchema.prefault(1),
  }),
  z.strictObject({
    kind: z.literal('uniform'),
    low: formulaSchema.prefault(-1),
    high: formulaSchema.prefault(1),
  }),
  z.strictObject({ kind: z.literal('integers'), low: formulaSchema, high: formulaSchema }),
  z.strictObject({ kind: z.literal('constant'), value: formulaSchema }),
  z.strictObject({ kind: z.literal('denormal') }),
  z.strictObject({ kind: z.literal('constant-rows'), std: formulaSchema.prefault(1) }),
  z.strictObject({
    kind: z.literal('spikes'),
    low: formulaSchema.prefault(0),
    high: formulaSchema.prefault(1),
  }),
  z.strictObject({ kind: z.literal('mixed'), scale: formulaSchema.prefault(10) }),
  z.strictObject({
    kind: z.literal('nonfinite'),
    values: z.array(z.enum(['nan', 'inf', '-inf'])).min(1),
    share: z.number().min(0).max(1).default(0.001),
  }),
]);
type DrawnSetting = z.output<typeof fillFormulasSchema>;
export type FillSetting = DrawnSetting | RecordedSetting;

export const fillSettingSchema = z
  .union([z.enum(['normal', 'uniform']), fillFormulasSchema, recordedSchema])
  .transform((fill): FillSetting =>
    typeof fill === 'string' ? fillFormulasSchema.parse({ kind: fill }) : fill,
  )
  .describe(
    'How the input is filled: normal (default), uniform, a mapping such as {kind: integers, low: 0, high: V - 1}, or {file: data/x.npy}.',
  );

/** The fill with every formula computed. */
export function computeFill(
  setting: DrawnSetting,
  compute: (formula: Expression, key: string) => number,
): Fill {
  const entries = Object.entries(setting).map(([key, value]: [string, unknown]) => [
    key,
    value instanceof Expression ? compute(value, key) : value,
  ]);
  return Object.fromEntries(entries) as Fill;
}

/** By key, the formulas of a fill. */
export function fillFormulas(setting: FillSetting): [key: string, formula: Expression][] {
  return Object.entries(setting).flatMap(([key, value]: [string, unknown]) =>
    value instanceof Expression ? [[key, value]] : [],
  );
}

/** Undefined where it depends on dimensions, cannot be computed, or is recorded: a case will tell. */
export function constantFill(setting: FillSetting): Fill | undefined {
  if (setting.kind === 'recorded') return undefined;
  const isConstant = fillFormulas(setting).every(([, { names }]) => names.length === 0);
  if (!isConstant) return undefined;
  try {
    return computeFill(setting, (formula) => formula.evaluateNumber({}));
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

export interface FillFault {
  /** Which number of the fill it is about; absent: the fill as a whole. */
  readonly key?: string;
  readonly message: string;
}

/** Why a tensor of this type cannot be filled like that. */
export function fillFault(fill: Fill, dtype: Dtype): FillFault | undefined {
  if ('std' in fill && fill.std < 0) return { key: 'std', message: `${fill.std} is less than 0` };
  if (fill.kind === 'nonfinite' && isPacked(dtype))
    return { key: 'kind', message: `${dtype} has neither NaN nor infinities` };
  const range = integerRange(dtype);
  if (range !== undefined && fill.kind !== 'integers' && fill.kind !== 'constant') {
    const message = `${fill.kind} is for floating types; ${dtype} takes {kind: integers, low: …, high: …} or a constant`;
    return { message };
  }
  const ends: [key: string, value: number][] =
    fill.kind === 'constant' ? [['value', fill.value]] : 'low' in fill ? Object.entries(endsOf(fill)) : [];
  const odd =
    fill.kind === 'integers' || range !== undefined
      ? ends.find(([, value]) => !Number.isSafeInteger(value))
      : undefined;
  if (odd !== undefined) return { key: odd[0], message: `${odd[1]} is not an integer` };
  if ((fill.kind === 'uniform' || fill.kind === 'integers') && fill.low > fill.high) {
    return { key: 'low', message: `${fill.low} is greater than \`high\`, ${fill.high}` };
  }
  const [low, high] = range ?? [-Infinity, Infinity];
  if (ends.some(([, value]) => value < low || value > high)) {
    return { message: `does not fit ${dtype} (${low} to ${high})` };
  }
  return undefined;
}

function endsOf({ low, high }: { readonly low: number; readonly high: number }): Record<string, number> {
  return { low, high };
}
