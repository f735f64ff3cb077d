/** As much of ELF as a GPU's compiled code is read with (System V gABI, chapter 4). */

interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly bytes: Buffer;
}

interface ElfSymbol {
  readonly name: string;
  /** The section it lies in, by index. */
  readonly section: number;
  readonly value: number;
}

/** A part of the file that is mapped. */
interface ElfLoad {
  readonly offset: number;
  readonly size: number;
  readonly address: number;
}

export interface Elf {
  readonly loads: readonly ElfLoad[];
  readonly sections: readonly ElfSection[];
  readonly symbols: readonly ElfSymbol[];
}

const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** NVIDIA CUDA, as registered. */
const EM_CUDA = 190;
const HEADER_BYTES = 64;
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;
const SHT_SYMTAB = 2;
const SHT_NOBITS = 8;
/** More sections than any file of ours has: a damaged count must not cost the memory of the machine. */
const MOST_SECTIONS = 100_000;

/** Where in some bytes files of compiled GPU code begin. */
export function cubinsIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(MAGIC); at !== -1; at = bytes.indexOf(MAGIC, at + 1)) {
    if (at + HEADER_BYTES <= bytes.length && bytes.readUInt16LE(at + 18) === EM_CUDA)
      found.push(bytes.subarray(at));
  }
  return found;
}

/** Undefined for what is not a whole 64-bit little-endian ELF file. */
export function readElf(file: Buffer): Elf | undefined {
  try {
    return elfOf(file);
  } catch (error) {
    // An offset that leads out of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function elfOf(file: Buffer): Elf | undefined {
  if (!file.subarray(0, 4).equals(MAGIC) || file[4] !== 2 || file[5] !== 1) return undefined;
  const table = offset(file, 40);
  const count = file.readUInt16LE(60);
  const namesAt = file.readUInt16LE(62);
  if (table === 0 || count === 0 || count > MOST_SECTIONS || table + count * SECTION_BYTES > file.length)
    return undefined;
  const headers = Array.from({ length: count }, (_, index) => {
    const at = table + index * SECTION_BYTES;
    const type = file.readUInt32LE(at + 4);
    const from = offset(file, at + 24);
    const size = type === SHT_NOBITS ? 0 : offset(file, at + 32);
    if (from + size > file.length) throw new RangeError('a section leads out of the file');
    return {
      name: file.readUInt32LE(at),
      type,
      link: file.readUInt32LE(at + 40),
      bytes: file.subarray(from, from + size),
    };
  });
  const names = headers[namesAt]?.bytes;
  if (names === undefined) return undefined;
  const symbols = headers.find(({ type }) => type === SHT_SYMTAB);
  return {
    loads: loadsOf(file),
    sections: headers.map(({ name, type, bytes }) => ({ name: textAt(names, name), type, bytes })),
    symbols:
      symbols === undefined ? [] : symbolsOf(symbols.bytes, headers[symbols.link]?.bytes ?? Buffer.alloc(0)),
  };
}

const PROGRAM_HEADER_BYTES = 56;
const PT_LOAD = 1;

function loadsOf(file: Buffer): ElfLoad[] {
  const table = offset(file, 32);
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => table + index * PROGRAM_HEADER_BYTES)
    .filter((at) => file.readUInt32LE(at) === PT_LOAD)
    .map((at) => ({
      offset: offset(file, at + 8),
      address: offset(file, at + 16),
      size: offset(file, at + 32),
    }));
}

/** The address of what stands at an offset of the file. */
export function addressOfOffset({ loads }: Elf, at: number): number | undefined {
  const load = loads.find((one) => one.offset <= at && at < one.offset + one.size);
  return load && at - load.offset + load.address;
}

function symbolsOf(table: Buffer, names: Buffer): ElfSymbol[] {
  return Array.from({ length: Math.floor(table.length / SYMBOL_BYTES) }, (_, index) => {
    const at = index * SYMBOL_BYTES;
    return {
      name: textAt(names, table.readUInt32LE(at)),
      section: table.readUInt16LE(at + 6),
      value: offset(table, at + 8),
    };
  });
}

/** 64 bits, of which no file of ours needs more than 53. */
function offset(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('an offset is out of any file');
  return Number(value);
}

export function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at);
  return bytes.toString('utf8', at, end === -1 ? bytes.length : end);
}
