import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { preflightReportSchema } from '../../src/model/reports/preflight-report.ts';
import { preflightTerminal } from '../../src/report/terminal/gates-terminal.ts';
import { preflight, type PreflightOptions } from '../../src/workflows/preflight.ts';
import { gateProject } from './session/gate-project.ts';

// Another test may hold the device.
vi.setConfig({ testTimeout: 1_200_000 });

async function run(options: PreflightOptions) {
  const report = await preflight({ wait_s: 900, processes: 1, ...options });
  expect(preflightReportSchema.safeParse(report).error).toBeUndefined();
  const state = (id: string) => report.gates.find(({ gate }) => gate === id)?.state;
  return { report, state };
}

describe('pre-flight', () => {
  it('of a kernel that builds and is right says that work can begin', async () => {
    const config = await gateProject();
    const { report, state } = await run({ config, kernel: 'even', reference: 'quick' });
    expect(report).toMatchObject({ ready: true, case: 'large', reference: { kernel: 'quick' } });
    expect(state('smallest-case-correct')).toBe('passed');
    expect(state('reference-measured')).toBe('passed');
    expect(state('shared-memory')).toBe('skipped');
    expect(report.gates.every(({ phase }) => phase === 'pre-flight')).toBe(true);
  });

  it('of a kernel that does not build measures nothing', async () => {
    const config = await gateProject(['syntax-error']);
    const { report, state } = await run({ config, kernel: 'syntax-error' });
    expect(report.ready).toBe(false);
    expect(state('builds')).toBe('failed');
    expect(state('smallest-case-correct')).toBe('open');
    expect(state('reference-measured')).toBe('open');
    expect(preflightTerminal(report)).toContain('→ pawl build --only syntax-error');
  });

  it('of a kernel that is wrong stops before its reference is measured', async () => {
    const config = await gateProject(['wrong-result']);
    const { report, state } = await run({ config, kernel: 'wrong-result' });
    expect(report.summary).toContain('The smallest case is correct');
    expect(state('reference-measured')).toBe('open');
  });

  it('has the gates that a project adds', async () => {
    const config = await gateProject([], 'method: { gates: gates.yaml, settings: { least_ms: 1e9 } }');
    await writeFile(
      join(config, 'gates.yaml'),
      `schema: pawl.method/1
settings: { least_ms: 0 }
phases: [{ id: pre-flight, title: Before take-off, budget_min: 5 }]
gates:
  - id: slow-enough
    phase: pre-flight
    title: The smallest case takes its time
    why: It is a test.
    evidence: smallest-case
    pass: kernel_ms >= least_ms
    severity: stop
    failed: '{smallest} is over too soon for {kernel}'
    next: pawl bench --only {kernel}
`,
    );
    const { report } = await run({ config, kernel: 'quick' });
    expect(report.gates.at(-1)).toMatchObject({
      gate: 'slow-enough',
      state: 'failed',
      reason: 'small is over too soon for quick',
      next: 'pawl bench --only quick',
    });
    expect(preflightTerminal(report)).toContain('\nBefore take-off\n');
  });

  it('asks which kernel where there are several', async () => {
    await expect(preflight({ config: await gateProject() })).rejects.toThrow(/No kernel given/);
  });

  it('takes for a reference what is a kernel of the same problem or a commit, and nothing else', async () => {
    const config = await gateProject();
    await expect(preflight({ config, kernel: 'quick', reference: 'quick' })).rejects.toThrow(
      /its own reference/,
    );
    await expect(preflight({ config, kernel: 'quick', reference: 'nobody' })).rejects.toThrow(
      /neither a kernel/,
    );
    execFileSync('git', ['-C', config, 'init', '--quiet']);
    await expect(preflight({ config, kernel: 'quick', reference: '--help' })).rejects.toThrow(
      /neither a kernel/,
    );
  });
});
