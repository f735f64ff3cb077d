import { KNOWN_GPUS } from '../../device/known-gpus.ts';

/** Where something was recorded, or is asked for. */
export interface Place {
  /** The problem's name: attention, gemm. */
  readonly kind: string;
  readonly device: string;
}

/** Devices that were not written down count as one: nothing tells them apart. */
export const UNKNOWN_DEVICE = 'unknown';

export const LIKENESS = ['here', 'same-kind', 'same-device', 'other'] as const;
export type Likeness = (typeof LIKENESS)[number];

export function likeness(one: Place, other: Place): Likeness {
  if (one.kind === other.kind) return one.device === other.device ? 'here' : 'same-kind';
  return one.device === other.device ? 'same-device' : 'other';
}

/** A place with the compute capability of its device: devices of one have the same units and the same instructions. */
export interface Located extends Place {
  /** The device itself where its capability is not known. */
  readonly family: string;
}

export function locate({ kind, device }: Place): Located {
  return { kind, device, family: CAPABILITIES.get(device.toLowerCase()) ?? device };
}

const CAPABILITIES: ReadonlyMap<string, string> = new Map(
  Object.entries(KNOWN_GPUS).flatMap(([short, { name = short, compute_capability: capability }]) =>
    capability === undefined
      ? []
      : [short, name, `NVIDIA ${short}`].map((each): [string, string] => [each.toLowerCase(), capability]),
  ),
);
