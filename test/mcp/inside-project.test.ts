import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { fromRoot, insideProject } from '../../src/mcp/inside-project.ts';

describe('a path that a client names', () => {
  let root: string;

  beforeAll(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pawl-mcp-')));
    root = join(folder, 'project');
    await mkdir(join(root, 'sub'), { recursive: true });
    await writeFile(join(root, 'sub/file.json'), '{}');
    await writeFile(join(folder, 'secret'), 'secret');
    await mkdir(join(folder, 'project-other'));
    await writeFile(join(folder, 'project-other/file'), '');
    await symlink(join(folder, 'secret'), join(root, 'link'));
    await symlink(folder, join(root, 'up'));
    await symlink(join(root, 'sub'), join(root, 'inner'));
  });

  it.each(['sub/file.json', './sub/../sub/file.json', 'inner/file.json'])(
    'is taken inside: %s',
    async (path) => {
      expect(await insideProject(root, path)).toBe(join(root, 'sub/file.json'));
    },
  );

  it('is taken where it is absolute and inside', async () => {
    expect(await insideProject(root, join(root, 'sub/file.json'))).toBe(join(root, 'sub/file.json'));
  });

  it.each([
    '../secret',
    'sub/../../secret',
    '/etc/passwd',
    'link',
    'up/secret',
    'up/project-other/file',
    '../project-other/file',
    'a\0b',
  ])('is refused outside: %j', async (path) => {
    await expect(insideProject(root, path)).rejects.toMatchObject({ kind: 'permission' });
  });

  it('is a mistake where nothing is there', async () => {
    await expect(insideProject(root, 'nothing')).rejects.toMatchObject({ kind: 'usage' });
  });

  it('is told without the folders above the project', () => {
    expect(fromRoot(root, join(root, 'sub/file.json'))).toBe('sub/file.json');
    expect(fromRoot(root, '/somewhere/else/file.json')).toBe('…/file.json');
  });
});
