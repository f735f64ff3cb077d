import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { diagnosisSchema } from '../../src/model/profile/diagnosis.ts';
import { pawl } from './pawl-cli.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/ncu');

describe('pawl diagnose', () => {
  it('teaches in --help', async () => {
    const { code, stdout } = await pawl('.', 'diagnose', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/--page raw --csv --print-units base/);
    expect(stdout).toMatch(/Exit codes: 0 good/);
  });

  it('prints a diagnosis, as JSON on request', async () => {
    const shown = await pawl(FIXTURES, 'diagnose', 'fma_ok.raw.csv');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^fma_ok\(float \*, int\)\n[\s\S]*compute +█+/);
    const { code, stdout } = await pawl(FIXTURES, 'diagnose', 'fma_ok.raw.csv', '--json');
    expect(code).toBe(0);
    expect(diagnosisSchema.parse(JSON.parse(stdout)).kernels[0]?.duration_us).toBe(420.16);
  });

  it('compares two files', async () => {
    const { code, stdout } = await pawl(
      FIXTURES,
      'diagnose',
      '--compare',
      'fma_ok.raw.csv',
      'fma_ok.details.csv',
      '--json',
    );
    expect(code).toBe(0);
    expect(diagnosisSchema.parse(JSON.parse(stdout)).comparisons).toHaveLength(1);
  });

  it.each([
    [['made/no-permission.csv'], 77, /ERR_NVGPUCTRPERM[\s\S]*NVreg_RestrictProfilingToAdminUsers/],
    [['nowhere.csv'], 64, /no file/],
    [['README.md'], 65, /neither the raw page nor the details page/],
    [['fma_ok.raw.csv', 'copy_ok.raw.csv'], 64, /Give one file, or two with --compare/],
    [['--compare', 'fma_ok.raw.csv'], 64, /needs two files/],
    [['fma_ok.raw.csv', '--kernel', '('], 64, /Invalid regular expression/],
  ])('answers %j with %i and a sentence', async (args, expected, words) => {
    const { code, stderr } = await pawl(FIXTURES, 'diagnose', ...args);
    expect(stderr).toMatch(words);
    expect(code).toBe(expected);
  });
});
