import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A document of a thousand measurements says the same device a thousand times: deflating makes a thirtieth of it. */
export function packJson(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value), { level: 6 });
}

const LARGEST_BYTES = 1 << 29;

export function unpackJson(bytes: Uint8Array, revive?: (key: string, value: unknown) => unknown): unknown {
  return JSON.parse(inflateRawSync(bytes, { maxOutputLength: LARGEST_BYTES }).toString('utf8'), revive);
}
