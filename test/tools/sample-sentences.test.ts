import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { commitAll, git } from '../ci/main-branch.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

const TOOL = resolve(import.meta.dirname, '../../tools/sample-sentences.js');

const BEFORE = {
  'src/errors.ts': `// A comment is not read by users.
import { x } from './not a file name at all.ts';
export const one = 'This is a lease of no time.';
export const two = \`There is no study \${x} in this folder. Start one before you ask.\`;
export const code = 'one two';
`,
  'web/app/page.tsx': `export const Page = () => (
  <p class="never shown to any reader">
    This doesn't break on an
    apostrophe in the text.
  </p>
);
`,
  'docs/guide.md': `# How to begin with Pawl

The first sentence of the guide
is on two lines. The second one is short too.

\`\`\`sh
what a command printed is left out here
\`\`\`

| what | a cell with enough words |
`,
  'docs/results/run.md': 'What was recorded of a run is left out.\n',
  'action.yml': 'name: a\ndescription: Checks every pull request for regressions.\n',
};

const AFTER = {
  ...BEFORE,
  'src/errors.ts': `export const one = '--lease must be greater than 0.';
export const two = (name: string) => \`There is no study \${name} in this folder. Start one first.\`;
`,
  'docs/guide.md': 'Nothing is left of this page.\n',
  'README.md': 'The second one is short too.\n',
};

let folder: string;

async function sample(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [TOOL, ...args], { cwd: folder });
  return stdout.trimEnd().split('\n');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await git(folder, 'init', '--quiet');
  for (const files of [BEFORE, AFTER]) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await commitAll(folder, 'A state');
  }
});

describe('sample-sentences', () => {
  it('finds the sentences that people read, with their lines, and nothing else', async () => {
    expect(await sample('HEAD~1')).toEqual([
      'action.yml:2\tChecks every pull request for regressions.',
      'docs/guide.md:1\tHow to begin with Pawl',
      'docs/guide.md:3\tThe first sentence of the guide is on two lines.',
      'docs/guide.md:4\tThe second one is short too.',
      'docs/guide.md:10\ta cell with enough words',
      'src/errors.ts:3\tThis is a lease of no time.',
      'src/errors.ts:4\tThere is no study ${…} in this folder.',
      'src/errors.ts:4\tStart one before you ask.',
      "web/app/page.tsx:3\tThis doesn't break on an apostrophe in the text.",
    ]);
  });

  it('draws the same sentences for the same seed, and others for another', async () => {
    const drawn = await sample('--count', '4', 'HEAD~1');
    expect(drawn).toHaveLength(4);
    expect(await sample('--seed', '27', '--count', '4', 'HEAD~1')).toEqual(drawn);
    expect(await sample('--seed', '3', '--count', '4', 'HEAD~1')).not.toEqual(drawn);
  });

  it('says what became of each at another revision', async () => {
    const lines = await sample('HEAD~1', '--against', 'HEAD');
    const states = lines.slice(0, -1).map((line) => line.split('\t')[0]);
    expect(states.join(' ')).toBe('same changed changed moved changed changed same changed same');
    expect(lines.at(-1)).toBe('9 of the 9 sentences of HEAD~1: 5 changed by HEAD, 1 moved, 3 as they were');
  });
});
