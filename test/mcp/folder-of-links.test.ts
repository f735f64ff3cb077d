import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { failure } from '../../src/mcp/server/call-tool.ts';
import { RESOURCES } from '../../src/mcp/resources/resources.ts';
import type { Project } from '../../src/mcp/tool.ts';
import { compareTool } from '../../src/mcp/tools/compare.ts';
import { documentOf } from './samples-document.ts';

const SECRET = 'hunter2:sesame';

describe('what a project holds links to', () => {
  let project: Project;
  let outside: string;

  beforeAll(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pawl-links-')));
    outside = join(folder, 'outside');
    const root = join(folder, 'project');
    project = { root, config: join(root, 'pawl.yaml') };
    await mkdir(outside);
    await mkdir(join(root, 'samples'), { recursive: true });
    await writeFile(join(outside, 'secret'), SECRET);
    await writeFile(join(outside, 'secret.json'), JSON.stringify({ schema: SECRET }));
    await writeFile(join(outside, 'samples.json'), documentOf('elsewhere'));
    await writeFile(join(root, 'samples', 'own.json'), documentOf('own'));
    for (const name of ['secret', 'secret.json', 'samples.json']) {
      await mkdir(join(root, `of-${name}`));
      await symlink(join(outside, name), join(root, `of-${name}`, 'x.json'));
    }
    await mkdir(join(root, 'dangling'));
    await symlink(join(outside, 'none'), join(root, 'dangling', 'x.json'));
    await mkdir(join(root, 'inner'));
    await symlink(join(root, 'samples', 'own.json'), join(root, 'inner', 'x.json'));
    await writeFile(join(root, 'text'), SECRET);
  });

  const compare = async (baseline_file: string) => {
    const call = { project, env: {}, now: () => new Date(), signal: new AbortController().signal };
    const asked = compareTool.input.parse({ baseline_file, candidate_file: 'samples' });
    return compareTool.run(asked as never, { ...call, onProgress: () => undefined });
  };
  const said = async (baseline_file: string): Promise<string> =>
    compare(baseline_file).then(
      (answer) => JSON.stringify(answer),
      (error: unknown) => JSON.stringify(failure(error, [])),
    );

  it.each(['of-secret', 'of-secret.json', 'of-samples.json'])(
    'outside of it is not read through the folder %s',
    async (name) => {
      const text = await said(name);
      expect(text).toContain('leads outside the project');
      expect(text).not.toMatch(/hunter|sesame|elsewhere/);
    },
  );

  it('is not there where nothing is', async () => {
    expect(await said('dangling')).toContain('There is no ');
  });

  it('inside of it is read', async () => {
    const { value } = await compare('inner');
    expect(JSON.stringify(value)).toContain('own');
  });

  it('is not quoted where it is not JSON', async () => {
    const text = await said('text');
    expect(text).toContain('is not JSON');
    expect(text).not.toMatch(/hunter|sesame/);
  });

  const resource = (name: string) => RESOURCES.find((one) => one.name === name)!.read({ project, env: {} });

  it('outside of it is no report', async () => {
    const runs = join(project.root, '.pawl', 'runs');
    await mkdir(join(runs, '2026-01-01'), { recursive: true });
    await mkdir(join(runs, '2026-01-02'));
    await writeFile(join(runs, '2026-01-01', 'report.md'), 'measured here');
    await symlink(join(outside, 'secret'), join(runs, '2026-01-02', 'report.md'));
    expect(await resource('latest-report')).toBe('measured here');
  });

  it('outside of it is not its pawl.yaml', async () => {
    await symlink(join(outside, 'secret'), project.config);
    await expect(resource('config')).rejects.toMatchObject({ kind: 'permission' });
  });
});
