/** What the compiled code of a GPU kernel says by line without running it: where loops are and what is in them. */
import type { HotInstruction, HotLine, HotLines } from '../../model/profile/hot-lines.ts';
import { linesOf } from '../ncu/ncu-csv.ts';
import { Flow } from './flow.ts';
import type { SourceText } from './hot-lines.ts';
import type { FunctionLines } from './code-lines.ts';
import { liveRegisters } from './live-registers.ts';
import { placesOf } from './places-of.ts';
import type { Sass } from './sass.ts';
import type { SampledInstruction, SourceTable } from './source-page.ts';

/** Reads `nvdisasm -c`: a section per function, `/*00f0*\/ TEXT ;` per instruction, labels as targets of branches. */
export function readDisassembly(text: string): SourceTable[] {
  const tables: { kernel: string; instructions: SampledInstruction[]; labels: Map<string, number> }[] = [];
  let waiting: string[] = [];
  for (const { text: line } of linesOf(text)) {
    const section = /^\s*\.section\s+\.text\.([^,\s]+)/u.exec(line)?.[1];
    const label = /^\s*(\.L_x?_?\w+):/u.exec(line)?.[1];
    const [, at, code] = /^\s*\/\*([0-9a-f]{4,})\*\/\s+(.+?)\s*;/u.exec(line) ?? [];
    const table = tables.at(-1);
    if (section !== undefined) tables.push({ kernel: section, instructions: [], labels: new Map() });
    else if (label !== undefined) waiting.push(label);
    else if (at !== undefined && code !== undefined && table !== undefined) {
      const address = Number.parseInt(at, 16);
      for (const name of waiting) table.labels.set(name, address);
      waiting = [];
      table.instructions.push({ address, text: code, samples: 0, stalls: new Map() });
    }
  }
  return tables
    .filter(({ instructions }) => instructions.length > 0)
    .map(({ kernel, instructions, labels }) => ({
      kernel,
      first: 0,
      instructions: instructions.map((one) => Object.assign(one, { text: resolved(one.text, labels) })),
    }));
}

function resolved(text: string, labels: ReadonlyMap<string, number>): string {
  return text.replaceAll(/`\(([^)]+)\)/gu, (whole, label: string) => {
    const at = labels.get(label);
    return at === undefined ? whole : `0x${at.toString(16)}`;
  });
}

/** Kinds of instructions, the first that fits. */
const KINDS: readonly (readonly [name: string, opcodes: RegExp])[] = [
  ['spill', /^(?:LDL|STL)$/u],
  ['global', /^(?:LDG?|STG?|LDGSTS|UTMALDG|UTMASTG|UBLKCP)$/u],
  ['shared', /^(?:LDS|STS|LDSM|STSM)$/u],
  ['atomic', /^(?:ATOM|RED)[GS]?$/u],
  ['matrix', /^(?:[HIQD]MMA|HGMMA|IGMMA|QGMMA|WARPGROUP)$/u],
  ['fp64', /^D(?:ADD|MUL|FMA|SETP|MNMX)$/u],
  ['special', /^(?:MUFU|I2F|F2I|F2F|FRND)$/u],
  ['barrier', /^(?:BAR|MEMBAR|WARPSYNC|DEPBAR|SYNCS)$/u],
  ['branch', /^(?:BRA|BRX|BSSY|BSYNC|CALL|RET|EXIT|JMP)$/u],
  ['arithmetic', /./u],
];

export function staticLines(
  table: SourceTable,
  lines: FunctionLines | undefined,
  { nameOf, lineOf }: SourceText,
): HotLines {
  const flow = new Flow(table);
  const places = placesOf(table, lines);
  const registers = liveRegisters(flow);
  const depthOf = (index: number): number =>
    flow.loops.filter(([from, to]) => from <= index && index <= to).length;
  const groups = new Map<string, number[]>();
  for (const [index, place] of places.entries()) {
    const key = `${place?.place.file ?? ''}:${place?.place.line ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const share = (count: number): number => (100 * count) / table.instructions.length;
  const instructionOf = (index: number): HotInstruction => ({
    address: `0x${table.instructions[index]!.address.toString(16).padStart(4, '0')}`,
    text: table.instructions[index]!.text,
    share_pct: share(1),
    samples: 0,
    stalls: {},
    registers: registers[index]!,
  });
  const lineOfGroup = (members: readonly number[]): HotLine => {
    const located = places[members[0]!];
    const { file, line } = located?.place ?? { file: '', line: 0 };
    const callers = located?.callers ?? [];
    const source = lineOf(file, line);
    return {
      file: nameOf(file),
      line,
      ...(source === undefined ? {} : { source }),
      share_pct: share(members.length),
      samples: 0,
      stalls: {},
      registers: Math.max(...members.map((index) => registers[index]!)),
      loop_depth: Math.max(...members.map(depthOf)),
      mix: mixOf(members.map((index) => flow.code[index]!)),
      ...(callers.length === 0
        ? {}
        : { inlined_into: callers.map((one) => ({ file: nameOf(one.file), line: one.line })) }),
      instructions: members.map(instructionOf),
    };
  };
  const found = [...groups.values()].map(lineOfGroup);
  const unknown = found.find(({ line }) => line === 0)?.share_pct ?? 0;
  return {
    kernel: table.kernel,
    basis: 'static',
    samples: 0,
    located_pct: Math.min(100, Math.max(0, 100 - unknown)),
    lines: found.toSorted(
      (one, other) =>
        (other.loop_depth ?? 0) - (one.loop_depth ?? 0) ||
        other.share_pct - one.share_pct ||
        one.line - other.line,
    ),
  };
}

/** By kind, accesses with their width: `global 128`. */
function mixOf(code: readonly Sass[]): Record<string, number> {
  const mix: Record<string, number> = {};
  for (const { opcode, modifiers } of code) {
    const kind = KINDS.find(([, opcodes]) => opcodes.test(opcode))![0];
    const isAccess = kind === 'spill' || kind === 'global' || kind === 'shared';
    const width =
      modifiers.find((one) => /^(?:[US]?8|[US]?16|64|128)$/u.test(one))?.replace(/^[US]/u, '') ?? '32';
    const name = isAccess ? `${kind} ${width}` : kind;
    mix[name] = (mix[name] ?? 0) + 1;
  }
  return mix;
}
