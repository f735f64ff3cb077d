import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { compareProfileFiles, diagnoseFile } from '../../src/workflows/diagnose.ts';

const folder = mkdtempSync(join(tmpdir(), 'pawl-diagnose-out-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string): string => join(import.meta.dirname, `../fixtures/ncu/${name}.raw.csv`);

describe('a diagnosis that is drawn', () => {
  it('is a page with both files among its facts, in a folder that need not be there', async () => {
    const out = join(folder, 'new', 'change.html');
    await compareProfileFiles(fixture('copy_ok'), { file: fixture('bank_conflict_transpose'), out });
    const page = readFileSync(out, 'utf8');
    expect(page).toMatch(/^<!doctype html>/u);
    expect(page).toContain('copy_ok.raw.csv → bank_conflict_transpose.raw.csv');
  });

  it('is a picture where the name ends so', async () => {
    const out = join(folder, 'fma.SVG');
    const diagnosis = await diagnoseFile({ file: fixture('fma_ok'), out });
    expect(readFileSync(out, 'utf8')).toMatch(/^<svg xmlns=/u);
    expect(diagnosis.kernels).toHaveLength(1);
  });

  it('is a block for a comment where the name ends so', async () => {
    const out = join(folder, 'change.md');
    await compareProfileFiles(fixture('copy_ok'), { file: fixture('bank_conflict_transpose'), out });
    const text = readFileSync(out, 'utf8');
    expect(text).toMatch(/^\*\*.*\*\*\n/u);
    expect(text).toContain('- **bank-conflicts**');
    expect(text).toContain('Percent of peak: ');
  });

  it('is refused in a format that there is not', async () => {
    const drawn = diagnoseFile({ file: fixture('fma_ok'), out: join(folder, 'fma.pdf') });
    await expect(drawn).rejects.toMatchObject({ kind: 'usage', hint: expect.stringContaining('.html') });
  });
});
