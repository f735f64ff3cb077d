import { toleranceText } from '../../model/correctness/blind-tolerance.ts';
import type { Measurement } from '../../model/measure/samples.ts';
import type { BlindAnswer } from '../../model/correctness/verification.ts';
import type { Draft } from '../draft.ts';

/**
 * The draft with a tolerance that sees for each output whose own is blind, as the check that found it worked it out; it
 * is never wider. Undefined: none is blind, or no tolerance would see.
 */
export function seeingDraft(draft: Draft, measurements: readonly Measurement[]): Draft | undefined {
  const blind = measurements
    .flatMap(({ check }) => check?.blind ?? [])
    .filter(({ atol, rtol }) => atol !== undefined && rtol !== undefined);
  if (blind.length === 0) return undefined;
  const passingAs = (name: string) => blind.filter(({ tensor }) => tensor === name);
  return {
    ...draft,
    tensors: draft.tensors.map((tensor) => {
      const answers = passingAs(tensor.name);
      return answers.length === 0 ? tensor : { ...tensor, tolerance: toleranceText(answers) };
    }),
    assumed: [
      ...draft.assumed,
      ...[...new Set(blind.map(({ tensor }) => tensor))].map((tensor) => ({
        about: 'tolerance' as const,
        text: why(tensor, passingAs(tensor)),
      })),
    ],
  };
}

function why(tensor: string, answers: readonly BlindAnswer[]): string {
  const passing = [...new Set(answers.map(({ answer }) => answer))].join(', ');
  return `the tolerance above lets answers that need no work pass for ${tensor} (${passing}), so ${tensor} has a calibrated one: ${toleranceText(answers)}`;
}
