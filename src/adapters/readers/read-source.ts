import { defined } from '../../model/defined.ts';
import type { ImportFormat } from '../../model/reports/import-report.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Reading, Source } from '../adapter.ts';
import { ADAPTERS, detectAdapter } from './adapters.ts';
import { decodeText } from '../decode-text.ts';
import { parseJson } from '../parse-json.ts';
import type { TimeUnit } from '../time-unit.ts';

/** A file as it lies on the disk. */
export interface RawSource {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly beside: Source['beside'];
}

export interface ReadSource extends Reading {
  readonly format: ImportFormat;
}

/** Reads one file, of the format that was named or that it shows itself to be. */
export function readSource(
  { name, bytes, beside }: RawSource,
  { from, unit }: { readonly from: ImportFormat | 'auto'; readonly unit?: TimeUnit | undefined },
): ReadSource {
  const text = decodeText(bytes, name);
  const parsed = parseJson(text);
  const source: Source = {
    name,
    text,
    json: parsed.ok ? parsed.json : undefined,
    beside,
    ...defined({ unit }),
  };
  const looksLikeJson = /^\s*[[{]/u.test(text) || text.trim() === '';
  const why = parsed.ok || !looksLikeJson ? undefined : parsed.why;
  const adapter = from === 'auto' ? detectAdapter(source, why) : ADAPTERS[from];
  if (from !== 'auto' && adapter.detect(source) === 0) {
    throw new PawlError(
      'bad-data',
      `${name} ${why ?? `is not what ${adapter.tool} writes`}.`,
      'Leave out --from to have the format recognised.',
    );
  }
  return { format: adapter.format, ...adapter.read(source) };
}
