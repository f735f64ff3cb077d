/** What an instruction of a GPU reads and writes, from its text: as much as is needed to say what a warp waits for. */

/** How long a result takes: known to the compiler, or signalled by a scoreboard. */
export type Latency = 'fixed' | 'short' | 'long';

export interface Sass {
  /** `LDG`, without modifiers. */
  readonly opcode: string;
  readonly modifiers: readonly string[];
  readonly latency: Latency;
  /** Registers as `R4`, `UR2`, `P0`. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** It runs only where a predicate holds. */
  readonly isGuarded: boolean;
  /** Where a branch leads, if it says so. */
  readonly target: number | undefined;
}

/** Results through the memory hierarchy (ncu: long scoreboard is on L1TEX). */
const LONG =
  /^(?:LDG|LD|LDL|ATOMG?|TEX|TLD|TLD4|TXQ|SULD|SUATOM|LDGSTS|LDGDEPBAR|CCTL|QSPC|UTMALDG|UBLKCP)$/u;
/** Results through shared memory, special functions and other units of variable latency. */
const SHORT =
  /^(?:LDS|LDSM|LDC|LDCU|ATOMS|SHFL|MUFU|S2R|S2UR|CS2R|I2F|F2I|F2F|I2FP|F2FP|FRND|POPC|FLO|BREV|VOTEU?|R2UR|REDUX|CREDUX|MATCH|BMOV|D[A-Z]+|QMMA|HMMA|IMMA|DMMA|SYNCS|MOVM|ISBERD|AL2P|GETLMEMBASE|NANOTRAP|B2R|R2B|BAR|WARPSYNC|ELECT)$/u;
const SILENT =
  /^(?:ST[GSL]?|STSM|RED|REDG|REDS|SUST|SURED|BAR|BRA|BRX|JMP|JMX|EXIT|RET|CALL|MEMBAR|ERRBAR|DEPBAR|LDGDEPBAR|NANOSLEEP|CCTL|CCTLL|WARPSYNC|BSYNC|BSSY|BREAK|YIELD|NOP|BPT|KILL|LDGSTS|UTMALDG|UTMASTG|UTMACMDFLUSH|UBLKCP|FENCE|WARPGROUP|SYNCS|ARRIVES|ENDCOLLECTIVE|ACQBULK|PREEXIT)$/u;

const GUARD = /^\s*@!?U?P[T\d]+\s+/u;
const REGISTER = /\bU?R\d+(?:\.(?:64|U32|reuse|H0_H0|H1_H1|X\d+))*|\bU?P\d\b/gu;

export function readSass(text: string): Sass {
  const guard = /^\s*@!?(U?P\d+)/u.exec(text)?.[1];
  const plain = text.replace(GUARD, '').replace(/;\s*$/u, '').trim();
  const [head = '', ...rest] = plain.split(/\s+/u);
  const [opcode = '', ...modifiers] = head.split('.');
  const operands = splitOperands(rest.join(' '));
  const latency = LONG.test(opcode) ? 'long' : SHORT.test(opcode) ? 'short' : 'fixed';
  const writesNothing = SILENT.test(opcode);
  const width = widthOf(opcode, modifiers);
  const writes = writesNothing ? [] : writtenBy(operands, width.result);
  const read = operands.slice(writesNothing ? 0 : writtenOperands(operands));
  return {
    opcode,
    modifiers,
    latency,
    writes,
    reads: [
      ...(guard === undefined ? [] : [guard]),
      ...read.flatMap((operand) => registersIn(operand, width.operand)),
    ],
    isGuarded: guard !== undefined,
    target: targetOf(opcode, operands),
  };
}

function splitOperands(text: string): string[] {
  return text
    .split(/,(?![^[]*\])/u)
    .map((operand) => operand.trim())
    .filter((operand) => operand !== '');
}

/** How many registers a result and an operand take. */
function widthOf(
  opcode: string,
  modifiers: readonly string[],
): { readonly result: number; readonly operand: number } {
  const has = (modifier: string): boolean => modifiers.includes(modifier);
  const memory = has('128') ? 4 : has('64') ? 2 : 1;
  if (/^(?:LD|LDG|LDL|LDS|LDC|ATOMG?|ATOMS|TEX)$/u.test(opcode)) return { result: memory, operand: 1 };
  if (/^(?:ST|STG|STL|STS|RED|REDG)$/u.test(opcode)) return { result: 0, operand: memory };
  if (opcode === 'LDSM' || opcode === 'MOVM') return { result: has('4') ? 4 : has('2') ? 2 : 1, operand: 1 };
  if (/^D(?:ADD|MUL|FMA|MNMX|SETP)$/u.test(opcode)) return { result: 2, operand: 2 };
  if (/^[HIQ]MMA$/u.test(opcode)) return { result: 4, operand: 4 };
  if (opcode === 'DMMA') return { result: 4, operand: 2 };
  if (has('WIDE') || has('F64')) return { result: 2, operand: 2 };
  return { result: memory, operand: 1 };
}

/** A result may come with predicates before or after it: `ISETP.GE.AND P0, PT, R0, …`, `SHFL.IDX PT, R3, R2, …`. */
function writtenOperands(operands: readonly string[]): number {
  if (/^U?P[T\d]$/u.test(operands[0] ?? '')) return /^U?(?:P[T\d]|R\d+|RZ)$/u.test(operands[1] ?? '') ? 2 : 1;
  return /^U?P[T\d]$/u.test(operands[1] ?? '') ? 2 : 1;
}

function writtenBy(operands: readonly string[], width: number): string[] {
  return operands.slice(0, writtenOperands(operands)).flatMap((operand) => registersIn(operand, width));
}

function registersIn(operand: string, width: number): string[] {
  return [...operand.matchAll(REGISTER)].flatMap(([found]) => {
    const [name = found] = found.split('.');
    const number = /^(U?R)(\d+)$/u.exec(name);
    if (number === null) return [name];
    const [, kind = '', first = ''] = number;
    const isAddress = operand.includes('[');
    const count = found.includes('.64') ? 2 : isAddress ? 1 : width;
    return Array.from({ length: Math.max(1, count) }, (_, index) => `${kind}${Number(first) + index}`);
  });
}

function targetOf(opcode: string, operands: readonly string[]): number | undefined {
  if (!/^(?:BRA|CALL|JMP|BSSY)$/u.test(opcode)) return undefined;
  const last = operands.findLast((operand) => /^0x[0-9a-f]+$/iu.test(operand));
  return last === undefined ? undefined : Number(last);
}
