import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openStore } from '../../src/history/store/open-store.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { commitOf, storedRunOf, type RunOf } from '../history/stored-run-of.ts';

const CONFIG = `version: 1
problems:
  copy:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    cases:
      small: { N: 8 }
kernels:
  attention: { problem: copy, device: cpu, language: c, sources: [copy.c] }
`;

export interface AlertsProject {
  readonly config: string;
  readonly store: string;
  /** Keeps the measurement of a commit. */
  put(run: RunOf): Promise<void>;
}

/** A project with these lines below `alerts:` of its pawl.yaml, and an empty history. */
export async function alertsProject(alerts: string): Promise<AlertsProject> {
  const folder = await temporaryFolder();
  const config = join(folder, 'pawl.yaml');
  await writeFile(join(folder, 'copy.c'), '\n');
  const indented = alerts.trimEnd().replaceAll(/^/gmu, '  ');
  await writeFile(config, `${CONFIG}alerts:\n${indented}\n`);
  const store = join(folder, '.pawl/history.db');
  return {
    config,
    store,
    async put(run) {
      const history = await openStore(store);
      await history.put(storedRunOf(run), { commits: [commitOf(run.at)] });
      await history.close();
    },
  };
}

/** The first 20 commits are alike. */
export async function withQuietPast(project: AlertsProject): Promise<void> {
  const history = await openStore(project.store);
  for (let at = 0; at < 20; at++) {
    await history.put(storedRunOf({ at, level_ms: 0.05, verdict: 'maintained' }), {
      commits: [commitOf(at)],
    });
  }
  await history.close();
}
