import type { Definition } from './definition-file.ts';

/**
 * Samples are drawn at random, so there is no one right output: a function that says whether each could have been
 * drawn. Undefined for definitions that compute.
 */
export function samplingChecker({ op_type, inputs, outputs }: Definition): string | undefined {
  const [output, ...others] = Object.keys(outputs);
  if (op_type !== 'sampling' || output === undefined || others.length > 0 || !('probs' in inputs))
    return undefined;
  const limits = ['top_k', 'top_p'].filter((name) => name in inputs);
  const ofTopK = `        if 0 < int(top_k[row]) < given.numel():
            least = given.topk(int(top_k[row])).values[-1]
            given = torch.where(given >= least, given, torch.zeros_like(given))
            given = given / given.sum()
`;
  const ofTopP = `        # Those before it in the order of probability must not have reached the threshold; rounding is allowed for.
        if given[given > given[token]].sum() > float(top_p[row]) + 1e-4:
            return f"row {row}: token {token} is behind the first that reach {float(top_p[row]):.4g}"
`;
  return `def is_right(${['probs', ...limits, output].join(', ')}):
    """Whether each sample is one that may be drawn. How often each is drawn is not tested."""
    for row in range(probs.shape[0]):
        token = int(${output}[row])
        if not 0 <= token < probs.shape[1]:
            return f"row {row}: there is no token {token}"
        given = probs[row]
${limits.includes('top_k') ? ofTopK : ''}        if given[token] <= 0:
            return f"row {row}: token {token} is not among those that may be drawn"
${limits.includes('top_p') ? ofTopP : ''}    return True
`;
}
