import { isFloating } from '../../model/problem/tensor.ts';
import type { Binding, BoundTensor } from './bind.ts';
import { callText, includeText, local, oracleNumbers, type WrapperSource } from './wrapper.ts';

/** An oracle that is the adopted function itself, of which \`include\` is a copy. C and C++ alike. */
export function oracleText(binding: Binding, source: WrapperSource): string {
  const { signature, tensors } = binding;
  const narrow = tensors.map((tensor, at) => narrowing(tensor, at));
  const widen = tensors.flatMap((tensor, at) => (tensor.role === 'input' ? [] : [widening(tensor, at)]));
  const free = tensors.map(({ name }) => `free(${local(name)});`);
  return `// The right answer, for now: ${signature.name} as it was adopted. The file that is included here is a copy, and later
// versions must compute the same. Better is a plain computation in double, which judges the adopted version too.
#include "pawl_kernel.h"

#include <stdlib.h>

${includeText(source)}

static int64_t pawl_count(const pawl_tensor *tensor) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < tensor->rank; axis++) count *= tensor->shape[axis];
  return count;
}

// An oracle's tensors are double or int64_t. The function gets copies in its own types.
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
${oracleNumbers(binding)}${narrow.join('')}${callText(binding)}${widen.join('')}${free
    .map((line) => `  ${line}\n`)
    .join('')}  return 0;
}
`;
}

function narrowing({ name, dtype, element }: BoundTensor, at: number): string {
  const own = local(name);
  const count = `pawl_count(&call->tensors[${at}])`;
  return `  ${element} *${own} = (${element} *)malloc(${count} * sizeof(${element}));
  for (int64_t i = 0; i < ${count}; i++) ${own}[i] = (${element})((${wideOf(dtype)} *)call->tensors[${at}].data)[i];
`;
}

function widening({ name, dtype }: BoundTensor, at: number): string {
  return `  for (int64_t i = 0; i < pawl_count(&call->tensors[${at}]); i++) ((${wideOf(dtype)} *)call->tensors[${at}].data)[i] = ${local(name)}[i];
`;
}

function wideOf(dtype: BoundTensor['dtype']): string {
  return !isFloating(dtype) ? 'int64_t' : 'double';
}
