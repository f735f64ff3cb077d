import type { NcuHeader } from './ncu-header.ts';

export type Dim3 = readonly [number, number, number];

/** Which launch a row is about. */
export interface LaunchIdentity {
  readonly process: string | undefined;
  readonly id: string | undefined;
  readonly name: string;
  readonly grid: Dim3 | undefined;
  readonly block: Dim3 | undefined;
  readonly device: string | undefined;
  readonly computeCapability: string | undefined;
}

const NOT_SAID = new Set(['', 'n/a']);

/** Reads a row's identity; a string says why the row cannot be one of this table. */
export function identityOf(fields: readonly string[], { columns }: NcuHeader): LaunchIdentity | string {
  const field = (name: string): string | undefined => {
    const column = columns.get(name);
    const text = column === undefined ? undefined : fields[column]?.trim();
    return text === undefined || NOT_SAID.has(text) ? undefined : text;
  };
  const name = field('Kernel Name');
  if (name === undefined) return 'names no kernel';
  const id = field('ID');
  if (columns.has('ID') && (id === undefined || !/^\d+$/.test(id)))
    return 'has no launch number in its column';
  const process = field('Process ID');
  for (const number of [process, field('Context'), field('Stream')]) {
    if (number !== undefined && !/^\d+$/.test(number))
      return 'has something other than a number in a column of numbers';
  }
  const [grid, block] = [dim3(field('Grid Size')), dim3(field('Block Size'))];
  if (grid === 'unreadable' || block === 'unreadable')
    return 'has something other than a size in a column of sizes';
  const computeCapability = field('CC')?.replace(',', '.');
  if (computeCapability !== undefined && !/^\d+\.\d+$/.test(computeCapability)) {
    return 'has no compute capability in its column';
  }
  const device = field('Device');
  // A device's number says nothing about it.
  const deviceName = device !== undefined && /^\d+$/.test(device) ? undefined : device;
  return { process, id, name, grid, block, device: deviceName, computeCapability };
}

function dim3(text: string | undefined): Dim3 | 'unreadable' | undefined {
  if (text === undefined) return undefined;
  const [, x, y, z] = /^\(\s*(\d+)\s*[,;]\s*(\d+)\s*[,;]\s*(\d+)\s*\)$/.exec(text) ?? [];
  return x === undefined ? 'unreadable' : [Number(x), Number(y), Number(z)];
}
