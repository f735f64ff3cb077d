/**
 * What a compiled GPU function takes of a multiprocessor, as its cubin says: registers, shared memory, barriers and the
 * largest block it was compiled for. Layout as nvcc 13.0 writes it for sm_75 to sm_120, held against `ptxas -v`.
 */
import { sectionsOf, type Section } from '../../os/elf.ts';
import { readElf } from './elf.ts';

export interface CubinResources {
  readonly registers: number;
  /** Static; dynamic shared memory is chosen at the launch. */
  readonly smem_bytes: number;
  readonly barriers: number;
  /** By `__launch_bounds__` or `__block_size__`, where the source has it. */
  readonly max_threads?: number;
}

/** Attributes of `.nv.info` (names as in `cuobjdump --dump-elf`): EIATTR_… */
const MAX_THREADS = 0x05;
const REGCOUNT = 0x2f;
const NUM_BARRIERS = 0x4c;
/** How an attribute is written: its value in two bytes, or with a length in front. */
const WITH_LENGTH = 0x04;

/** Where this section is, the sizes of shared memory include what the system reserves in every block. */
const RESERVED_SECTION = '.nv.shared.reserved.0';
const RESERVED_BYTES = 1024;

/** By function. Empty for what is not a cubin, and without what is cut short. */
export function cubinResources(cubin: Buffer): ReadonlyMap<string, CubinResources> {
  const found = new Map<string, CubinResources>();
  const elf = readElf(cubin);
  if (elf === undefined) return found;
  const sections = sectionsOf(cubin);
  const named = (name: string): Section | undefined => sections.find((one) => one.name === name);
  const reserved = named(RESERVED_SECTION) === undefined ? 0 : RESERVED_BYTES;
  for (const { attribute, data } of attributesOf(named('.nv.info')?.content)) {
    if (attribute !== REGCOUNT || data.length < 8) continue;
    const name = elf.symbols[data.readUInt32LE(0)]?.name;
    if (name === undefined || name === '') continue;
    const own = [...attributesOf(named(`.nv.info.${name}`)?.content)];
    const bounds = own.find((one) => one.attribute === MAX_THREADS && one.data.length >= 12)?.data;
    const barriers = own.find((one) => one.attribute === NUM_BARRIERS)?.data[0] ?? 0;
    const shared = Number(named(`.nv.shared.${name}`)?.size ?? 0n);
    found.set(name, {
      registers: data.readUInt32LE(4),
      smem_bytes: Math.max(0, shared - reserved),
      barriers,
      ...(bounds === undefined
        ? {}
        : { max_threads: bounds.readUInt32LE(0) * bounds.readUInt32LE(4) * bounds.readUInt32LE(8) }),
    });
  }
  return found;
}

function* attributesOf(bytes: Buffer = Buffer.alloc(0)): Generator<{ attribute: number; data: Buffer }> {
  let at = 0;
  while (at + 4 <= bytes.length) {
    const [format, attribute] = [bytes[at]!, bytes[at + 1]!];
    const length = format === WITH_LENGTH ? bytes.readUInt16LE(at + 2) : 0;
    const end = at + 4 + length;
    if (end > bytes.length) return;
    yield {
      attribute,
      data: format === WITH_LENGTH ? bytes.subarray(at + 4, end) : bytes.subarray(at + 2, at + 4),
    };
    at = end;
  }
}
