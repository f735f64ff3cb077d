/**
 * Which line of which file an instruction comes from, as the compiler wrote it into `.debug_line` (-lineinfo): DWARF 2
 * to 4, section 6.2, with NVIDIA's extended opcode 0x90, which says that the rows from here on were inlined, into
 * which row, and from which function (an offset into `.debug_str`).
 */
import type { FunctionLines, Place } from './code-lines.ts';
import { readElf, textAt, type Elf } from './elf.ts';

/** By the name of the kernel's function, as the linker names it. */
export function readLineTable(cubin: Buffer): ReadonlyMap<string, FunctionLines> {
  const elf = readElf(cubin);
  const section = elf?.sections.find(({ name }) => name === '.debug_line');
  if (elf === undefined || section === undefined) return new Map();
  const found = new Map<string, FunctionLines>();
  try {
    readUnits(section.content, elf, found);
  } catch (error) {
    // A program that runs out of its section: what was read before it holds.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** More callers than code has: a damaged table must not go round. */
const MOST_CALLERS = 64;

const STANDARD = {
  copy: 1,
  advance_pc: 2,
  advance_line: 3,
  set_file: 4,
  set_column: 5,
  const_add_pc: 8,
  fixed_advance_pc: 9,
};
const EXTENDED = { end_sequence: 1, set_address: 2, inlined_call: 0x90 };

interface Row {
  readonly address: number;
  readonly file: number;
  readonly line: number;
  /** The row it was inlined into, from 1; 0 where it was not. */
  readonly context: number;
  readonly functionAt: number;
}

function readUnits(bytes: Buffer, elf: Elf, found: Map<string, FunctionLines>): void {
  const relocated = relocationsOf(elf);
  const strings = elf.sections.find(({ name }) => name === '.debug_str')?.content ?? Buffer.alloc(0);
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32LE(at);
    const end = at + 4 + length;
    if (length >= 0xffff_fff0 || end > bytes.length) return;
    readUnit(bytes.subarray(0, end), at + 4, relocated, (name, rows, files) => {
      found.set(name, placesOf(rows, files, strings));
    });
    at = end;
  }
}

type Emit = (name: string, rows: readonly Row[], files: readonly string[]) => void;

function readUnit(bytes: Buffer, from: number, relocated: ReadonlyMap<number, string>, emit: Emit): void {
  const version = bytes.readUInt16LE(from);
  if (version < 2 || version > 4) return;
  const program = from + 6 + bytes.readUInt32LE(from + 2);
  const reader = new Reader(bytes, from + 6);
  const instructionBytes = reader.byte();
  if (version === 4) reader.byte();
  reader.byte();
  const lineBase = reader.signedByte();
  const lineRange = reader.byte();
  const opcodeBase = reader.byte();
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => reader.byte());
  const files = readFiles(reader);
  if (lineRange === 0) return;
  reader.at = program;

  let name: string | undefined;
  let rows: Row[] = [];
  let state = { address: 0, file: 1, line: 1, context: 0, functionAt: 0 };
  while (reader.at < bytes.length) {
    const opcode = reader.byte();
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase;
      state.address += Math.floor(adjusted / lineRange) * instructionBytes;
      state.line += lineBase + (adjusted % lineRange);
      rows.push({ ...state });
    } else if (opcode === 0) {
      const length = reader.unsigned();
      // ptxas pads with empty extended opcodes.
      if (length === 0) continue;
      const next = reader.at + length;
      const extended = reader.byte();
      if (extended === EXTENDED.set_address) {
        name = relocated.get(reader.at) ?? name;
        state.address = Number(reader.bytes.readBigUInt64LE(reader.at));
      } else if (extended === EXTENDED.inlined_call) {
        state.context = reader.unsigned();
        state.functionAt = reader.unsigned();
      } else if (extended === EXTENDED.end_sequence) {
        if (name !== undefined && rows.length > 0) emit(name, rows, files);
        rows = [];
        name = undefined;
        state = { address: 0, file: 1, line: 1, context: 0, functionAt: 0 };
      }
      reader.at = next;
    } else if (opcode === STANDARD.copy) rows.push({ ...state });
    else if (opcode === STANDARD.advance_pc) state.address += reader.unsigned() * instructionBytes;
    else if (opcode === STANDARD.advance_line) state.line += reader.signed();
    else if (opcode === STANDARD.set_file) state.file = reader.unsigned();
    else if (opcode === STANDARD.const_add_pc)
      state.address += Math.floor((255 - opcodeBase) / lineRange) * instructionBytes;
    else if (opcode === STANDARD.fixed_advance_pc && operands[opcode - 1] === 1) {
      state.address += reader.bytes.readUInt16LE(reader.at);
      reader.at += 2;
    } else for (let left = operands[opcode - 1] ?? 0; left > 0; left -= 1) reader.unsigned();
  }
}

/** Folders and files of the header (DWARF 2 to 4, 6.2.4); the first of each has number 1. */
function readFiles(reader: Reader): string[] {
  const folders = [''];
  for (let folder = reader.text(); folder !== ''; folder = reader.text()) folders.push(folder);
  const files = [''];
  for (let file = reader.text(); file !== ''; file = reader.text()) {
    const folder = folders[reader.unsigned()] ?? '';
    reader.unsigned();
    reader.unsigned();
    files.push(file.startsWith('/') || folder === '' ? file : `${folder}/${file}`);
  }
  return files;
}

function placesOf(rows: readonly Row[], files: readonly string[], strings: Buffer): FunctionLines {
  const placeOf = ({ file, line, context, functionAt }: Row): Place => ({
    file: files[file] ?? '',
    line,
    ...(context > 0 ? { function: textAt(strings, functionAt) } : {}),
  });
  const located = rows.map((row) => {
    const callers: Place[] = [];
    for (let { context } = row; context > 0 && callers.length < MOST_CALLERS;) {
      const caller = rows[context - 1];
      if (caller === undefined) break;
      callers.push(placeOf(caller));
      ({ context } = caller);
    }
    return { address: row.address, located: { place: placeOf(row), callers } };
  });
  // Of rows with one address the last holds.
  return located
    .filter(({ address }, index) => located[index + 1]?.address !== address)
    .toSorted((one, other) => one.address - other.address);
}

const RELOCATION_BYTES = 24;

/** The function whose address stands at an offset of `.debug_line`: the linker would write it there. */
function relocationsOf({ sections, symbols }: Elf): ReadonlyMap<number, string> {
  const bytes = sections.find(({ name }) => name === '.rela.debug_line')?.content ?? Buffer.alloc(0);
  const found = new Map<number, string>();
  for (let at = 0; at + RELOCATION_BYTES <= bytes.length; at += RELOCATION_BYTES) {
    const symbol = symbols[bytes.readUInt32LE(at + 12)];
    const section = symbol && sections[symbol.section]?.name;
    if (section?.startsWith('.text.') === true)
      found.set(Number(bytes.readBigUInt64LE(at)), section.slice('.text.'.length));
  }
  return found;
}

class Reader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const value = this.bytes.readUInt8(this.at);
    this.at += 1;
    return value;
  }

  signedByte(): number {
    const value = this.bytes.readInt8(this.at);
    this.at += 1;
    return value;
  }

  text(): string {
    const text = textAt(this.bytes, this.at);
    this.at = this.bytes.indexOf(0, this.at) + 1;
    if (this.at === 0) throw new RangeError('a name has no end');
    return text;
  }

  /** LEB128 (DWARF, 7.6). */
  unsigned(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  signed(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return (byte & 0x40) === 0 ? value : value - scale;
    }
  }
}
