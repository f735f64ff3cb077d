/** Archives as an attacker makes them: sound unless told otherwise. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface MadeEntry {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  /** 8: deflate, the default; 0: stored; others only in the header. */
  readonly method?: number;
  /** Permissions and kind, as Unix has them. */
  readonly mode?: number;
  readonly flags?: number;
  /** Sizes behind the data, as tools that write to a pipe do. */
  readonly streamed?: boolean;
  readonly extra?: Uint8Array;
  /** What the headers say instead of the truth. */
  readonly localName?: string;
  readonly localBytes?: number;
  readonly bytes?: number;
  readonly crc?: number;
  /** The local record of another entry, by its number. */
  readonly offsetOf?: number;
}

export interface MadeArchive {
  readonly prefix?: Uint8Array;
  readonly comment?: string;
  /** Between the entries and the directory. */
  readonly gap?: Uint8Array;
  readonly count?: number;
  readonly suffix?: Uint8Array;
}

const UTF8 = 0x800;

export function makeZip(entries: readonly MadeEntry[], archive: MadeArchive = {}): Buffer {
  const prefix = Buffer.from(archive.prefix ?? []);
  const gap = Buffer.from(archive.gap ?? []);
  const locals: Buffer[] = [];
  const offsets: number[] = [];
  const directory: Buffer[] = [];
  let at = prefix.length;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data ?? '');
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(data) : data;
    const flags = (entry.flags ?? UTF8) | (entry.streamed === true ? 8 : 0);
    const facts = [entry.crc ?? crc32(data), packed.length, entry.bytes ?? data.length];
    const extra = Buffer.from(entry.extra ?? []);
    const localFacts =
      entry.streamed === true ? [0, 0, 0] : [...facts.slice(0, 2), entry.localBytes ?? facts[2]!];
    const localName = Buffer.from(entry.localName ?? name);
    const local = Buffer.concat([
      numbers([4, 0x04034b50], [2, 20], [2, flags], [2, method], [2, 0], [2, 0x21]),
      numbers(...localFacts.map((fact): Field => [4, fact]), [2, localName.length], [2, extra.length]),
      localName,
      extra,
      packed,
      ...(entry.streamed === true
        ? [numbers([4, 0x08074b50], ...facts.map((fact): Field => [4, fact]))]
        : []),
    ]);
    locals.push(local);
    offsets.push(at);
    at += local.length;
    directory.push(
      numbers([4, 0x02014b50], [2, 0x031e], [2, 20], [2, flags], [2, method], [2, 0], [2, 0x21]),
      numbers(...facts.map((fact): Field => [4, fact]), [2, name.length], [2, extra.length], [2, 0]),
      numbers([2, 0], [2, 0], [4, ((entry.mode ?? 0o100644) << 16) >>> 0]),
      numbers([4, offsets[entry.offsetOf ?? offsets.length - 1]!]),
      name,
      extra,
    );
  }
  const central = Buffer.concat(directory);
  const count = archive.count ?? entries.length;
  const comment = Buffer.from(archive.comment ?? '');
  const end = Buffer.concat([
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count]),
    numbers([4, central.length], [4, at + gap.length], [2, comment.length]),
    comment,
  ]);
  return Buffer.concat([prefix, ...locals, gap, central, end, Buffer.from(archive.suffix ?? [])]);
}

type Field = readonly [bytes: number, value: number];

function numbers(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
