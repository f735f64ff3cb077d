import { z } from 'zod';

import { dtypeSchema } from './tensor.ts';
import type { Dtype } from './tensor.ts';

const ONE = `(?:${dtypeSchema.options.join('|')})`;
const NAMED = `[A-Za-z_]\\w*:${ONE}`;

/**
 * Which types a kernel gives to floating tensors instead of the problem's: one for all of them (`bf16`), or by name
 * (`x:bf16,y:bf16`), and the others keep their own. As text, so that two choices are the same where their texts are.
 */
export const dtypeChoiceSchema = z
  .string()
  .regex(
    new RegExp(`^(?:${ONE}|${NAMED}(?:,${NAMED})*)$`),
    'a type, or types by tensor such as x:bf16,y:bf16',
  );
export type DtypeChoice = z.infer<typeof dtypeChoiceSchema>;

/** The text of types by tensor. */
export function dtypeChoice(types: Readonly<Record<string, Dtype>>): DtypeChoice {
  return Object.entries(types)
    .map(([name, dtype]) => `${name}:${dtype}`)
    .toSorted()
    .join(',');
}

/** What is chosen, by tensor; the empty name stands for all. */
export function chosenDtypes(choice: DtypeChoice): ReadonlyMap<string, Dtype> {
  return new Map(
    choice.split(',').map((part) => {
      const [name, dtype] = part.includes(':') ? part.split(':') : ['', part];
      return [name ?? '', dtype as Dtype];
    }),
  );
}
