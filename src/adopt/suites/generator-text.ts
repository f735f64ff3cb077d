import type { Definition } from './definition-file.ts';
import { inputRule } from './input-rules.ts';
import { toPython } from '../python/python-text.ts';

/**
 * A function that makes a definition's inputs, to be read and changed by people.
 *
 * @param recorded files and keys of recorded tensors, by workload; undefined: there are none
 */
export function generatorText(
  definition: Definition,
  recorded: readonly Readonly<Record<string, readonly [string, string]>>[] | undefined,
): string {
  const { axes, inputs } = definition;
  const tensors = Object.entries(inputs).filter(([, { shape }]) => shape !== null);
  const isCustom = definition.custom_inputs_entrypoint ?? undefined;
  const known = Object.entries(axes).filter(([, axis]) => axis.type !== 'expr');
  const parameters = [...known.map(([name]) => name), ...(recorded === undefined ? [] : ['workload'])];
  const computed = Object.entries(axes).flatMap(([name, axis]) =>
    axis.type === 'expr' ? [`    ${name} = ${axis.expression}\n`] : [],
  );
  const lines = tensors.map(([name, tensor]) => {
    const { code, why } = inputRule(definition, name, tensor);
    const comment = why === undefined ? '' : `        # ${why[0]!.toUpperCase()}${why.slice(1)}.\n`;
    return `${comment}        ${JSON.stringify(name)}: ${code},\n`;
  });
  const needsScales = lines.some((line) => line.includes('fp8_with_scales('));
  const needsPacked = lines.some((line) => line.includes('packed_experts('));
  const helpers = `${needsScales ? FP8_WITH_SCALES : ''}${needsPacked ? PACKED_EXPERTS : ''}`;
  const table =
    recorded === undefined
      ? ''
      : `# Tensors that were recorded, by workload: a file in the format safetensors, and a key in it.
RECORDED = [
${recorded.map((one) => `    ${toPython(one)},\n`).join('')}]


`;
  const custom =
    isCustom === undefined
      ? ''
      : `    # The definition has a function for some of them.
    axes = {${parameters.map((name) => `${JSON.stringify(name)}: ${name}`).join(', ')}}
    made.update(function_in(__file__, "pawl_${definition.name}_reference.py", "${isCustom}")(axes, device()))
`;
  const overlay =
    recorded === undefined
      ? ''
      : `    for name, (path, key) in RECORDED[workload].items():
        made[name] = recorded(__file__, path, key)
`;
  return `${helpers}${table}def make_inputs(${parameters.join(', ')}):
    """Tensors by name. Random numbers come from a seed that Pawl has set."""
${computed.join('')}    made = {
${lines.join('')}    }
${custom}${overlay}    return made
`;
}

const FP8_WITH_SCALES = `def fp8_with_scales(num_pages, page_size, heads, width):
    """For each page the numbers of all its entries, and behind them a scale in 32 bits for each entry."""
    numbers = torch.randn(num_pages, page_size * (width - 4)).clamp(-2, 2).to(torch.float8_e4m3fn).view(torch.int8)
    scales = (0.5 + torch.rand(num_pages, page_size)).view(torch.int8)
    return torch.cat([numbers, scales], dim=1).reshape(num_pages, page_size, heads, width)


`;

const PACKED_EXPERTS = `def packed_experts(tokens, count, experts):
    """The expert in the high 16 bits, its weight as bfloat16 in the low ones."""
    weights = torch.rand(tokens, count, device=device()).softmax(dim=1).to(torch.bfloat16).view(torch.int16)
    return distinct(tokens, count, experts) << 16 | weights.to(torch.int64) & 0xFFFF


`;
