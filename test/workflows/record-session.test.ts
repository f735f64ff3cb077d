import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { importHistory } from '../../src/workflows/history.ts';
import { recordSession } from '../../src/history/store/record-run.ts';
import { fixtureProject } from '../e2e/pawl-cli.ts';
import { sessionOf } from '../history/session-of.ts';

it('keeps a session after each step in the store of its project', async () => {
  const config = await fixtureProject(['right']);
  const session = sessionOf({ at: 0, how: 'open', revision: 2 });
  await recordSession(session, { config });
  await recordSession({ ...session, revision: 3, next: 'pawl session end' }, { config });
  const store = await openStore(join(config, '.pawl', 'history.db'));
  try {
    expect((await store.sessions()).items).toHaveLength(1);
    expect(await store.session(session.id)).toMatchObject({ revision: 3, next: 'pawl session end' });
  } finally {
    await store.close();
  }
});

it('imports a file that holds a session, once, and leaves out one that does not keep to its schema', async () => {
  const config = await fixtureProject(['right']);
  const [whole, broken] = [join(config, 'whole.json'), join(config, 'broken.json')];
  const session = sessionOf({ at: 0 });
  await writeFile(whole, JSON.stringify(session, undefined, 2));
  await writeFile(broken, JSON.stringify({ schema: session.schema, id: 1 }));
  expect(await importHistory({ config, paths: [whole, broken] })).toMatchObject({
    stored: 1,
    problems: [expect.stringContaining('does not match the schema pawl.session/1')],
  });
  expect(await importHistory({ config, paths: [whole] })).toMatchObject({ stored: 0, known: 1 });
});
