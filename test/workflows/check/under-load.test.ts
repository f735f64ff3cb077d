import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseBaseline } from '../../../src/ratchet/parse-baseline.ts';
import { renderComparisonTerminal } from '../../../src/report/terminal/comparison-terminal.ts';
import { check } from '../../../src/workflows/check.ts';
import { CompareProject } from '../compare-project.ts';

const QUICK = { only: ['busy'], wait_s: 600, processes: 2, history: false } as const;
const PLAIN = { color: false, columns: 400 };

/** At the lowest priority, so that they disturb no other test: they are busy all the same. */
function hogs() {
  return Array.from({ length: availableParallelism() }, () =>
    spawn('nice', ['-n', '19', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
  );
}

describe.runIf(process.platform === 'linux')('a baseline that is measured under load', () => {
  it('is not written unless that is accepted, and then has the load with it', async () => {
    const project = await CompareProject.create();
    const config = project.folder;
    const file = join(project.folder, 'pawl-baseline.json');
    const others = hogs();
    try {
      const { report } = await check({ config, update: true, acceptLoad: false, ...QUICK });
      expect(report).toMatchObject({
        verdict: 'undecided',
        baseline: { state: 'absent' },
        new_cases: [],
        loaded: [{ key: { kernel: 'busy', case: 'small' }, kept: false }],
        environment: { load: { cpus: availableParallelism() } },
      });
      expect(existsSync(file)).toBe(false);
      const text = renderComparisonTerminal(report, PLAIN);
      expect(text).toMatch(/not written into the baseline, because other work ran at the same time: .*CPU/);
      expect(text).toContain('pawl check --update --accept-load');

      const kept = await check({ config, update: true, acceptLoad: true, ...QUICK });
      expect(kept.report).toMatchObject({
        verdict: 'new',
        baseline: { state: 'written' },
        loaded: [{ kept: true }],
      });
      expect(renderComparisonTerminal(kept.report, PLAIN)).toMatch(
        /written although other work ran at the same time: .*CPU/,
      );
      const { entries } = parseBaseline(await readFile(file, 'utf8'), file);
      expect(entries[0]?.provenance.load?.other_cpus).toBeGreaterThan(0.5);
    } finally {
      for (const hog of others) hog.kill('SIGKILL');
    }
  });
});
