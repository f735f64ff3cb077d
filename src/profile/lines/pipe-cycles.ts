/** How long the units of a multiprocessor are busy with an instruction of a warp, at the least. */
import type { SassPipe } from '../../model/profile/hot-lines.ts';
import { tensorOperationsPerClock } from '../../correctness/peak-rates.ts';
import { SM_PARTS, WARP_SIZE } from '../../device/compute-capability.ts';
import type { Sass } from './sass.ts';

/** Threads served per clock and multiprocessor. */
interface PipeRates {
  readonly fp32: number;
  readonly fp64: number;
  /** Instructions on two halves. */
  readonly fp16: number;
  readonly integer: number;
  readonly special: number;
  readonly convert: number;
  readonly memory: number;
}

/**
 * Results per clock cycle and multiprocessor (CUDA C++ Programming Guide, "Throughput of Native Arithmetic
 * Instructions"). Where a later chip may do more than the table says, the higher figure stands here: what follows is the
 * least time. Loads and stores: one instruction of a warp per clock, which no chip exceeds.
 */
const RATES: Readonly<Record<string, PipeRates>> = {
  '7.0': rates({ fp32: 64, fp64: 32, fp16: 64, integer: 64, convert: 16 }),
  '7.5': rates({ fp32: 64, fp64: 2, fp16: 64, integer: 64, convert: 16 }),
  '8.0': rates({ fp32: 64, fp64: 32, fp16: 128, integer: 64, convert: 16 }),
  '8.6': rates({ fp32: 128, fp64: 2, fp16: 128, integer: 64, convert: 64 }),
  '8.7': rates({ fp32: 128, fp64: 2, fp16: 128, integer: 64, convert: 64 }),
  '8.9': rates({ fp32: 128, fp64: 2, fp16: 128, integer: 64, convert: 64 }),
  '9.0': rates({ fp32: 128, fp64: 64, fp16: 128, integer: 64, convert: 64 }),
  '10.0': rates({ fp32: 128, fp64: 64, fp16: 128, integer: 128, convert: 64 }),
  '12.0': rates({ fp32: 128, fp64: 2, fp16: 128, integer: 128, convert: 64 }),
};

function rates(own: Omit<PipeRates, 'special' | 'memory'>): PipeRates {
  return { ...own, special: 16, memory: WARP_SIZE };
}

const FP32 = /^(?:FFMA|FADD|FMUL|FFMA32I|FADD32I|FMUL32I|IMAD|IMUL)$/u;
const FP64 = /^D(?:ADD|MUL|FMA|SETP|MNMX)$/u;
const FP16 = /^H(?:ADD2|MUL2|FMA2)$/u;
/** Of what is certain to run on the integer unit alone. */
const INTEGER = /^(?:IADD3|LOP3|SHF|ISETP|LEA|PRMT|IMNMX|FSETP|FMNMX|SEL)$/u;
const CONVERT = /^(?:I2F|F2I|F2F|FRND)$/u;
const MEMORY =
  /^(?:LDG?|LDS|LDL|STG?|STS|STL|LDSM|STSM|LDGSTS|ATOM[GS]?|RED[GS]?|SHFL|TEX|TLD4?|SULD|SUST)$/u;
const MATRIX = /^(?:HMMA|HGMMA|IMMA|IGMMA|QMMA|QGMMA|BGMMA|DMMA|UTC\w*MMA|OMMA)$/u;

export class PipeTimes {
  readonly #rates: PipeRates;
  /** Of 16-bit types. */
  readonly #tensor: number | undefined;

  private constructor(capability: string, known: PipeRates) {
    this.#rates = known;
    this.#tensor = tensorOperationsPerClock(capability);
  }

  /** `version`: `9.0`; undefined for a chip that is not known. */
  static of(version: string | undefined): PipeTimes | undefined {
    if (version === undefined || !Object.hasOwn(RATES, version)) return undefined;
    return new PipeTimes(version, RATES[version]!);
  }

  /** Floating-point operations per clock and multiprocessor, at most. */
  peakOf(unit: 'fp32' | 'fp64' | 'fp16' | 'tensor'): number | undefined {
    if (unit === 'tensor') return this.#tensor;
    return this.#rates[unit] * (unit === 'fp16' ? 4 : 2);
  }

