import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

import type { StoredSeries } from '../model/history/history-api.ts';
import { ByteReader, ByteWriter, readNumbers, writeNumbers } from './number-codec.ts';

/** First byte: the format's version; the next says whether the rest is deflated. Then CRC-32 of what follows. */
const FORMAT = 1;
const HEAD_BYTES = 6;
const PLAIN = 0;
const DEFLATED = 1;
/** The most that a measurement's series take unpacked; a damaged or hostile body is not unpacked beyond it. */
const LARGEST_BYTES = 1 << 28;

const NUMBERS = ['samples_ms', 'clock_mhz', 'throttled_ms'] as const;

/** All series of a measurement in one body: what they say besides as JSON, then their numbers. */
export function encodeSeries(series: readonly StoredSeries[]): Uint8Array {
  const writer = new ByteWriter();
  const facts = series.map((one) => {
    const { samples_ms: _, clock_mhz, throttled_ms, ...rest } = one;
    return { ...rest, ...(clock_mhz && { clock_mhz: 1 }), ...(throttled_ms && { throttled_ms: 1 }) };
  });
  const json = new TextEncoder().encode(JSON.stringify(facts));
  writer.varint(json.length);
  writer.bytes(json);
  for (const name of NUMBERS) {
    for (const one of series) if (one[name] !== undefined) writeNumbers(writer, one[name]);
  }
  const plain = writer.written();
  const deflated = deflateRawSync(plain, { level: 6 });
  const body = deflated.length < plain.length ? deflated : plain;
  const bytes = new Uint8Array(HEAD_BYTES + body.length);
  bytes[0] = FORMAT;
  bytes[1] = body === plain ? PLAIN : DEFLATED;
  new DataView(bytes.buffer).setUint32(2, crc32(body), true);
  bytes.set(body, HEAD_BYTES);
  return bytes;
}

/** Throws a RangeError where a byte is not as it was written. */
export function decodeSeries(bytes: Uint8Array): StoredSeries[] {
  if (bytes.length < HEAD_BYTES) throw new RangeError('the series are truncated');
  if (bytes[0] !== FORMAT) throw new RangeError(`the series have format ${bytes[0]}, not ${FORMAT}`);
  const body = bytes.subarray(HEAD_BYTES);
  if (crc32(body) !== new DataView(bytes.buffer, bytes.byteOffset).getUint32(2, true)) {
    throw new RangeError('the series are damaged: wrong checksum');
  }
  const plain = bytes[1] === DEFLATED ? inflateRawSync(body, { maxOutputLength: LARGEST_BYTES }) : body;
  const reader = new ByteReader(plain);
  const json = new TextDecoder().decode(reader.bytes(reader.varint()));
  const series = JSON.parse(json) as Record<string, unknown>[];
  for (const name of NUMBERS) {
    for (const one of series) {
      if (name === 'samples_ms' || one[name] !== undefined) one[name] = readNumbers(reader);
    }
  }
  if (!reader.atEnd) throw new RangeError('there are bytes after the series');
  return series as unknown as StoredSeries[];
}
