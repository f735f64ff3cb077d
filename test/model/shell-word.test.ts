import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { shellWord } from '../../src/model/text/shell-word.ts';

const WORDS = [
  'attention',
  '-O3',
  "it's",
  '',
  '$(reboot)',
  'a b',
  'a\nb',
  '=ls',
  '*',
  '~',
  'naïve',
  '`id`',
  'A=1;B',
];

test('a shell reads each word as it was', () => {
  const script = `printf '%s\\0' ${WORDS.map(shellWord).join(' ')}`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(WORDS);
});

test('words that need no quotes have none', () => {
  expect(['BLOCK_N=64,STAGES=2', '-O3', 'src/kernel.cu', 'a@b'].map(shellWord)).toEqual([
    'BLOCK_N=64,STAGES=2',
    '-O3',
    'src/kernel.cu',
    'a@b',
  ]);
  expect(shellWord('=ls')).toBe("'=ls'");
});
