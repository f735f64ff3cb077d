import { describe, expect, it } from 'vitest';

import { readFuzzFile } from '../../bench/adapter-fuzz/corpus.ts';
import { timesOf, violations } from '../../bench/adapter-fuzz/oracle.ts';
import { ADAPTERS } from '../../src/adapters/readers/adapters.ts';
import { readSource } from '../../src/adapters/readers/read-source.ts';
import { IMPORT_FORMATS } from '../../src/model/reports/import-report.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { samplesSchema } from '../../src/model/measure/samples.ts';
import { CORPUS, readText } from './fixture.ts';

/** What every reader of another tool's files must keep to. A new one is right when its files pass here. */
describe.each(CORPUS.map((file) => [file.name, file] as const))('%s', (name, file) => {
  const format = name.slice(0, name.indexOf('/')) === 'seed' ? undefined : name.slice(0, name.indexOf('/'));

  it('is recognised by what is in it', () => {
    const { format: found } = readFuzzFile(file);
    if (format === undefined) expect(found).toMatch(/^seed-/u);
    else expect(found).toBe(format);
  });

  it('gives samples that keep to the schema, and no number that is not in the file', () => {
    const reading = readFuzzFile(file);
    expect(
      samplesSchema.safeParse({ schema: 'pawl.samples/1', measurements: reading.measurements }).success,
    ).toBe(true);
    expect(timesOf(reading.measurements).length).toBeGreaterThan(0);
    expect(violations(file, reading)).toEqual([]);
  });

  it('says in which unit its times were', () => {
    const { notes, format: found } = readFuzzFile(file);
    if (found !== 'pawl')
      expect(notes.some(({ kind, text }) => kind === 'unit' && text.includes('milliseconds'))).toBe(true);
  });

  it('reads the same however its text is encoded and its lines end', () => {
    const text = file.bytes.toString('utf8');
    const expected = readFuzzFile(file);
    const encodings = {
      'byte-order mark': Buffer.from(`\uFEFF${text}`),
      'UTF-16 LE': Buffer.from(`\uFEFF${text}`, 'utf16le'),
      'UTF-16 BE': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      'UTF-16 without a mark': Buffer.from(text, 'utf16le'),
      'carriage returns': Buffer.from(text.replaceAll(/\r?\n/gu, '\r\n')),
    };
    for (const [how, bytes] of Object.entries(encodings))
      expect(readFuzzFile({ ...file, bytes }), how).toEqual(expected);
  });

  it('is refused as any other format', () => {
    const { format: own } = readFuzzFile(file);
    const source = { name, bytes: file.bytes, beside: () => undefined };
    for (const other of IMPORT_FORMATS.filter((each) => each !== own)) {
      expect(() => readSource(source, { from: other }), other).toThrow(PawlError);
    }
  });

  it('is refused when it was cut off in the middle', () => {
    if (name.endsWith('.csv')) return;
    const bytes = file.bytes.subarray(0, Math.floor(file.bytes.length * 0.6));
    expect(() => readFuzzFile({ ...file, bytes })).toThrow(/cut short|not JSON/u);
  });
});

describe('every reader', () => {
  it('has a file of its own among the fixtures', () => {
    const covered = new Set(CORPUS.map((file) => readFuzzFile(file).format));
    expect([...covered].sort()).toEqual(Object.keys(ADAPTERS).sort());
  });

  it.each([
    '',
    ' \n',
    '{}',
    '[]',
    'null',
    '1',
    '"x"',
    '{"benchmarks": []}',
    '{"results": []}',
    'a,b\n',
    'hello world',
    '\0\0\0\0',
  ])('refuses %j with a reason', (text) => {
    expect(() => readText(text)).toThrow(PawlError);
  });

  it('refuses what is nested too deeply, and does not exhaust the stack', () => {
    expect(() => readText('['.repeat(200_000))).toThrow(/nested more than/u);
    expect(() => readText(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)).toThrow(/nested more than/u);
  });
});
