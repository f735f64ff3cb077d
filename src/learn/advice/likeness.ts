import { KNOWN_GPUS } from '../../device/known-gpus.ts';

/** Where something was recorded, or is asked for. */
export interface Place {
  /** The problem's name: attention, gemm. */
  readonly kind: string;
  readonly device: string;
}

export const LIKENESS = ['here', 'same-kind', 'same-device', 'other'] as const;
export type Likeness = (typeof LIKENESS)[number];

export function likeness(one: Place, other: Place): Likeness {
  if (one.kind === other.kind) return one.device === other.device ? 'here' : 'same-kind';
  return one.device === other.device ? 'same-device' : 'other';
}

/** Devices of one compute capability have the same units and the same instructions. */
export function isSameFamily(one: string, other: string): boolean {
  if (one === other) return true;
  const family = capabilityOf(one);
  return family !== undefined && family === capabilityOf(other);
}

const CAPABILITIES: ReadonlyMap<string, string> = new Map(
  Object.entries(KNOWN_GPUS).flatMap(([short, { name = short, compute_capability: capability }]) =>
    capability === undefined
      ? []
      : [short, name, `NVIDIA ${short}`].map((each): [string, string] => [each.toLowerCase(), capability]),
  ),
);

function capabilityOf(device: string): string | undefined {
  return CAPABILITIES.get(device.toLowerCase());
}
