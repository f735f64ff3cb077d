import { totalsOf } from './choose-axes.ts';
import type { DefinedTensor, Definition } from './definition-file.ts';

/** How an input is made: an expression in Python over the axes, and why it is this one. */
export interface InputRule {
  readonly code: string;
  /** Undefined: plain normal numbers. */
  readonly why?: string;
}

interface Asked {
  readonly definition: Definition;
  readonly name: string;
  readonly tensor: DefinedTensor & { readonly shape: readonly string[] };
  /** `rows, cols`. */
  readonly shape: string;
}

type Rule = (asked: Asked) => InputRule | undefined;

const has = (definition: Definition, axis: string) => axis in definition.axes;

/** Numbers that only make sense together, by what inputs of this kind are called. */
const INTEGER_RULES: readonly Rule[] = [
  ({ definition, name, tensor: { shape } }) => {
    if (!/indptr|cu_seqlens|offsets/u.test(name)) return undefined;
    const total =
      totalsOf(definition).get(name) ?? (has(definition, 'total_q') ? 'total_q' : `8 * (${shape[0]!} - 1)`);
    return {
      code: `offsets(split(${total}, ${shape[0]!} - 1))`,
      why: 'the start of each sequence, and the end of the last',
    };
  },
  ({ definition, name, tensor: { shape } }) =>
    shape.length === 1 && /indices/u.test(name) && has(definition, 'num_pages')
      ? { code: `torch.randperm(num_pages)[:${shape[0]!}]`, why: 'pages in random order, each once' }
      : undefined,
  ({ definition, name, tensor: { shape } }) => {
    const pool = Object.keys(definition.axes).find((axis) => /^(pool_size|\w+_cache_size)$/u.test(axis));
    return /indices/u.test(name) && pool !== undefined
      ? { code: `torch.randperm(${pool})[:${shape[0]!}]`, why: 'one slot per sequence' }
      : undefined;
  },
  ({ name, shape }) =>
    name.endsWith('last_page_len')
      ? { code: `torch.randint(1, page_size + 1, (${shape},))`, why: 'entries of the last page' }
      : undefined,
  ({ definition, name, tensor: { shape } }) =>
    /indices/u.test(name) && shape.length === 2 && has(definition, 'num_pages')
      ? {
          code: `distinct(${shape[0]!}, ${shape[1]!}, num_pages${has(definition, 'page_size') ? ' * page_size' : ''})`,
          why: 'different entries of the cache for each row',
        }
      : undefined,
  ({ name, tensor: { shape } }) =>
    /block_table|page_table/u.test(name)
      ? {
          code: `torch.randperm(num_pages)[:${shape.join(' * ')}].reshape(${shape.join(', ')})`,
          why: 'pages of each sequence, each once',
        }
      : undefined,
  ({ definition, name, shape }) =>
    /seq_?lens?$/u.test(name) && has(definition, 'max_num_pages')
      ? {
          code: `torch.randint(max_num_pages * page_size // 2, max_num_pages * page_size + 1, (${shape},))`,
          why: 'lengths for which the tables have pages',
        }
      : undefined,
  ({ definition, name, shape }) =>
    /positions?|pos_ids/u.test(name) && has(definition, 'max_seq_len')
      ? { code: `torch.randint(0, max_seq_len, (${shape},))`, why: 'positions inside the cache' }
      : undefined,
  ({ definition, name, tensor: { shape, description } }) => {
    const experts = ['num_experts', 'num_local_experts'].find((axis) => has(definition, axis));
    if (!/topk_ids|expert/u.test(name) || experts === undefined || shape.length !== 2) return undefined;
    return /packed/iu.test(description ?? '')
      ? {
          code: `packed_experts(${shape[0]!}, ${shape[1]!}, ${experts})`,
          why: 'distinct experts per token, and their weights',
        }
      : { code: `distinct(${shape[0]!}, ${shape[1]!}, ${experts})`, why: 'distinct experts per token' };
  },
  ({ name, shape, tensor: { dtype } }) =>
    /fp8/u.test(name) && dtype === 'int8'
      ? {
          code: `fp8_with_scales(${shape})`,
          why: '8-bit numbers followed by their scales, as bytes',
        }
      : undefined,
  ({ name, shape }) =>
    name === 'top_k' ? { code: `torch.randint(1, 100, (${shape},))`, why: 'a usual value' } : undefined,
  ({ shape }) => ({
    code: `torch.randint(0, 2, (${shape},))`,
    why: 'its meaning is unknown: 0 and 1 are usually in range',
  }),
];

/** Numbers in 8 bits that have their scales beside them use the range of their type; the scales bring them back. */
const isScaled = ({ inputs }: Definition, name: string) =>
  inputs[name]?.dtype.startsWith('float8') === true && `${name}_scale` in inputs;

