import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { deviceReportSchema } from '../../src/model/device/calibration.ts';
import { profileReportSchema } from '../../src/model/profile/profile-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

describe('pawl profile and pawl device', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await fixtureProject(['right']);
  });

  it('profiles a CPU kernel, or ends with 2 and says why it cannot', async () => {
    const { code, stdout } = await pawl(folder, 'profile', 'right', '--json', '--quiet', '--wait', '600');
    const report = profileReportSchema.parse(JSON.parse(stdout));
    if (report.skipped === undefined) expect(report.head?.counters?.length).toBeGreaterThan(0);
    else expect(report.skipped.remedy).not.toBe('');
    expect(code).toBe(report.skipped === undefined ? 0 : 2);
    // Where perf can sample, by cycles or by a timer, the lines are those of the kernel and account for all samples.
    if (report.sampled !== undefined) {
      const page = await readFile(join(report.folder!, report.pages!['html']!), 'utf8');
      expect(page).toContain('Where the time goes, by line');
      const { lines, samples } = report.sampled;
      expect(lines.reduce((sum, one) => sum + one.samples, 0)).toBe(samples);
      expect(lines.reduce((sum, one) => sum + one.share_pct, 0)).toBeCloseTo(100, 6);
      expect(report.lines?.[0]?.share_pct).toBe(lines[0]?.share_pct);
    }
  }, 600_000);

  it('names the kernels there are when asked for one that is not', async () => {
    const { code, stderr } = await pawl(folder, 'profile', 'write', '--quiet');
    expect(stderr).toMatch(/right/);
    expect(code).toBe(64);
  });

  it('shows this machine as JSON', async () => {
    const { code, stdout } = await pawl(folder, 'device', '--json');
    const { devices } = deviceReportSchema.parse(JSON.parse(stdout));
    expect(devices[0]?.device.kind).toBe('cpu');
    expect(code).toBe(0);
  });
});
