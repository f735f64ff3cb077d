/** What hot lines need of a file of compiled code beside its sections: symbols, and where it is mapped. */
import { HEADER_BYTES, isElf, MAGIC, sectionsOf, type Section } from '../../os/elf.ts';

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
  readonly sections: readonly Pick<Section, 'name' | 'content'>[];
  readonly symbols: readonly ElfSymbol[];
}

/** NVIDIA CUDA, as registered. */
const EM_CUDA = 190;
const SYMBOL_BYTES = 24;
const SHT_SYMTAB = 2;

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
  if (!isElf(file)) return undefined;
  const sections = sectionsOf(file);
  const symbols = sections.find(({ type }) => type === SHT_SYMTAB);
  return {
    loads: loadsOf(file),
    sections,
    symbols:
      symbols === undefined
        ? []
        : symbolsOf(symbols.content, sections[symbols.link]?.content ?? Buffer.alloc(0)),
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
