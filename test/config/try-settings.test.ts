import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { trySettings } from '../../src/config/try-settings.ts';

const PROJECT = `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: oracle.cpp }
    cases: { small: { N: 10 } }
kernels:
  one: { problem: doubled, device: cpu, language: c++, sources: [one.cpp] }
`;

async function projectWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-settings-'));
  await writeFile(join(folder, 'pawl.yaml'), text);
  await writeFile(join(folder, 'oracle.cpp'), '');
  await writeFile(join(folder, 'one.cpp'), '');
  return folder;
}

describe('settings of a project', () => {
  it('are those that pawl.yaml sets', async () => {
    const root = await projectWith(`${PROJECT}store: team.db\n`);
    expect((await trySettings(root, ['store']))?.config.store).toBe('team.db');
  });

  it.each(['"store": team.db', "'store' : team.db", '? store\n: team.db', 'retention: {}\nstore: team.db'])(
    'are found however the key is written: %j',
    async (line) => {
      const root = await projectWith(`${PROJECT}${line}\n`);
      expect((await trySettings(root, ['store']))?.config.store).toBe('team.db');
    },
  );

  it.each(['', '# stores two halves at a time', '"description": "a store of: words, not a setting"'])(
    'are none where the file has no such key, and the rest of it is not read: %j',
    async (line) => {
      const root = await projectWith(`version: [\n${line}`);
      expect(await trySettings(root, ['store', 'retention'])).toEqual({ root, config: {} });
    },
  );

  it('are not guessed from a file with mistakes', async () => {
    const root = await projectWith('version: 1\nstore: 7\n');
    await expect(trySettings(root, ['store'])).rejects.toThrow(/pawl\.yaml/);
  });

  it('are undefined where there is no project, and a named one has to be there', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'pawl-none-'));
    expect(await trySettings(undefined, ['store'], empty)).toBeUndefined();
    await expect(trySettings('nowhere', ['store'], empty)).rejects.toThrow('There is no');
  });
});
