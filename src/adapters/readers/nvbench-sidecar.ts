import type { Source } from '../adapter.ts';
import { field, listOf } from '../fields.ts';
import type { ReadingBuilder } from '../reading-builder.ts';

const FLOAT_BYTES = 4;

/** The little-endian float32 file that a summary names; nothing, and said, where it is not there or not as long. */
export function readFloats(
  builder: ReadingBuilder,
  source: Source,
  summary: unknown,
  name: string,
): number[] | undefined {
  if (summary === undefined) return undefined;
  const value = (of: string): unknown => {
    const data = listOf(field(summary, 'data'));
    return field(
      data.find((each) => field(each, 'name') === of),
      'value',
    );
  };
  const filename = value('filename');
  const path = typeof filename === 'string' ? sidecarPath(filename) : undefined;
  if (path === undefined) {
    builder.noteOf('dropped', 'sample files that are not beside the JSON file: never opened', name);
    return undefined;
  }
  const bytes = source.beside(path);
  if (bytes === undefined) {
    builder.noteOf('dropped', 'missing sample files', `${path} of ${name}`);
    return undefined;
  }
  const count = Number(value('size'));
  if (!Number.isSafeInteger(count) || bytes.length !== count * FLOAT_BYTES) {
    builder.noteOf('dropped', 'sample files whose length differs from the JSON file', `${path} of ${name}`);
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, at) => view.getFloat32(at * FLOAT_BYTES, true));
}

/**
 * Where a sample file lies, relative to the JSON file. Older nvbench wrote the path as seen from where it ran, often
 * an absolute one: its own folder and number are all that is taken of that. Nothing for a path that leads elsewhere.
 */
export function sidecarPath(filename: string): string | undefined {
  const parts = filename.split(/[/\\]/u);
  const own = parts.slice(-2);
  if (parts.includes('..') || filename.includes('\0') || own.length < 2) return undefined;
  const [folder, file] = own as [string, string];
  return /^[^:]+-bin$/u.test(folder) && /^\d+\.bin$/u.test(file) ? `${folder}/${file}` : undefined;
}