/** Weights of many experts, which are made one expert after the other. */
const isOfExperts = (name: string, { shape }: Asked['tensor']) => isWeight(name) && shape.length >= 3;

const isWeight = (name: string) => /weight|proj/u.test(name);

const FLOAT_RULES: readonly Rule[] = [
  ({ name, shape }) =>
    /^probs?$/u.test(name)
      ? { code: `(3 * torch.randn(${shape}, device=device())).softmax(dim=-1)`, why: 'rows add up to 1' }
      : undefined,
  ({ name, shape }) =>
    name === 'top_p' ? { code: `0.1 + 0.5 * torch.rand(${shape})`, why: 'a usual share' } : undefined,
  ({ definition, name, shape }) => {
    const scaled = name.replace(/_scale$/u, '');
    if (scaled === name || !isScaled(definition, scaled)) return undefined;
    const around1 = `0.5 + torch.rand(${shape}, device=device())`;
    return isWeight(scaled)
      ? {
          code: `(${around1}) * ${definition.inputs[scaled]!.shape!.at(-1)!} ** -0.5`,
          why: 'sums of scaled weights stay about 1',
        }
      : { code: around1, why: 'scaled values stay about 1' };
  },
  ({ name, shape }) =>
    /hidden_states_scale|^output\d?_scale/u.test(name)
      ? {
          code: `0.1 + 0.4 * torch.rand(${shape}, device=device())`,
          why: 'scales are positive, and large enough that products with small weights do not vanish',
        }
      : undefined,
  ({ name, shape }) =>
    /scale/u.test(name)
      ? { code: `0.01 + 0.04 * torch.rand(${shape}, device=device())`, why: 'scales are positive' }
      : undefined,
  ({ definition: { op_type }, name, shape, tensor: { description } }) =>
    /negative/iu.test(description ?? '') || (op_type?.startsWith('mamba') === true && name === 'A')
      ? { code: `-0.1 - torch.rand(${shape}, device=device())`, why: 'negative: states decay' }
      : undefined,
  ({ definition: { op_type }, name, shape }) =>
    op_type === 'gdn' && /^[qk]$/u.test(name)
      ? {
          code: `torch.nn.functional.normalize(torch.randn(${shape}, device=device()), dim=-1)`,
          why: 'of length 1, so that states do not grow',
        }
      : undefined,
  ({ definition, name, shape, tensor }) =>
    isWeight(name) && tensor.shape.length >= 2 && !isScaled(definition, name)
      ? {
          code: isOfExperts(name, tensor)
            ? `normal(${shape}, dtype=torch.${tensor.dtype}, factor=${tensor.shape.at(-1)!} ** -0.5)`
            : `torch.randn(${shape}, device=device()) * ${tensor.shape.at(-1)!} ** -0.5`,
          why: 'sums of them stay about 1',
        }
      : undefined,
  ({ name, shape, tensor }) => {
    const is8Bit = tensor.dtype.startsWith('float8');
    return is8Bit && isOfExperts(name, tensor)
      ? { code: `normal(${shape}, dtype=torch.${tensor.dtype}, limit=2)` }
      : { code: `torch.randn(${shape}, device=device())${is8Bit ? '.clamp(-2, 2)' : ''}` };
  },
];

export function inputRule(definition: Definition, name: string, tensor: DefinedTensor): InputRule {
  const shape = tensor.shape ?? [];
  const asked = { definition, name, tensor: { ...tensor, shape }, shape: shape.join(', ') };
  if (tensor.dtype === 'bool') return { code: `torch.rand(${asked.shape}) < 0.5` };
  const rules = /^u?int/u.test(tensor.dtype) ? INTEGER_RULES : FLOAT_RULES;
  for (const rule of rules) {
    const found = rule(asked);
    if (found !== undefined) return found;
  }
  return { code: `torch.randn(${asked.shape})` };
}

/** Numbers beside the tensors: their usual value, as a formula over the axes, and why. */
export function scalarRule(
  { axes }: Definition,
  name: string,
  tensor: DefinedTensor,
): { value: string; why: string } {
  const width = ['head_dim', 'head_size', 'qk_dim', 'head_dim_qk'].find((axis) => axis in axes);
  if (name.endsWith('scale') && 'head_dim_ckv' in axes)
    return { value: String((128 + 64) ** -0.5), why: '1/sqrt(128 + 64), as DeepSeek has it' };
  if (name.endsWith('scale') && width !== undefined)
    return { value: `${width} ** -0.5`, why: `1/sqrt(${width})` };
  if (/eps/u.test(name)) return { value: '1e-6', why: 'usual' };
  if (name === 'routed_scaling_factor') return { value: '2.5', why: 'as DeepSeek has it' };
  if (/^u?int/u.test(tensor.dtype)) return { value: '0', why: 'nothing is known of it' };
  return { value: '1', why: 'nothing is known of it' };
}
