import type { Argument, Binding, BoundTensor } from './bind.ts';
import { extentsInC } from './formula-in-c.ts';

export interface WrapperSource {
  /** How the source is included from the wrapper's folder. */
  readonly include: string;
  /** The file as the command named it. */
  readonly named: string;
  readonly definesMain: boolean;
  /** A function of the source that is called once, before the first call. */
  readonly setup?: string | undefined;
}

/** How a `__global__` function is launched: expressions in C over the dimensions. */
export interface Launch {
  readonly grid: readonly string[];
  readonly block: readonly string[];
  readonly shared: string;
}

/** The file that calls the adopted function with what Pawl hands over. C and C++ alike. */
export function wrapperText(binding: Binding, source: WrapperSource, launch?: Launch): string {
  const { signature, tensors, dims, tunables } = binding;
  const isCuda = /\.cuh?$/u.test(source.include);
  const lines = [
    ...tensors.map((tensor, at) => tensorLine(tensor, at)),
    ...dims.map((name, at) => `const int64_t ${local(name)} = call->dims[${at}].value;`),
    ...tunables.map(({ name, macro }) => `const int64_t ${local(name)} = ${macro};`),
    ...binding.workspaces.map(({ name, element }, at) => {
      const before = workspaceSizes(binding).slice(0, at);
      return `${element} *${local(name)} = (${element} *)((char *)call->workspace${before.map((size) => ` + ${size}`).join('')});`;
    }),
    ...setupLines(source),
  ];
  // A status of CUDA is returned by the call itself.
  const end =
    signature.returns.kind === 'status' ? '' : `  return ${isCuda ? '(int)cudaGetLastError()' : '0'};\n`;
  return `// Written by \`pawl adopt\` from ${source.named}: calls ${signature.name} with what pawl.yaml says, in its order.
#include "pawl_kernel.h"

${includeText(source)}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
${lines.map((line) => `  ${line}\n`).join('')}${callText(binding, launch)}${end}}
${workspaceText(binding)}${isCuda ? ERROR_TEXT : ''}`;
}

const ERROR_TEXT = `
PAWL_EXPORT const char *pawl_error_text(int code) { return cudaGetErrorString((cudaError_t)code); }
`;

/** A program's own \`main\` stays out of the way. */
export function includeText({
  include,
  definesMain,
}: Pick<WrapperSource, 'include' | 'definesMain'>): string {
  if (!definesMain) return `#include "${include}"`;
  return `#define main main_of_the_program\n#include "${include}"\n#undef main`;
}

function tensorLine({ name, isConst, element }: BoundTensor, at: number): string {
  const type = isConst ? `const ${element}` : element;
  return `${type} *${local(name)} = (${type} *)call->tensors[${at}].data;`;
}

/**
 * The call itself. What it returns goes to its tensor, or is a status of CUDA.
 *
 * @param takesStatus what stands before a call that returns a status
 */
export function callText(binding: Binding, launch?: Launch, takesStatus = 'return (int)'): string {
  const { signature, result, tensors } = binding;
  const configuration =
    launch === undefined
      ? ''
      : `<<<${dim3(launch.grid)}, ${dim3(launch.block)}, ${launch.shared}, (cudaStream_t)call->stream>>>`;
  const passed = binding.arguments.map((argument) => argumentText(argument, binding)).join(', ');
  const call = `${signature.name}${configuration}(${passed})`;
  if (result !== undefined) return `  ${local(tensors[result]!.name)}[0] = ${call};\n`;
  return signature.returns.kind === 'status' ? `  ${takesStatus}${call};\n` : `  ${call};\n`;
}

function argumentText(argument: Argument, { tensors, dims, scalars, tunables, workspaces }: Binding): string {
  if (argument.kind === 'stream') return '(cudaStream_t)call->stream';
  if (argument.kind === 'scalar') {
    const { element } = scalars[argument.index]!;
    return `(${element})call->scalars[${argument.index}].value`;
  }
  if (argument.kind === 'tunable') return local(tunables[argument.index]!.name);
  if (argument.kind === 'workspace') return local(workspaces[argument.index]!.name);
  return local(argument.kind === 'tensor' ? tensors[argument.index]!.name : dims[argument.index]!);
}

/** What the program's own main sets up is there before the first call. */
export function setupLines({ setup }: WrapperSource): string[] {
  return setup === undefined ? [] : [`static const bool ready = (${setup}(), true);`, '(void)ready;'];
}

/** What formulas of launches and workspaces may name. */
export function integersOf({ dims, tunables }: Pick<Binding, 'dims' | 'tunables'>): string[] {
  return [...dims, ...tunables.map(({ name }) => name)];
}

/** Bytes of each workspace in Pawl's: C over dimensions and tunables, in whole lines of the caches. */
function workspaceSizes(binding: Binding): string[] {
  return binding.workspaces.map(({ element, count }) => {
    const [elements] = extentsInC(count, '--workspace', integersOf(binding), local);
    return `((${elements!}) * sizeof(${element}) + 255) / 256 * 256`;
  });
}

function workspaceText(binding: Binding): string {
  if (binding.workspaces.length === 0) return '';
  const isUsed = (name: string): boolean =>
    binding.workspaces.some(({ count }) => new RegExp(`\\b${name}\\b`, 'u').test(count));
  const used = [
    ...binding.dims.map((name, at) => ({ name, value: `call->dims[${at}].value` })),
    ...binding.tunables.map(({ name, macro }) => ({ name, value: macro })),
  ]
    .filter(({ name }) => isUsed(name))
    .map(({ name, value }) => `  const int64_t ${local(name)} = ${value};\n`);
  return `
PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *call) {
${used.join('')}  return ${workspaceSizes(binding).join(' + ')};
}
`;
}

/** The copy that judges has the default values of tunables, whatever is being tried. */
export function oracleNumbers({ dims, tunables }: Binding): string {
  return [
    ...dims.map((name, at) => `  const int64_t ${local(name)} = call->dims[${at}].value;\n`),
    ...tunables.map(({ name, values }) => `  const int64_t ${local(name)} = ${values[0]};\n`),
  ].join('');
}

function dim3(extents: readonly string[]): string {
  return `dim3(${extents.map((extent) => `(unsigned)(${extent})`).join(', ')})`;
}

/** A variable's name that hides nothing of the wrapper's own. */
export function local(name: string): string {
  return name === 'call' || name === 'i' ? `${name}_` : name;
}
