import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PostgresServer, whyNoPostgres } from '../../services/postgres-server.ts';
import { makeHome, makeProject } from './projects.ts';
import { hintsIn, kindOf, ownWords, runInCopy, runShell, type Place } from './run-shown.ts';
import { HINTS_NOT_RUN, SCENARIOS, stepOf, type Scenario } from './table.ts';

/** Good, bad, undecided, and without the device that it is for: what it says is what a person learns from it. */
const USEFUL = [0, 1, 2, 69];

/** Runs the commands of each scenario, and what they tell their reader to run next. */
export function describeScenarios(scenarios: readonly Scenario[]): void {
  const shownIn = (all: readonly Scenario[]): string[] =>
    all.flatMap(({ steps }) => steps.map((step) => stepOf(step).shown));
  const known = new Set(shownIn(SCENARIOS));
  const needsPostgres = shownIn(scenarios).some(isForPostgres);
  const noPostgres = needsPostgres ? whyNoPostgres() : undefined;
  let home: string;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    home = await makeHome();
    if (needsPostgres && noPostgres === undefined) postgres = await PostgresServer.start();
  });
  afterAll(() => postgres?.stop());

  describe.each(scenarios)('$name', { timeout: 600_000 }, ({ project, steps }) => {
    let place: Place;
    beforeAll(async () => {
      const env = { TEAM_STORE: postgres?.url ?? '' };
      place = { home, project, env, folder: await makeProject(project, home) };
    });

    it.for(steps.map(stepOf))('$shown', async ({ shown, ends, before = 'true' }, { skip }) => {
      if (isForPostgres(shown) && noPostgres !== undefined) skip(noPostgres);
      expect(await runShell(before, place)).toMatchObject({ code: 0 });
      const run = await runShell(ownWords(shown, project), place);
      for (const hint of hintsIn(run)) {
        if (known.has(kindOf(hint)) || HINTS_NOT_RUN.test(hint)) continue;
        known.add(kindOf(hint));
        const { code, stderr } = await runInCopy(ownWords(hint, project), place);
        expect.soft(USEFUL, `${hint}\n${stderr}`).toContain(code);
      }
      expect(ends, run.stderr).toContain(run.code);
    });
  });
}

function isForPostgres(shown: string): boolean {
  return shown.includes('postgres://');
}
