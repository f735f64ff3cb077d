import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { commandTree } from '../../src/cli/command-tree.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { completionScript } from '../../src/cli/completion-scripts.ts';
import { manualPage } from '../../src/cli/manual-page.ts';
import { pawlProgram } from '../../src/cli/program.ts';

const tree = commandTree(await pawlProgram());
const shownNames = COMMANDS.filter(({ group }) => group !== undefined).map(({ name }) => name);

describe('completion in bash', () => {
  const script = completionScript('bash', tree);

  /** What a tab completes the last word to. */
  function completed(...words: readonly string[]): string[] {
    const typed = ['pawl', ...words].map((word) => `'${word}'`).join(' ');
    const text = execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _pawl; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    );
    return text.split('\n').filter((word) => word !== '');
  }

  it('knows every command that help shows', () => {
    expect(completed('')).toEqual(expect.arrayContaining(shownNames));
    expect(completed('')).not.toContain('engine');
  });

  it.each([
    [['be'], ['bench']],
    [['history', 'pr'], ['prune']],
    [['bench', '--verif'], ['--verified']],
    [
      ['bench', '--timing', ''],
      ['blocked', 'plain'],
    ],
    [['bench', '--quiet', '--timing', 'p'], ['plain']],
    [['history', 'list', '--verdict', 'reg'], ['regressed']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', '--help'],
    ],
  ])('completes %j to %j', (words, expected) => {
    expect(completed(...words)).toEqual(expected);
  });

  it('leaves values that can be anything to file names', () => {
    expect(completed('bench', '--out', '')).toEqual([]);
  });
});

describe.each(['zsh', 'fish'] as const)('completion in %s', (shell) => {
  it('names every command and every option', () => {
    const script = completionScript(shell, tree);
    for (const name of shownNames) expect(script).toContain(name);
    const longs = tree.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
    for (const long of longs) expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
  });
});

describe('the manual page', () => {
  const page = manualPage(tree, '1.2.3');

  it('has every command that help shows, with its options', () => {
    for (const { path } of tree.filter(({ path: words }) => words.length > 0)) {
      expect(page).toContain(`.SS "pawl ${path.join(' ').replaceAll('-', String.raw`\-`)}"`);
    }
    expect(page).toContain(String.raw`\-\-processes`);
    expect(page).toContain('pawl 1.2.3'.replace('pawl', 'Pawl'));
  });

  it('begins no line with a request that is not ours', () => {
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    const known = /^\.(TH|SH|SS|TP|PP|B|RI|nf|fi)\b/;
    expect(requests.filter((line) => !known.test(line))).toEqual([]);
  });
});
