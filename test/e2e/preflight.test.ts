import { describe, expect, it, vi } from 'vitest';

import { preflightReportSchema } from '../../src/model/reports/preflight-report.ts';
import { fixtureProject, pawl } from './pawl-cli.ts';

// Another test may hold the device.
vi.setConfig({ testTimeout: 1_200_000 });

describe('pawl preflight', () => {
  it('prints the checklist, and ends with 0 where nothing stops', async () => {
    const folder = await fixtureProject(['right', 'prints']);
    const run = await pawl(
      folder,
      'preflight',
      'right',
      '--reference',
      'prints',
      '--processes',
      '1',
      '--wait',
      '900',
    );
    expect(run.stdout).toContain('  ✓ The smallest case is correct');
    expect(run.stdout).toContain('Work on right can begin.');
    expect(run.code).toBe(0);
  });

  it('ends with 1 where a gate stops, and says so in JSON', async () => {
    const folder = await fixtureProject(['right', 'wrong-result']);
    const run = await pawl(folder, 'preflight', 'wrong-result', '--json', '--quiet', '--wait', '900');
    const report = preflightReportSchema.parse(JSON.parse(run.stdout));
    expect(report.ready).toBe(false);
    expect(report.gates.find(({ gate }) => gate === 'smallest-case-correct')).toMatchObject({
      state: 'failed',
      next: 'pawl fuzz --only wrong-result --case small',
    });
    expect(run.code).toBe(1);
  });

  it('ends with 64 where the kernel is not known, and suggests one that is', async () => {
    const run = await pawl(await fixtureProject(['right']), 'preflight', 'rigth');
    expect(run.code).toBe(64);
    expect(run.stderr).toContain('right');
  });
});
