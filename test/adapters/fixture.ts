import { join } from 'node:path';

import { adapterCorpus, readFuzzFile, type FuzzFile } from '../../bench/adapter-fuzz/corpus.ts';
import { readSource, type ReadSource } from '../../src/adapters/readers/read-source.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';

export const FIXTURES = join(import.meta.dirname, '../fixtures/adapters');
export const CORPUS = adapterCorpus(FIXTURES);

export function fixture(name: string): FuzzFile {
  const found = CORPUS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no fixture ${name}`);
  return found;
}

export function readFixture(name: string): ReadSource {
  return readFuzzFile(fixture(name));
}

export function readText(text: string | Uint8Array, name = 'file'): ReadSource {
  return readSource({ name, bytes: Buffer.from(text), beside: () => undefined }, { from: 'auto' });
}

export function named(reading: ReadSource, kernel: string | undefined, name: string): Measurement {
  const found = reading.measurements.find((one) => one.kernel === kernel && one.case === name);
  if (found === undefined) {
    throw new Error(
      `no ${kernel}/${name} in ${reading.measurements.map((one) => `${one.kernel}/${one.case}`).join(', ')}`,
    );
  }
  return found;
}
