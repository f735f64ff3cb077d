import type { RecordedSpace } from '../../src/model/recorded-space.ts';
import { readRecordedSpace } from '../../src/tune/simulate/read-recorded-space.ts';
import { generatedSpace } from './generated-space.ts';

const GENERATED = 'generated:';

/** A file, or `generated:SEED`. */
export async function openSpace(source: string): Promise<RecordedSpace> {
  if (source.startsWith(GENERATED)) return generatedSpace(Number(source.slice(GENERATED.length)));
  return readRecordedSpace(source);
}
