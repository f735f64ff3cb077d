/** As much of ELF as it takes to tell what of a file is code (System V ABI, "Object Files"; 64 bits, little-endian). */

export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: bigint;
  readonly address: bigint;
  readonly align: bigint;
  /** Of a table, the section that it refers to, by index: a symbol table's names. */
  readonly link: number;
  /** Empty where the file holds nothing of it (`.bss`). */
  readonly content: Buffer;
  readonly size: bigint;
}

/** ELF, 64 bits, little-endian. */
export const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const NO_BITS = 8;
export const HEADER_BYTES = 64;
const SECTION_BYTES = 64;
/** It takes part in what is loaded. */
export const ALLOCATED = 2n;

export const isElf = (bytes: Buffer): boolean =>
  bytes.length >= HEADER_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC);

/** Machine, ABI and flags: what the sections are to be read as. */
export const identity = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 0x18), bytes.subarray(0x30, 0x34)]);

/** @throws RangeError where the file is not what its header says */
export function sectionsOf(bytes: Buffer): readonly Section[] {
  const start = Number(bytes.readBigUInt64LE(0x28));
  const entry = bytes.readUInt16LE(0x3a);
  const count = bytes.readUInt16LE(0x3c);
  const names = bytes.readUInt16LE(0x3e);
  if (entry !== SECTION_BYTES || count === 0 || names >= count) throw new RangeError('no table of sections');
  const raw = Array.from({ length: count }, (_, index) => readSection(bytes, start + index * entry));
  const strings = raw[names]!.content;
  return raw.map(({ nameAt, ...section }) => Object.assign(section, { name: textAt(strings, nameAt) }));
}

function readSection(bytes: Buffer, at: number): Omit<Section, 'name'> & { readonly nameAt: number } {
  const type = bytes.readUInt32LE(at + 4);
  const [offset, size] = [bytes.readBigUInt64LE(at + 0x18), bytes.readBigUInt64LE(at + 0x20)];
  const length = type === NO_BITS ? 0 : Number(size);
  if (Number(offset) + length > bytes.length && length > 0)
    throw new RangeError('a section ends after the file');
  return {
    nameAt: bytes.readUInt32LE(at),
    type,
    flags: bytes.readBigUInt64LE(at + 8),
    address: bytes.readBigUInt64LE(at + 0x10),
    align: bytes.readBigUInt64LE(at + 0x30),
    link: bytes.readUInt32LE(at + 0x28),
    content: bytes.subarray(Number(offset), Number(offset) + length),
    size,
  };
}

function textAt(strings: Buffer, at: number): string {
  const end = strings.indexOf(0, at);
  if (at >= strings.length || end === -1) throw new RangeError('a name that does not end');
  return strings.toString('latin1', at, end);
}