  /** Clocks of the multiprocessor by unit; an instruction that only may run only has to be issued. */
  cyclesOf({ opcode, modifiers, isGuarded }: Sass): Partial<Record<SassPipe, number>> {
    const issue = 1 / SM_PARTS;
    const unit = isGuarded ? undefined : this.#unitOf(opcode);
    if (unit === undefined) return { issue };
    if (unit === 'tensor') {
      const operations = matrixOperations(opcode, modifiers);
      const rate = this.#tensor && this.#tensor * narrowFactor(opcode);
      return operations === undefined || rate === undefined
        ? { issue }
        : { issue, tensor: operations / rate };
    }
    return { issue, [unit]: WARP_SIZE / this.#rates[unit] };
  }

  #unitOf(opcode: string): Exclude<SassPipe, 'issue'> | undefined {
    if (FP32.test(opcode)) return 'fp32';
    if (INTEGER.test(opcode)) return 'integer';
    if (MEMORY.test(opcode)) return 'memory';
    if (FP64.test(opcode)) return 'fp64';
    if (FP16.test(opcode)) return 'fp16';
    if (CONVERT.test(opcode)) return 'convert';
    if (MATRIX.test(opcode)) return 'tensor';
    return opcode === 'MUFU' ? 'special' : undefined;
  }
}

/** At most this many times as fast as 16-bit types: 8-bit ones twice, and packed 4-bit ones four times. */
function narrowFactor(opcode: string): number {
  return /^(?:IMMA|IGMMA|QMMA|QGMMA|OMMA)$/u.test(opcode) ? 4 : 1;
}

/** What floating-point operations a warp's instruction does, at most, and where; undefined: not known. */
export function operationsOf({
  opcode,
  modifiers,
}: Sass): { readonly unit: 'fp32' | 'fp64' | 'fp16' | 'tensor'; readonly count: number } | undefined {
  if (MATRIX.test(opcode)) {
    return { unit: 'tensor', count: matrixOperations(opcode, modifiers) ?? Number.NaN };
  }
  if (/^D(?:ADD|MUL|FMA|SETP|MNMX)$/u.test(opcode))
    return { unit: 'fp64', count: WARP_SIZE * (opcode === 'DFMA' ? 2 : 1) };
  if (/^H(?:ADD2|MUL2|FMA2|MNMX2|SET2|SETP2)$/u.test(opcode))
    return { unit: 'fp16', count: WARP_SIZE * (opcode === 'HFMA2' ? 4 : 2) };
  // Two at once, from Blackwell on.
  const packed = /^F(?:FMA|ADD|MUL)2$/u.test(opcode) ? 2 : 1;
  if (opcode.startsWith('FFMA')) return { unit: 'fp32', count: 2 * packed * WARP_SIZE };
  // Comparisons and special functions count, so that the least time is not too long for problems that count them.
  if (/^(?:F(?:ADD|MUL|SET|SETP|MNMX|MNMX3|SEL|CHK|RND)|MUFU|I2F|I2FP|F2I|F2F|F2FP)/u.test(opcode))
    return { unit: 'fp32', count: packed * WARP_SIZE };
  return undefined;
}

/** From the shape in its name: `HMMA.16816.F32`, `HGMMA.64x128x16.F32`; the four warps of a group share the latter. */
function matrixOperations(opcode: string, modifiers: readonly string[]): number | undefined {
  const group = modifiers.map((one) => /^(\d+)x(\d+)x(\d+)$/u.exec(one)).find((one) => one !== null);
  if (group !== undefined && /^[HIQB]GMMA$/u.test(opcode))
    return (2 * Number(group[1]) * Number(group[2]) * Number(group[3])) / 4;
  const shape = modifiers.find((one) => Object.hasOwn(SHAPES, one));
  return shape !== undefined && /^[HIQD]MMA$/u.test(opcode) ? 2 * SHAPES[shape]! : undefined;
}

/** Multiply-adds of one warp's instruction: m, n and k without signs between them. */
const SHAPES: Readonly<Record<string, number>> = {
  // Of doubles; Volta's, of halves, is a part of a product.
  '8x8x4': 8 * 8 * 4,
  '1684': 16 * 8 * 4,
  '1688': 16 * 8 * 8,
  '16816': 16 * 8 * 16,
  '16832': 16 * 8 * 32,
  '16864': 16 * 8 * 64,
  '8816': 8 * 8 * 16,
  '8832': 8 * 8 * 32,
};
