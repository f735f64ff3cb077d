/** Files that hold tensors, written as NumPy and safetensors write them. */

export function npy(
  values: ArrayBufferView,
  shape: readonly number[],
  { descr = '<f4', fortran = false, version = 1 }: NpyOptions = {},
): Buffer {
  const extents = `(${shape.map((extent) => `${extent},`).join(' ')})`;
  const dict = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${extents}, }`;
  const prefix = version === 1 ? 10 : 12;
  // The contents begin at a multiple of 64.
  const header = `${dict.padEnd(Math.ceil((prefix + dict.length + 1) / 64) * 64 - prefix - 1)}\n`;
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length.writeUIntLE(header.length, 0, length.length);
  const magic = Buffer.from(`\u0093NUMPY${String.fromCharCode(version, 0)}`, 'latin1');
  return Buffer.concat([magic, length, Buffer.from(header, 'latin1'), bytesOf(values)]);
}

interface NpyOptions {
  readonly descr?: string;
  readonly fortran?: boolean;
  readonly version?: 1 | 2;
}

export function safetensors(
  tensors: Readonly<Record<string, { dtype: string; shape: readonly number[]; values: ArrayBufferView }>>,
): Buffer {
  let at = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, values }]) => {
    const data_offsets = [at, (at += values.byteLength)];
    return [name, { dtype, shape, data_offsets }] as const;
  });
  const contents = Object.values(tensors).map(({ values }) => bytesOf(values));
  return withHeader(JSON.stringify(Object.fromEntries(entries)), Buffer.concat(contents));
}

/** Any text as the header of a safetensors file. */
export function withHeader(header: string, contents: Buffer, claimed?: bigint): Buffer {
  const text = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(claimed ?? BigInt(text.length));
  return Buffer.concat([length, text, contents]);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
