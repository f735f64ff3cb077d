import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { compareSamples } from '../../src/judge/compare-measurements.ts';
import { claim } from '../../src/workflows/claim.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { runOf } from '../ratchet/accepted-of.ts';

const describing = (evidence: string, shape = 'B=32, H=8, S=512, D=64') => `
**Target Shape(s):** ${shape}
**Hypothesis (Bottleneck):** Warp occupancy
**Nsight Evidence:** ${evidence}
**Result:**
- Median Δ: +15% faster
- CI Overlap: No
- Cliff's δ: 0.9
- Verdict: Improvement
`;

async function folder() {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'artifacts'));
  const [baseline, candidate] = [runOf(1, 1), runOf(0.85, 2)];
  const comparison = compareSamples(baseline, candidate);
  const write = (name: string, value: unknown) => writeFile(join(cwd, name), JSON.stringify(value));
  await write('base.json', baseline);
  await write('head.json', candidate);
  await write('comparison.json', comparison);
  await write('check.json', { schema: 'pawl.check/1', comparison });
  await writeFile(join(cwd, 'artifacts', 'a.ncu-rep'), 'report');
  await writeFile(join(cwd, 'PR.md'), describing('artifacts/a.ncu-rep'));
  return { cwd, description: { path: 'PR.md' }, candidate: 'head.json', root: '.' };
}

describe('claim', () => {
  it.each([{ baseline: 'base.json' }, { comparison: 'comparison.json' }, { comparison: 'check.json' }])(
    'is proven against %o',
    async (against) => {
      const report = await claim({ ...(await folder()), ...against });
      expect(report.findings.filter(({ state }) => state !== 'ok')).toEqual([]);
      expect(report).toMatchObject({ verdict: 'proven', claim_pct: 10 });
    },
  );

  it('looks for evidence inside the project only', async () => {
    const options = { ...(await folder()), comparison: 'comparison.json' };
    const outside = join(await temporaryFolder(), 'b.ncu-rep');
    await writeFile(outside, 'report');
    await symlink(outside, join(options.cwd, 'link.ncu-rep'));
    for (const evidence of ['artifacts/gone.ncu-rep', outside, 'link.ncu-rep', '../../etc/passwd.d']) {
      const report = await claim({ ...options, description: { text: describing(evidence) } });
      expect(report.findings[2]).toMatchObject({ field: 'evidence', state: 'wrong' });
    }
    const link = await claim({
      ...options,
      description: { text: describing('https://ci.example.org/run/1') },
    });
    expect(link.verdict).toBe('proven');
  });

  it('asks for more than the threshold that is set', async () => {
    const report = await claim({ ...(await folder()), comparison: 'comparison.json', claim_pct: 20 });
    expect(report.verdict).toBe('not-proven');
  });

  it('narrows to one kernel', async () => {
    const options = { ...(await folder()), comparison: 'comparison.json' };
    expect((await claim({ ...options, kernel: 'attention' })).verdict).toBe('proven');
    await expect(claim({ ...options, kernel: 'other' })).rejects.toThrow(/no kernel "other"/);
  });

  it('says what it lacks', async () => {
    const options = await folder();
    await expect(claim(options)).rejects.toThrow(/No measurement given/);
    await expect(claim({ ...options, comparison: 'nope.json' })).rejects.toThrow(/no file .*nope\.json/);
    await expect(claim({ ...options, comparison: 'head.json' })).rejects.toThrow(
      /is not a pawl\.comparison\/1/,
    );
    await expect(claim({ ...options, comparison: 'PR.md' })).rejects.toThrow(/is not JSON/);
  });
});
