import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { reportStore } from '../../src/workflows/static-report/report-store.ts';
import { fixtureProject } from '../e2e/pawl-cli.ts';

describe('the store of a report', () => {
  it('is the one that pawl.yaml names, unless the environment or the caller names another', async () => {
    const folder = await fixtureProject(['right']);
    await appendFile(join(folder, 'pawl.yaml'), 'store: team.db\n');
    await expect(reportStore({ config: folder }, {})).rejects.toThrow(/no history here/);
    await writeFile(join(folder, 'team.db'), '');
    expect(await reportStore({ config: folder }, {})).toBe(join(folder, 'team.db'));
    const other = 'postgres://host/history';
    expect(await reportStore({ config: folder }, { PAWL_STORE: other })).toBe(other);
    expect(await reportStore({ config: folder, store: other }, {})).toBe(other);
  });
});
