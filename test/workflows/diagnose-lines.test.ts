/** `pawl diagnose` of an export with samples by line: a kernel of bench/h200/lines as ncu 2025.3.1 exported it. */
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { diagnosisSchema, type Diagnosis } from '../../src/model/profile/diagnosis.ts';
import { renderDiagnosis } from '../../src/report/terminal/diagnosis-terminal.ts';
import { compareProfileFiles, diagnoseFile } from '../../src/workflows/diagnose.ts';
import { unpacked } from '../profile/lines/planted-lines.ts';

const raw = unpacked('faulty', 'header-row-sum.raw.csv').toString('utf8');
const page = unpacked('faulty', 'header-row-sum.cuda-sass.csv').toString('utf8');
const REPORT_MAGIC = Buffer.from([0x4e, 0x56, 0x52, 0x00]);

let folder: string;
const file = async (name: string, content: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

function expectLines(diagnosis: Diagnosis): void {
  expect(diagnosisSchema.parse(diagnosis)).toEqual(diagnosis);
  const [hot, ...others] = diagnosis.hot_lines ?? [];
  expect(others).toEqual([]);
  expect(hot?.lines[0]).toMatchObject({ line: 10 });
  expect(hot?.lines[0]?.file).toMatch(/row-sum\.cuh$/u);
  expect(hot?.lines[0]?.share_pct).toBeGreaterThan(90);
  expect(hot?.lines.reduce((sum, { share_pct }) => sum + share_pct, 0)).toBeCloseTo(100, 6);
  const conflicts = diagnosis.kernels[0]?.findings.find(({ rule }) => rule === 'bank-conflicts');
  expect(conflicts?.lines?.[0]).toMatchObject({ line: 10 });
  expect(diagnosis.without_lines).toBeUndefined();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-diagnose-lines-'));
});

describe('a diagnosis with lines', () => {
  it('reads them from a source page beside the raw page, with the source that it holds', async () => {
    const options = { file: await file('raw.csv', raw), source: await file('source.csv', page) };
    const diagnosis = await diagnoseFile(options);
    expectLines(diagnosis);
    expect(diagnosis.hot_lines?.[0]?.lines[0]?.source).toMatch(/^sum \+= tile/u);
    const text = renderDiagnosis(diagnosis, { columns: 110 });
    expect(text).toMatch(
      /Where the time goes, by line\n[\d,]+ samples\n +9\d\.\d % {2}\S*row-sum\.cuh:10 {2}sum \+= tile/u,
    );
    const compared = await compareProfileFiles(options.file, options);
    expectLines(compared);
    expect(compared.comparisons).toHaveLength(1);
  });

  it('reads them from one file that has both pages, in either order', async () => {
    expectLines(await diagnoseFile({ file: await file('both.csv', `${raw}\n${page}`) }));
    expectLines(await diagnoseFile({ file: await file('other.csv', `${page}\n${raw}`) }));
  });

  it('reads them from a report, with the compiled code in it', async () => {
    const sass = unpacked('faulty', 'header-row-sum.source.csv').toString('utf8');
    await file('raw-page', raw);
    await file('source-page', sass);
    const ncu = await file(
      'ncu',
      `#!/bin/sh\ncase "$*" in *"--page raw"*) cat "${folder}/raw-page" ;; *"--page source"*) cat "${folder}/source-page" ;; esac\n`,
    );
    await chmod(ncu, 0o755);
    const cubin = unpacked('faulty', 'header-row-sum.cubin');
    const report = await file('rep.ncu-rep', Buffer.concat([REPORT_MAGIC, Buffer.alloc(60), cubin]));
    const diagnosis = await diagnoseFile({ file: report, env: { ...process.env, PAWL_NCU: ncu } });
    expectLines(diagnosis);
    expect(diagnosis.hot_lines?.[0]?.lines[0]?.inlined_into?.[0]?.file).toMatch(/header-row-sum\.cu$/u);
  });

  it('has instructions, and says that no line is known, where the page has none', async () => {
    const sass = await file('sass.csv', unpacked('faulty', 'header-row-sum.source.csv'));
    const diagnosis = await diagnoseFile({ file: await file('raw.csv', raw), source: sass });
    expect(diagnosis.hot_lines?.[0]).toMatchObject({ located_pct: 0, lines: [{ line: 0 }] });
    expect(renderDiagnosis(diagnosis)).toMatch(/none with a line: build with -lineinfo/u);
  });

  it('says how to get them where there are none, or those of another kernel', async () => {
    const alone = await diagnoseFile({ file: await file('raw.csv', raw) });
    expect(alone.without_lines).toMatchObject({ reason: 'not-there' });
    expect(renderDiagnosis(alone)).toMatch(
      /No samples per line .*\n +ncu --set full --import-source yes .*\n +ncu --import rep\.ncu-rep --page source --csv --print-source cuda,sass > rep\.source\.csv\n +pawl diagnose/u,
    );
    const another = await file('another.csv', page.replaceAll('planted(', 'other('));
    const foreign = await diagnoseFile({ file: await file('raw.csv', raw), source: another });
    expect(foreign.without_lines).toMatchObject({ reason: 'other-launches' });
    expect(foreign.hot_lines).toBeUndefined();
  });

  it('refuses a source page where metrics are meant, and metrics where a source page is', async () => {
    const source = await file('source.csv', page);
    await expect(diagnoseFile({ file: source })).rejects.toMatchObject({
      kind: 'bad-data',
      hint: expect.stringMatching(/--source source\.csv/u) as string,
    });
    const options = { file: await file('raw.csv', raw), source: join(folder, 'raw.csv') };
    await expect(diagnoseFile(options)).rejects.toMatchObject({ kind: 'bad-data' });
  });

  it('reads a damaged page without a crash and without shares that are not its own', async () => {
    for (const at of [page.length / 3, page.length / 2, page.length - 5]) {
      const cut = await file('cut.csv', page.slice(0, at));
      const { hot_lines } = await diagnoseFile({ file: await file('raw.csv', raw), source: cut });
      const shares = hot_lines?.[0]?.lines.map(({ share_pct }) => share_pct) ?? [];
      expect(shares.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(100.001);
    }
  });
});
