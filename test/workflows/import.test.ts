import { cpSync, existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { importReportSchema } from '../../src/model/import-report.ts';
import { samplesSchema } from '../../src/model/samples.ts';
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
    expect(
      report.files[0]!.notes.some(({ text }) => text.startsWith('sample files that are not there')),
    ).toBe(true);
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
