import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { diagnosisSchema } from '../../src/model/profile/diagnosis.ts';
import { compareProfileFiles, diagnoseFile } from '../../src/workflows/diagnose.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/ncu');
const fixture = (name: string): string => join(FIXTURES, name);

describe('a diagnosis', () => {
  it('is a pawl.diagnosis/1 document that says what the file says about the launch', async () => {
    const diagnosis = await diagnoseFile({ file: fixture('sdpa_flash.raw.csv') });
    expect(diagnosisSchema.parse(diagnosis)).toEqual(diagnosis);
    expect(diagnosis.kernels).toHaveLength(1);
    expect(diagnosis.kernels[0]).toMatchObject({
      duration_us: 69.408,
      grid: [4, 32, 8],
      block: [128, 1, 1],
      device: 'NVIDIA H200',
      compute_capability: '9.0',
      speed_of_light: {
        compute_pct: 44.922824,
        memory_pct: 36.877842,
        dram_pct: 17.919863,
        tensor_pct: 38.1284,
      },
    });
    expect(diagnosis.problems).toHaveLength(1);
  });

  it('has what ncu’s rules said from the details page', async () => {
    const { kernels, problems } = await diagnoseFile({ file: fixture('small_grid.details.csv') });
    expect(kernels[0]?.ncu_rules).toHaveLength(15);
    expect(kernels[0]?.ncu_rules?.[0]).toMatchObject({ section: 'SpeedOfLight' });
    expect(problems).toBeUndefined();
  });

  it('is of the launches that were asked for', async () => {
    const file = fixture('made/spreadsheet-raw.csv');
    expect((await diagnoseFile({ file })).kernels).toHaveLength(2);
    expect((await diagnoseFile({ file, launch: 1 })).kernels.map(({ name }) => name)).toEqual([
      'reduce(float *)',
    ]);
    expect((await diagnoseFile({ file, kernel: /gemm/ })).kernels.map(({ id }) => id)).toEqual(['0']);
    await expect(diagnoseFile({ file, launch: 7 })).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringMatching(/It has 2: 0: void gemm<128, 64>\(half \*\); 1: reduce/) as string,
    });
  });
});

describe('a comparison of profiles', () => {
  it('pairs two single launches whatever their names', async () => {
    const diagnosis = await compareProfileFiles(fixture('copy_ok.raw.csv'), {
      file: fixture('tail_wave.details.csv'),
    });
    expect(diagnosisSchema.parse(diagnosis)).toEqual(diagnosis);
    expect(diagnosis.comparisons).toHaveLength(1);
    expect(diagnosis.comparisons?.[0]).toMatchObject({ before_us: 124.736, after_us: 516.64 });
    expect(diagnosis.kernels.map(({ name }) => name)).toEqual(['tail_wave(float *, int)']);
  });

  it('pairs by name, then by function where template arguments changed', async () => {
    const before = fixture('made/spreadsheet-raw.csv');
    const after = join(await mkdtemp(join(tmpdir(), 'pawl-diagnose-')), 'after.csv');
    await writeFile(
      after,
      (await readFile(before, 'utf8')).replace('gemm<128, 64>', 'gemm<256, 64>').replace('81,25', '60,5'),
    );
    const { comparisons } = await compareProfileFiles(before, { file: after });
    expect(comparisons?.map(({ kernel, before_us, after_us }) => [kernel, before_us, after_us])).toEqual([
      ['reduce(float *)', 4.5, 4.5],
      ['void gemm<256, 64>(half *)', 81.25, 60.5],
    ]);
  });

  it('of files without a kernel in common is refused', async () => {
    const files = [fixture('made/spreadsheet-raw.csv'), fixture('made/2021-raw.csv')] as const;
    await expect(compareProfileFiles(files[0], { file: files[1] })).rejects.toThrow(/no kernel in common/);
  });
});
