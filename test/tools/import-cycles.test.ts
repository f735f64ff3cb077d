import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../device/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TOOL = join(ROOT, 'tools/import-cycles.js');

interface Looked {
  readonly failed: boolean;
  readonly lines: readonly string[];
}

function lookThrough(folder: string): Promise<Looked> {
  return new Promise((done) => {
    execFile(process.execPath, [TOOL, 'src'], { cwd: folder }, (error, text) =>
      done({ failed: error !== null, lines: text.trim().split('\n') }),
    );
  });
}

async function lookThroughFiles(files: Readonly<Record<string, string>>): Promise<Looked> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'src', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return lookThrough(folder);
}

describe('import-cycles', () => {
  it('finds files that import one another in a circle, by types and at run time too', async () => {
    const { failed, lines } = await lookThroughFiles({
      'a.ts': "import {\n  type B,\n} from './b.ts';\n",
      'b.ts': "export const c = () => import('./c.tsx');\n",
      'c.tsx': "export * from './a.ts';\n",
      'd.ts': "import './a.ts';\nimport { z } from 'zod';\n",
    });
    expect(failed).toBe(true);
    expect(lines).toEqual(['file cycle: src/a.ts src/b.ts src/c.tsx', 'src: 1 file cycles, 0 folder cycles']);
  });

  it('finds folders that import one another although no two files do', async () => {
    const { failed, lines } = await lookThroughFiles({
      'room/top.ts': "import { step } from './steps/step.ts';\n",
      'room/shared.ts': 'export const shared = 1;\n',
      'room/steps/step.ts': "export { shared as step } from '../shared.ts';\n",
    });
    expect(failed).toBe(true);
    expect(lines).toEqual(['folder cycle: src/room src/room/steps', 'src: 0 file cycles, 1 folder cycles']);
  });

  it('lets a folder import in one direction', async () => {
    const { failed, lines } = await lookThroughFiles({
      'room/top.ts': "import { step } from './steps/step.ts';\n",
      'room/steps/step.ts': "export { shared as step } from '../shared/shared.ts';\n",
      'room/shared/shared.ts': 'export const shared = 1;\n',
    });
    expect(failed).toBe(false);
    expect(lines).toEqual(['src: 0 file cycles, 0 folder cycles']);
  });

  it('finds none in Pawl', async () => {
    expect(await lookThrough(ROOT)).toEqual({
      failed: false,
      lines: ['src: 0 file cycles, 0 folder cycles'],
    });
  });
});
