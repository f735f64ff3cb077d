import { cpSync, existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { sqliteDriver } from '../../src/history/sqlite-driver.ts';
import { importReportSchema } from '../../src/model/reports/import-report.ts';
import { samplesSchema } from '../../src/model/measure/samples.ts';
import { compareFiles } from '../../src/workflows/runs/compare/compare-files.ts';
import { exportFile } from '../../src/workflows/export.ts';
import { importFiles } from '../../src/workflows/import.ts';
import { FIXTURES } from '../adapters/fixture.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

const at = (name: string): string => join(FIXTURES, name);

describe('importFiles', () => {
  it('writes samples that compare reads, and says what it did', async () => {
    const out = join(await temporaryFolder(), 'samples.json');
    const files = [
      at('pytest-benchmark/raw.json'),
      at('pytest-benchmark/raw.json'),
      at('pytest-benchmark/raw.json'),
    ];
    const { report } = await importFiles({ files, from: 'auto', commit: 'abc1234', out });
    expect(importReportSchema.parse(report)).toMatchObject({ measurements: 3, series: 9, samples: 186, out });
    expect(report.files.map(({ processes }) => processes)).toEqual([[1], [2], [3]]);
    expect(samplesSchema.parse(JSON.parse(readFileSync(out, 'utf8'))).measurements[0]!.commit).toBe(
      'abc1234',
    );
    const { comparison } = await compareFiles({ baseline: out, candidate: out });
    expect(comparison.cases.every(({ verdict }) => verdict === 'maintained' || verdict === 'undecided')).toBe(
      true,
    );
  });

  it('reads the launches of an SQLite export of Nsight Systems', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'report.sqlite');
    const database = new (sqliteDriver())(file);
    database.exec(`
      CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
      CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);
      CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, "end" INTEGER, deviceId INTEGER, demangledName INTEGER,
        shortName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);
      INSERT INTO StringIds VALUES (1, 'scale(float *)'), (2, 'fill(float *)');
      INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200');
      INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
        (5000, 9000, 0, 1, 1, 64, 1, 1, 128, 1, 1), (1000, 2500, 0, 2, 2, 8, 1, 1, 128, 1, 1),
        (10000, 14500, 0, 1, 1, 64, 1, 1, 128, 1, 1);`);
    database.close();
    const { samples, report } = await importFiles({ files: [file], from: 'auto' });
    expect(report.files[0]!.format).toBe('nsys');
    expect(samples.device?.name).toBe('NVIDIA H200');
    expect(samples.measurements.map(({ kernel, series }) => [kernel, series[0]!.samples_ms])).toEqual([
      ['fill(float *)', [0.0015]],
      ['scale(float *)', [0.004, 0.0045]],
    ]);
    const cut = join(folder, 'cut.sqlite');
    writeFileSync(cut, readFileSync(file).subarray(0, 5000));
    await expect(importFiles({ files: [cut], from: 'auto' })).rejects.toMatchObject({ kind: 'bad-data' });
    const empty = join(folder, 'other.sqlite');
    const other = new (sqliteDriver())(empty);
    other.exec('CREATE TABLE t (a INTEGER)');
    other.close();
    await expect(importFiles({ files: [empty], from: 'auto' })).rejects.toThrow(
      /without Nsight Systems kernel launches/u,
    );
  });

  it('unpacks a trace that is gzipped, and refuses a damaged one', async () => {
    const folder = await temporaryFolder();
    const packed = gzipSync(readFileSync(at('torch-profiler/trace.json')));
    writeFileSync(join(folder, 'trace.json.gz'), packed);
    const { report } = await importFiles({ files: [join(folder, 'trace.json.gz')], from: 'auto' });
    expect(report.files[0]!.format).toBe('torch-profiler');
    writeFileSync(join(folder, 'cut.json.gz'), packed.subarray(0, 100));
    await expect(importFiles({ files: [join(folder, 'cut.json.gz')], from: 'auto' })).rejects.toThrow(
      /damaged gzip/u,
    );
  });

  it('keeps two benchmarks of a Criterion folder apart that have one id', async () => {
    const folder = join(await temporaryFolder(), 'criterion');
    cpSync(at('criterion/folder'), folder, { recursive: true });
    cpSync(join(folder, 'prefix/scan/256'), join(folder, 'prefix/scan/256_2'), { recursive: true });
    const { samples, report } = await importFiles({ files: [folder, folder], from: 'auto' });
    const names = samples.measurements.map(({ kernel, case: name }) => `${kernel!}/${name}`);
    expect(names).toContain('prefix/scan/256');
    expect(names).toContain('prefix/scan/256 #2');
    expect(samples.measurements.every(({ series }) => series.length === 2)).toBe(true);
    expect(report.files[0]!.notes.some(({ kind }) => kind === 'doubt')).toBe(true);
  });

  it('writes nothing where no file is named for it', async () => {
    const { report } = await importFiles({ files: [at('hyperfine/two-commands.json')], from: 'auto' });
    expect(report.out).toBeUndefined();
  });

  it('reads a folder of Criterion as one run', async () => {
    const { report, samples } = await importFiles({ files: [at('criterion/folder')], from: 'auto' });
    expect(report.files[0]).toMatchObject({
      file: 'folder',
      format: 'criterion',
      processes: [1],
      measurements: 3,
    });
    expect(samples.measurements.map((one) => `${one.kernel} ${one.case}`)).toEqual([
      'prefix/scan 256',
      'prefix/scan 4096',
      'sum 1000 default',
    ]);
  });

  it('refuses a folder without results, and files that are not there', async () => {
    const folder = await temporaryFolder();
    await expect(importFiles({ files: [folder], from: 'auto' })).rejects.toMatchObject({ kind: 'usage' });
    await expect(importFiles({ files: [join(folder, 'x')], from: 'auto' })).rejects.toMatchObject({
      kind: 'usage',
    });
  });

  it('opens no sample file outside of the folder, also not through a link', async () => {
    const folder = await temporaryFolder();
    cpSync(at('nvbench'), join(folder, 'nvbench'), { recursive: true });
    const sidecar = join(folder, 'nvbench/result.json-bin/0.bin');
    cpSync(sidecar, join(folder, 'secret.bin'));
    unlinkSync(sidecar);
    symlinkSync(join(folder, 'secret.bin'), sidecar);
    const { report, samples } = await importFiles({
      files: [join(folder, 'nvbench/result.json')],
      from: 'auto',
    });
    expect(samples.measurements[0]).toMatchObject({ series: [], summaries: [{ samples: 60 }] });
    expect(samples.measurements[1]!.series).toHaveLength(1);
    expect(report.files[0]!.notes.some(({ text }) => text.startsWith('missing sample files'))).toBe(true);
  });

  it('leaves an older result alone when it fails', async () => {
    const folder = await temporaryFolder();
    const out = join(folder, 'samples.json');
    writeFileSync(out, 'before');
    writeFileSync(join(folder, 'bad.json'), '{"results": [');
    await expect(importFiles({ files: [join(folder, 'bad.json')], from: 'auto', out })).rejects.toMatchObject(
      {
        kind: 'bad-data',
        message: 'bad.json is cut short: it ends in the middle.',
      },
    );
    expect(readFileSync(out, 'utf8')).toBe('before');
  });
});

