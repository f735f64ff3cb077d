import type { Definition } from './definition-file.ts';

/** An output that is drawn from a distribution that the definition states. */
export interface SamplingDistribution {
  readonly output: string;
  /** The axis along which probabilities lie. */
  readonly outcomes: string;
  /** The oracle: probabilities in the place of draws. */
  readonly text: string;
}

/** What narrows the distribution, by row. */
const LIMITS = ['top_k', 'top_p'];

/**
 * Of definitions that draw one token per row of `probs`, among the likeliest of it. Undefined for those that compute,
 * and for those that draw in another way.
 */
export function samplingDistribution({
  op_type,
  inputs,
  outputs,
}: Definition): SamplingDistribution | undefined {
  const [output, ...others] = Object.entries(outputs);
  if (op_type !== 'sampling' || output === undefined || others.length > 0) return undefined;
  const [name, drawn] = output;
  const [row, outcomes, ...more] = inputs['probs']?.shape ?? [];
  const isPerRow = (shape: readonly string[] | null): boolean => shape?.length === 1 && shape[0] === row;
  if (outcomes === undefined || more.length > 0 || !isPerRow(drawn.shape)) return undefined;
  const limits = Object.entries(inputs).filter(([input]) => input !== 'probs');
  if (!limits.every(([input, { shape }]) => LIMITS.includes(input) && isPerRow(shape))) return undefined;
  const names = limits.map(([input]) => input);
  const ofTopK = `        if 0 < int(top_k[row]) < values.numel():
            values[int(top_k[row]) :] = 0
            values = values / values.sum()
`;
  const ofTopP = `        if float(top_p[row]) <= 0:
            values[1:] = 0
        elif float(top_p[row]) < 1:
            # The first token that reaches the threshold may still be drawn.
            values[values.cumsum(0) - values > float(top_p[row])] = 0
`;
  return {
    output: name,
    outcomes,
    text: `def probabilities(${Object.keys(inputs).join(', ')}):
    """What each token of a row is drawn with, in the place of the draws."""
    drawn_with = torch.zeros_like(probs)
    for row in range(probs.shape[0]):
        values, tokens = probs[row].sort(descending=True)
${names.includes('top_k') ? ofTopK : ''}${names.includes('top_p') ? ofTopP : ''}        drawn_with[row, tokens] = values / values.sum()
    return drawn_with
`,
  };
}
