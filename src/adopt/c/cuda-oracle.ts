import { isFloating } from '../../model/problem/tensor.ts';
import type { Binding, BoundTensor } from './bind.ts';
import { extentsInC } from './formula-in-c.ts';
import {
  callText,
  includeText,
  local,
  integersOf,
  oracleNumbers,
  setupLines,
  type Launch,
  type WrapperSource,
} from './wrapper.ts';

/** Like `oracleText`, on the device. */
export function cudaOracleText(binding: Binding, source: WrapperSource, launch: Launch | undefined): string {
  const { signature, tensors, workspaces } = binding;
  const status = signature.returns.kind === 'status';
  const call = callText(binding, launch, 'const int status = (int)');
  return `// The right answer, for now: ${signature.name} as it was adopted. The file that is included here is a copy, and later
// versions must compute the same. Better is a plain computation in double, which judges the adopted version too.
#include "pawl_kernel.h"

${includeText(source)}

template <typename To, typename From>
static __global__ void pawl_convert(To *to, const From *from, int64_t count) {
  const int64_t step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) to[i] = (To)from[i];
}

static int64_t pawl_count(const pawl_tensor *tensor) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor->rank; axis++) count *= tensor->shape[axis];
  return count;
}

// An oracle's tensors are of a wider type. The function gets copies in its own types.
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
${oracleNumbers(binding)}${[...setupLines(source), ...workspaceLines(binding)]
    .map((line) => `  ${line}\n`)
    .join('')}${tensors.map(narrowing).join('')}  cudaDeviceSynchronize();
${call}  cudaDeviceSynchronize();
${tensors.map(widening).join('')}  cudaDeviceSynchronize();
${[...tensors, ...workspaces].map(({ name }) => `  cudaFree(${local(name)});\n`).join('')}  return ${status ? 'status != 0 ? status : ' : ''}(int)cudaGetLastError();
}
`;
}

/** An oracle has no workspace of Pawl's. */
function workspaceLines(binding: Binding): string[] {
  return binding.workspaces.flatMap(({ name, element, count }) => [
    `${element} *${local(name)} = nullptr;`,
    `cudaMalloc(&${local(name)}, (${extentsInC(count, '--workspace', integersOf(binding), local)[0]!}) * sizeof(${element}));`,
  ]);
}

function narrowing({ name, dtype, element }: BoundTensor, at: number): string {
  const own = local(name);
  const count = `pawl_count(&call->tensors[${at}])`;
  return `  ${element} *${own} = nullptr;
  cudaMalloc(&${own}, ${count} * sizeof(${element}));
  pawl_convert<<<1024, 256>>>(${own}, (const ${wideOf(dtype)} *)call->tensors[${at}].data, ${count});
`;
}

function widening({ name, dtype, role }: BoundTensor, at: number): string {
  if (role === 'input') return '';
  return `  pawl_convert<<<1024, 256>>>((${wideOf(dtype)} *)call->tensors[${at}].data, ${local(name)}, pawl_count(&call->tensors[${at}]));
`;
}

/** What an oracle in device memory gets (runner/include/pawl_kernel.h). */
function wideOf(dtype: BoundTensor['dtype']): string {
  if (!isFloating(dtype)) return 'int64_t';
  return dtype === 'f16' || dtype === 'bf16' ? 'float' : 'double';
}
