import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { Corpus } from '../../src/correctness/corpus.ts';
import { CORPUS_SCHEMA, type CorpusEntry } from '../../src/model/problem/corpus.ts';
import { tempProject } from '../config/temp-project.ts';

function entry(n: number, more: Partial<CorpusEntry> = {}): CorpusEntry {
  return {
    schema: CORPUS_SCHEMA,
    kernel: 'k',
    problem: 'p',
    dims: { N: n },
    values: { x: 'huge' },
    seed: '1',
    detector: 'wrong-result',
    message: 'wrong',
    date: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

describe('the corpus', () => {
  let path: string;
  beforeEach(async () => {
    path = join(await tempProject({}), 'pawl-corpus.jsonl');
  });

  it('is empty where there is no file, and keeps what is added, in order', async () => {
    const corpus = await Corpus.open(path);
    expect(corpus.entries).toEqual([]);
    expect(await corpus.add(entry(1))).toBe(true);
    expect(await corpus.add(entry(2))).toBe(true);
    expect((await Corpus.open(path)).entries).toEqual([entry(1), entry(2)]);
  });

  it('holds a failure once, whenever and from whichever seed it was found', async () => {
    await (await Corpus.open(path)).add(entry(1));
    const again = await Corpus.open(path);
    expect(await again.add(entry(1, { seed: '2', date: '2027-01-01T00:00:00.000Z' }))).toBe(false);
    expect(await again.add(entry(1, { detector: 'crashed' }))).toBe(true);
    expect((await Corpus.open(path)).entries).toHaveLength(2);
  });

  it('outlives a process that was killed while it wrote', async () => {
    await (await Corpus.open(path)).add(entry(1));
    await appendFile(path, '{"schema":"pawl.corpus/1","kernel":"k","di');
    const after = await Corpus.open(path);
    expect([after.entries, after.brokenLines]).toEqual([[entry(1)], [2]]);
    await after.add(entry(3));
    const last = await Corpus.open(path);
    expect([last.entries, last.brokenLines]).toEqual([[entry(1), entry(3)], [2]]);
  });

  it('leaves out lines that are no entries, and says which', async () => {
    await writeFile(path, `[]\n\n${JSON.stringify(entry(1))}\n{"schema":"pawl.corpus/9"}\n`);
    const corpus = await Corpus.open(path);
    expect([corpus.entries, corpus.brokenLines]).toEqual([[entry(1)], [1, 4]]);
  });

  it('puts a smaller case in the place of the one it came from, and touches nothing else', async () => {
    await writeFile(path, 'not an entry\n');
    const corpus = await Corpus.open(path);
    await corpus.add(entry(100));
    await corpus.add(entry(7));
    await corpus.replace(entry(100), entry(3));
    expect((await readFile(path, 'utf8')).split('\n')).toEqual([
      'not an entry',
      JSON.stringify(entry(7)),
      JSON.stringify(entry(3)),
      '',
    ]);
  });

  it('says how to go on where the file cannot be used', async () => {
    await expect(Corpus.open(join(path, '..'))).rejects.toMatchObject({
      hint: expect.stringContaining('--corpus'),
    });
  });
});
