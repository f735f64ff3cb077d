/** Reads ncu's source page (`--page source --csv --print-source sass`): one table per launch, one row per instruction. */
import { linesOf, splitRecord } from '../ncu/ncu-csv.ts';
import { stallReason } from '../../model/profile/stall-reasons.ts';

/** One instruction, as it was sampled and counted. A number that was not collected is not there. */
export interface SampledInstruction {
  /** From the first instruction of the table. */
  readonly address: number;
  readonly text: string;
  readonly samples: number;
  /** Samples by reason. */
  readonly stalls: ReadonlyMap<string, number>;
  readonly executed?: number;
  /** Over all threads that took part, whatever their predicates said. */
  readonly threadsExecuted?: number;
  readonly registers?: number;
  readonly sectors?: number;
  readonly excessSectors?: number;
  readonly wavefronts?: number;
  readonly excessWavefronts?: number;
  readonly localSectors?: number;
  readonly divergentBranches?: number;
}

export interface SourceTable {
  /** As ncu prints it: the function, or with `--print-kernel-base mangled` the linker's name. */
  readonly kernel: string;
  /** Of the first instruction, as branches name it. */
  readonly first: number;
  readonly instructions: readonly SampledInstruction[];
}

export interface SourcePage {
  readonly tables: readonly SourceTable[];
  /** What was not understood, with its line. */
  readonly problems: readonly string[];
}

const DIALECT = { separator: ',', quotesAll: true } as const;

const SAMPLES = ['Warp Stall Sampling (All Samples)', 'Warp Stall Sampling (All Cycles)', '# Samples'];

/** Columns by what is read from them; the first that a table has counts. */
const COLUMNS = {
  executed: ['Instructions Executed'],
  threadsExecuted: ['Thread Instructions Executed'],
  registers: ['Live Registers'],
  sectors: ['L2 Theoretical Sectors Global'],
  excessSectors: ['L2 Theoretical Sectors Global Excessive'],
  wavefronts: ['L1 Wavefronts Shared'],
  excessWavefronts: ['L1 Wavefronts Shared Excessive'],
  localSectors: ['L2 Theoretical Sectors Local'],
  divergentBranches: ['Divergent Branches'],
} as const satisfies Partial<Record<keyof SampledInstruction, readonly string[]>>;

const COUNTS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

interface Columns {
  readonly address: number;
  readonly source: number;
  readonly samples: number | undefined;
  readonly stalls: readonly (readonly [at: number, reason: string])[];
  readonly counts: readonly (readonly [key: keyof typeof COLUMNS, at: number])[];
  readonly width: number;
}

export function readSourcePage(text: string): SourcePage {
  const problems: string[] = [];
  const tables: { kernel: string; first: bigint | undefined; instructions: SampledInstruction[] }[] = [];
  let kernel = '';
  let columns: Columns | undefined;
  for (const { number, text: line } of linesOf(text)) {
    // What ncu says beside the page, and empty lines between tables.
    if (!line.startsWith('"')) continue;
    const record = splitRecord(line, DIALECT);
    if (record.state !== 'whole') {
      problems.push(`line ${number} of the source page is incomplete`);
      continue;
    }
    const { fields } = record;
    if (fields[0] === 'Kernel Name' || fields[0] === 'Function Name') {
      kernel = fields[1] ?? '';
      columns = undefined;
    } else if (fields.includes('Address') && fields.includes('Source')) {
      columns = columnsOf(fields);
      tables.push({ kernel, first: undefined, instructions: [] });
    } else if (columns !== undefined) {
      const table = tables.at(-1);
      const address = addressIn(fields[columns.address]);
      if (table === undefined || address === undefined) continue;
      table.first ??= address;
      const instruction = instructionOf(fields, columns, Number(address - table.first));
      if (instruction === undefined) problems.push(`line ${number} of the source page has an invalid number`);
      else table.instructions.push(instruction);
    }
  }
  return {
    tables: tables
      .filter(({ instructions }) => instructions.length > 0)
      .map(({ kernel: name, first = 0n, instructions }) => ({
        kernel: name,
        first: Number(first),
        instructions,
      })),
    problems,
  };
}

function columnsOf(header: readonly string[]): Columns {
  const at = (names: readonly string[]): number | undefined => {
    const found = names.map((name) => header.indexOf(name)).find((index) => index >= 0);
    return found;
  };
  const counts = COUNTS.flatMap((key) => {
    const index = at(COLUMNS[key]);
    return index === undefined ? [] : [[key, index] as const];
  });
  return {
    address: header.indexOf('Address'),
    // Beside CUDA's source, the instruction is the second column of that name.
    source: header.lastIndexOf('Source'),
    samples: at(SAMPLES),
    stalls: header.flatMap((name, index) =>
      /^stall_\w+$/u.test(name) && header.indexOf(name) === index
        ? [[index, stallReason(name)] as const]
        : [],
    ),
    counts,
    width: header.length,
  };
}

function addressIn(field: string | undefined): bigint | undefined {
  if (field === undefined || field === '') return undefined;
  if (/^0x[0-9a-f]{1,16}$/iu.test(field)) return BigInt(field);
  return /^[0-9a-f]{1,16}$/iu.test(field) ? BigInt(`0x${field}`) : undefined;
}

function instructionOf(
  fields: readonly string[],
  columns: Columns,
  address: number,
): SampledInstruction | undefined {
  let isSound = address >= 0 && Number.isSafeInteger(address);
  const numberAt = (index: number | undefined): number | undefined => {
    const field = index === undefined ? '' : (fields[index] ?? '').replaceAll(',', '');
    if (field === '' || field === '-' || field === 'n/a') return undefined;
    const value = Number(field);
    if (!Number.isFinite(value) || value < 0) isSound = false;
    return value;
  };
  const stalls = new Map<string, number>();
  for (const [index, reason] of columns.stalls) {
    const samples = numberAt(index) ?? 0;
    if (samples > 0) stalls.set(reason, (stalls.get(reason) ?? 0) + samples);
  }
  const counts = columns.counts.flatMap(([key, index]) => {
    const value = numberAt(index);
    return value === undefined ? [] : [[key, value] as const];
  });
  const samples = numberAt(columns.samples) ?? 0;
  if (!isSound) return undefined;
  return {
    address,
    text: (fields[columns.source] ?? '').trim(),
    samples,
    stalls,
    ...Object.fromEntries(counts),
  };
}
