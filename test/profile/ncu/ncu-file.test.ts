import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { readNcuFile } from '../../../src/profile/ncu/ncu-file.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/ncu');
const CSV = join(FIXTURES, 'copy_ok.details.csv');
const REPORT = Buffer.from('NVR\0\u0001\u0002 a report', 'latin1');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-ncu-'));
});

async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Stands in for ncu, which needs NVIDIA's packages: prints the exports of a real report as ncu does. */
async function fakeNcu(script: string): Promise<NodeJS.ProcessEnv> {
  const bin = await mkdtemp(join(folder, 'bin-'));
  await writeFile(join(bin, 'ncu'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'ncu'), 0o755);
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

describe('a file', () => {
  const env = { PATH: '/nonexistent' };

  it.each([
    ['UTF-8', (text: string) => Buffer.from(text, 'utf8')],
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf8')],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16 of the other byte order', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('in %s is read', async (_, encode) => {
    const path = await file('encoded.csv', encode(await readFile(CSV, 'utf8')));
    expect((await readNcuFile(path, { env })).launches).toEqual((await readNcuFile(CSV, { env })).launches);
  });

  it('that is not there, or is a folder, is a mistake of use', async () => {
    await expect(readNcuFile(join(folder, 'nowhere.csv'), { env })).rejects.toMatchObject({ kind: 'usage' });
    await expect(readNcuFile(folder, { env })).rejects.toMatchObject({ kind: 'usage' });
  });

  it('of other bytes is refused, and a compressed one with what to do', async () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 5));
    await expect(readNcuFile(await file('x.csv', bytes), { env })).rejects.toThrow(
      /neither a CSV nor a report/,
    );
    const gzip = Buffer.from([0x1f, 0x8b, 8, 0]);
    await expect(readNcuFile(await file('x.csv.gz', gzip), { env })).rejects.toMatchObject({
      hint: 'Unpack it first.',
    });
  });
});

describe('a report of ncu', () => {
  it('is opened by ncu in base units and the C locale, with its rules', async () => {
    const env = await fakeNcu(
      `[ "$LC_ALL" = C ] || exit 9
[ "$1 $3 $5 $6 $7" = '--import --page --csv --print-units base' ] || exit 8
cat '${FIXTURES}/tail_wave.'"$4"'.csv'`,
    );
    const { source, launches } = await readNcuFile(await file('any-name.bin', REPORT), { env });
    expect(source).toBe('raw');
    expect(launches).toHaveLength(1);
    expect(launches[0]?.metrics.size).toBeGreaterThan(2000);
    expect(launches[0]?.ncuRules.length).toBeGreaterThan(5);
  });

  it('that ncu cannot read is bad data, in ncu’s words', async () => {
    const env = await fakeNcu("echo '==ERROR== Failed to load report file'; exit 1");
    await expect(readNcuFile(await file('old.ncu-rep', REPORT), { env })).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringMatching(/==ERROR== Failed to load report file/) as string,
    });
  });

  it('without ncu is unavailable, with the command that exports it', async () => {
    const path = await file('rep.ncu-rep', REPORT);
    await expect(readNcuFile(path, { env: { PATH: '/nonexistent' } })).rejects.toMatchObject({
      kind: 'unavailable',
      hint: expect.stringMatching(/--page raw --csv --print-units base/) as string,
    });
  });
});
