import { caseValues } from '../config/plan-case.ts';
import type { CasePlan } from '../config/plan-case.ts';
import { dtypeSchema, type Dtype } from '../model/problem/tensor.ts';
import type { TorchOperator } from '../model/reports/torch-export.ts';

/** c10/core/ScalarType.h. */
const SCALAR_TYPES: Readonly<Record<Exclude<Dtype, 'f4e2m1'>, string>> = {
  f64: 'Double',
  f32: 'Float',
  f16: 'Half',
  bf16: 'BFloat16',
  i64: 'Long',
  i32: 'Int',
  i16: 'Short',
  i8: 'Char',
  u8: 'Byte',
  u16: 'UInt16',
  u32: 'UInt32',
  u64: 'UInt64',
  bool: 'Bool',
  f8e4m3: 'Float8_e4m3fn',
  f8e5m2: 'Float8_e5m2',
  c64: 'ComplexFloat',
  c128: 'ComplexDouble',
};

export interface TableRow {
  readonly case: CasePlan;
  /** Its place among the libraries. */
  readonly library: number;
}

/** `table.hpp`: what binding.cpp is compiled with. */
export function tableHeader(
  operator: TorchOperator,
  rows: readonly TableRow[],
  libraries: readonly string[],
): string {
  const { tensors, dims, scalars } = operator;
  const ranks = rows[0]!.case.tensors.map(({ shape }) => shape.length);
  const firsts = ranks.map((_, at) => ranks.slice(0, at).reduce((sum, rank) => sum + rank, 0));
  const total = Math.max(
    1,
    ranks.reduce((sum, rank) => sum + rank, 0),
  );
  const places = tensors.flatMap(({ role }, at) => (role === 'output' ? [] : [at]));
  const isView = (at: number) => rows.some((row) => row.case.tensors[at]!.strides !== undefined);
  const tensorLines = tensors.map(
    ({ name, role, dtype }, at) =>
      `{${quoted(name)}, ${role.toUpperCase()}, ${pawlType(dtype)}, at::ScalarType::${SCALAR_TYPES[dtype as Exclude<Dtype, 'f4e2m1'>]}, ${ranks[at]}, ${firsts[at]}, ${isView(at)}}`,
  );
  const dimLines = dims.map(
    ({ name, tensor, axis }) =>
      `{${quoted(name)}, ${tensor === undefined ? -1 : places[tensor]!}, ${axis ?? 0}}`,
  );
  const scalarLines = scalars.map(({ name, dtype }) => `{${quoted(name)}, ${pawlType(dtype)}}`);
  const rowLines = rows.map(({ case: plan, library }) => {
    const values = caseValues(plan);
    const extents = plan.tensors.flatMap(({ shape }) => shape);
    const strides = plan.tensors.flatMap((tensor) => tensor.strides ?? contiguous(tensor.shape));
    return `{${library}, ${list(dims.map(({ name }) => values[name]!))}, ${list(scalars.map(({ name }) => values[name]!))}, ${list(extents)}, ${list(strides)}}`;
  });
  const shapes = rows
    .slice(0, SHOWN_SHAPES)
    .map(({ case: plan }) =>
      Object.entries(caseValues(plan))
        .map(([name, value]) => `${name}=${value}`)
        .join(','),
    )
    .join('; ');
  const more = rows.length > SHOWN_SHAPES ? ` and ${rows.length - SHOWN_SHAPES} more (dispatch.json)` : '';
  return `// Written by \`pawl export --torch\`: the operator as dispatch.json describes it. Do not edit.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>

#include "pawl_kernel.h"

#define PAWL_NAMESPACE ${operator.namespace}
#define PAWL_NATIVE_NAMESPACE ${operator.namespace}_native

namespace table {

enum Role { INPUT, OUTPUT, INOUT };

struct Tensor {
  const char *name;
  Role role;
  pawl_dtype dtype;
  at::ScalarType type;
  int rank;
  int first;  // of its extents in those of a row
  bool is_view;
};

struct Dim {
  const char *name;
  int tensor;  // that it is an extent of; -1: an argument
  int axis;
};

struct Scalar {
  const char *name;
  pawl_dtype dtype;
};

constexpr const char *NAMESPACE = ${quoted(operator.namespace)};
constexpr const char *NAME = ${quoted(operator.name)};
constexpr const char *DEVICE_NAME = ${quoted(operator.device_name)};
constexpr const char *SHAPES = ${quoted(`${shapes}${more}`)};
constexpr bool CUDA = ${operator.device === 'cuda'};
constexpr int DIM_COUNT = ${dims.length};
constexpr int SCALAR_COUNT = ${scalars.length};
constexpr int ARGUMENT_COUNT = ${operator.arguments.length};
constexpr int FIRST_INPUT = ${places[0]!};

struct Row {
  int library;
  int64_t dims[${Math.max(1, dims.length)}];
  double scalars[${Math.max(1, scalars.length)}];
  int64_t extents[${total}];
  int64_t strides[${total}];
};

constexpr Tensor TENSORS[] = {
${lines(tensorLines)}
};

constexpr Dim DIMS[] = {
${lines(dimLines.length === 0 ? ['{"", -1, 0}'] : dimLines)}
};

constexpr Scalar SCALARS[] = {
${lines(scalarLines.length === 0 ? ['{"", PAWL_F64}'] : scalarLines)}
};

constexpr const char *LIBRARIES[] = {
${lines(libraries.map(quoted))}
};

constexpr Row ROWS[] = {
${lines(rowLines)}
};

}  // namespace table
`;
}

/** In a message. */
const SHOWN_SHAPES = 12;

function pawlType(dtype: Dtype): string {
  return `PAWL_${dtypeSchema.parse(dtype).toUpperCase()}`;
}

function contiguous(shape: readonly number[]): number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, extent) => product * extent, 1));
}

function list(values: readonly number[]): string {
  return `{${values.length === 0 ? 0 : values.join(', ')}}`;
}

function lines(each: readonly string[]): string {
  return each.map((line) => `    ${line},`).join('\n');
}

/** A string literal of C++: JSON's escapes but for those of `\\u`. */
function quoted(text: string): string {
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${bytes.join('')}"`;
}