describe('exportFile', () => {
  it.each(['junit', 'bencher', 'google-benchmark', 'markdown', 'csv'] as const)(
    'writes samples, a comparison and the report of a check as %s',
    async (to) => {
      const folder = await temporaryFolder();
      const [samples, out] = [join(folder, 'samples.json'), join(folder, 'out')];
      await importFiles({ files: [at('pawl/samples.json')], from: 'auto', out: samples });
      const { comparison } = await compareFiles({ baseline: samples, candidate: samples });
      const check = {
        schema: 'pawl.check/1',
        verdict: comparison.verdict,
        comparison,
        waived: [],
        advanced: [],
        new_cases: [],
        notes: [],
        files: {},
      };
      writeFileSync(join(folder, 'comparison.json'), JSON.stringify({ ...comparison, files: {} }));
      writeFileSync(join(folder, 'check.json'), JSON.stringify(check));
      for (const name of ['samples.json', 'comparison.json', 'check.json']) {
        const text = await exportFile({ file: join(folder, name), to, out });
        expect(text).toContain('n1000');
        expect(readFileSync(out, 'utf8')).toBe(text);
      }
    },
  );

  it('refuses what is none of them', async () => {
    const file = join(await temporaryFolder(), 'x.json');
    writeFileSync(file, '{"schema":"pawl.bench/1"}');
    await expect(exportFile({ file, to: 'csv' })).rejects.toMatchObject({ kind: 'bad-data' });
    await expect(exportFile({ file: `${file}.no`, to: 'csv' })).rejects.toMatchObject({ kind: 'usage' });
    expect(existsSync(file)).toBe(true);
  });
});
