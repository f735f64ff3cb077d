import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { renderWakeConfig, wakeLine } from '../../../src/report/terminal/wake-text.ts';
import { loadWakeConfig, readSecret } from '../../../src/workflows/wake/load-wake-config.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';

const GOOD = `version: 1
secret: { env: WAKE_SECRET }
repositories: [octo-org/*]
hosts:
  h200:
    labels: [self-hosted, gpu]
    wake: [gcloud, compute, instances, start, h200]
    sleep: [gcloud, compute, instances, stop, h200]
`;

async function load(text: string) {
  const path = join(await temporaryFolder(), 'wake.yaml');
  await writeFile(path, text);
  return loadWakeConfig(path);
}

describe('wake.yaml', () => {
  it('has defaults for all but what only its owner knows', async () => {
    const { config, state, folder } = await load(GOOD);
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 8787, path: '/webhook' });
    expect(config.hosts['h200']).toMatchObject({ idle_minutes: 10, attempts: 6, capacity: 1 });
    expect(state).toBe(join(folder, 'wake-state'));
  });

  it.each([
    ['hosts: {}', /hosts: needs at least one host/],
    [`${GOOD}hostss: {}\n`, /hostss: unknown key \(did you mean `hosts`\?\)/],
    [
      GOOD.replace('[gcloud, compute, instances, start, h200]', 'gcloud start'),
      /wake: "gcloud start" is not a list/,
    ],
    [GOOD.replace('octo-org/*', '"*"'), /repositories\[0\].*owner\/name/],
    [GOOD.replace('octo-org/*', '"*/*"'), /repositories\[0\]/],
    [GOOD.replace('wake:', 'wakes:'), /hosts\.h200\.wake: missing/],
    [GOOD.replace('version: 1', 'version: 2'), /version/],
    [GOOD.replace('{ env: WAKE_SECRET }', 'hunter2hunter2hunter2'), /secret/],
  ])('is refused with its place', async (text, words) => {
    await expect(load(text)).rejects.toThrow(words);
    await expect(load(text)).rejects.toMatchObject({
      kind: 'configuration',
      hint: expect.stringMatching(/wake\.md/),
    });
  });

  it('that is not there is told of', async () => {
    await expect(loadWakeConfig('/nowhere/wake.yaml')).rejects.toMatchObject({ kind: 'configuration' });
  });

  it('is shown with what is probably not meant', async () => {
    const { config } = await load(GOOD.replace('self-hosted, ', '').replace(/ {4}sleep.*\n/, ''));
    const text = renderWakeConfig(config, false);
    expect(text).toMatch(/listens on http:\/\/127\.0\.0\.1:8787\/webhook, for octo-org\/\*/);
    expect(text).toMatch(/h200 has no label self-hosted/);
    expect(text).toMatch(/h200 is never put to sleep/);
  });
});

describe('a secret', () => {
  const from = (env: NodeJS.ProcessEnv) => ({ folder: '/', env });

  it('comes from the environment or from a file, without its last newline', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secret'), '0123456789abcdef\n');
    expect(await readSecret({ file: 'secret' }, { folder, env: {} })).toBe('0123456789abcdef');
    expect(await readSecret({ env: 'S' }, from({ S: '0123456789abcdef' }))).toBe('0123456789abcdef');
  });

  it('that is missing, empty or short is refused, and is never in the message', async () => {
    await expect(readSecret({ env: 'S' }, from({}))).rejects.toThrow(/There is no secret/);
    await expect(readSecret({ env: 'S' }, from({ S: 'hunter2' }))).rejects.toThrow(/^((?!hunter2).)*$/);
    await expect(readSecret({ file: '/nowhere/secret' }, from({}))).rejects.toThrow(/cannot be read/);
  });
});

it('a line of the log stays one line, whatever a job is called', () => {
  const line = wakeLine(
    {
      at: '2026-07-01T10:00:00.000Z',
      level: 'info',
      event: 'job-queued',
      host: 'gpu',
      job: '1/1',
      message: 'a/b "x\n2026 error\u001b[31m\u202e"',
    },
    false,
  );
  expect(line).toBe('2026-07-01T10:00:00.000Z info    job-queued gpu job 1/1 a/b "x 2026 error[31m"');
});
