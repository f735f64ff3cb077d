import { describe, expect, test } from 'vitest';

import { matchTries, type TryQuestion } from '../../../src/learn/lessons/match-tries.ts';
import { diffOf, moved, sessionOf, type SessionOf, type TryOf } from './session-of.ts';

const NOW = new Date('2025-11-20T12:00:00Z');
const HERE = { kind: 'attention', device: 'NVIDIA L4', now: NOW };

const VECTORISED = diffOf(
  ['  for (int d = threadIdx.x; d < D; d += THREADS)', '    tile[row][d] = k[row * D + d];'],
  [
    '  for (int c = threadIdx.x; c < D / 8; c += THREADS)',
    '    reinterpret_cast<uint4 *>(tile[row])[c] = reinterpret_cast<const uint4 *>(k + row * D)[c];',
  ],
);
/** The same, indented otherwise and with a comment. */
const VECTORISED_AGAIN = VECTORISED.replace('+  for', '+      for').concat('+// sixteen bytes at a time\n');
const TAKEN_BACK = diffOf(
  [
    '  for (int c = threadIdx.x; c < D / 8; c += THREADS)',
    '    reinterpret_cast<uint4 *>(tile[row])[c] = reinterpret_cast<const uint4 *>(k + row * D)[c];',
  ],
  ['  for (int d = threadIdx.x; d < D; d += THREADS)', '    tile[row][d] = k[row * D + d];'],
);
const UNROLLED = diffOf(
  ['  for (int i = 0; i < N; i++)'],
  ['#pragma unroll 8', '  for (int i = 0; i < N; i++)'],
);

interface Pair {
  readonly name: string;
  readonly earlier: TryOf;
  readonly where?: SessionOf;
  readonly now: Omit<TryQuestion, 'sessions'>;
}

/** What a careful reader of both would call the same try. */
const ALIKE: readonly Pair[] = [
  {
    name: 'the same tile again',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_M', 128, 64)] },
  },
  {
    name: 'further the wrong way',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_M', 64, 32)] },
  },
  {
    name: 'over it in one step',
    earlier: { variables: [moved('STAGES', 2, 3)] },
    now: { variables: [moved('STAGES', 1, 4)] },
  },
  {
    name: 'one half of what was moved together',
    earlier: { variables: [moved('NUM_WARPS', 4, 8), moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_M', 128, 64)] },
  },
  {
    name: 'a constant of a C suffix',
    earlier: { variables: [{ kind: 'constant', name: 'SCALE', from: '1.0f', to: '0.5f' }] },
    now: { variables: [{ kind: 'constant', name: 'SCALE', from: '1.0f', to: '0.25f' }] },
  },
  {
    name: 'a flag without a number',
    earlier: { variables: [{ kind: 'flag', name: '-O', from: '3', to: 'fast' }] },
    now: { variables: [{ kind: 'flag', name: '-O', from: '3', to: 'fast' }] },
  },
  {
    name: 'the same idea in the same words',
    earlier: { idea: 'split the softmax' },
    now: { idea: 'Split the softmax!' },
  },
  {
    name: 'the same idea in other forms of the words',
    earlier: { idea: 'unrolling key loops' },
    now: { idea: 'unroll the key loop' },
  },
  {
    name: 'the same idea said otherwise',
    earlier: { idea: 'use smaller tiles' },
    now: { idea: 'reduce the tile size' },
  },
  {
    name: 'the same lines, other indentation',
    earlier: { diff: VECTORISED },
    now: { change: VECTORISED_AGAIN },
  },
  {
    name: 'the same lines in another kind of kernel',
    earlier: { diff: VECTORISED },
    where: { kind: 'gemm' },
    now: { change: { diff: VECTORISED } },
  },
  {
    name: 'wrong results before',
    earlier: { variables: [moved('STAGES', 2, 1)], outcome: 'incorrect' },
    now: { variables: [moved('STAGES', 2, 1)] },
  },
  {
    name: 'no gain before',
    earlier: { variables: [moved('UNROLL', 1, 2)], outcome: 'no-gain' },
    now: { variables: [moved('UNROLL', 1, 4)] },
  },
  {
    name: 'a switch',
    earlier: { variables: [moved('SWIZZLE', 'true', 'false')] },
    now: { variables: [moved('SWIZZLE', 'true', 'false')] },
  },
  {
    name: 'what helped, from the same start',
    earlier: { variables: [moved('BLOCK_N', 32, 64)], outcome: 'improved' },
    now: { variables: [moved('BLOCK_N', 32, 64)] },
  },
];

const DIFFERENT: readonly Pair[] = [
  {
    name: 'new code that happens to have a constant of the same name',
    earlier: {
      variables: [
        { kind: 'constant', name: 'C', to: 'CHUNKS * 128' },
        { kind: 'constant', name: 'CHUNKS', to: '6' },
      ],
    },
    now: { variables: [{ kind: 'constant', name: 'C', to: 'CHUNKS * 128' }] },
  },
  {
    name: 'the same knob the other way',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_M', 128, 256)] },
  },
  {
    name: 'back to where it was',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_M', 64, 128)] },
  },
  {
    name: 'the same way, but only up to where it began',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_M', 256, 128)] },
  },
  {
    name: 'another knob',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    now: { variables: [moved('BLOCK_N', 128, 64)] },
  },
  {
    name: 'one of four that were moved together',
    earlier: { variables: [moved('A', 1, 2), moved('B', 1, 2), moved('C', 1, 2), moved('D', 1, 2)] },
    now: { variables: [moved('A', 1, 2)] },
  },
  {
    name: 'beyond what helped',
    earlier: { variables: [moved('BLOCK_N', 32, 64)], outcome: 'improved' },
    now: { variables: [moved('BLOCK_N', 64, 128)] },
  },
  { name: 'the opposite idea', earlier: { idea: 'smaller tiles' }, now: { idea: 'larger tiles' } },
  {
    name: 'another idea that shares a word',
    earlier: { idea: 'swizzle shared memory' },
    now: { idea: 'pin shared pages' },
  },
  {
    name: 'an idea that only repeats the finding',
    earlier: { idea: 'bank-conflicts', rule: 'bank-conflicts', diff: VECTORISED },
    now: { idea: 'bank-conflicts', change: UNROLLED },
  },
  {
    name: 'another edit of the same function',
    earlier: { idea: 'load_tile', diff: VECTORISED, variables: [{ kind: 'function', name: 'load_tile' }] },
    now: { idea: 'load_tile', change: UNROLLED, variables: [{ kind: 'function', name: 'load_tile' }] },
  },
  { name: 'taking back what was tried', earlier: { diff: VECTORISED }, now: { change: TAKEN_BACK } },
  { name: 'other lines', earlier: { diff: VECTORISED }, now: { change: UNROLLED } },
  {
    name: 'the same name in another kind of kernel',
    earlier: { variables: [moved('BLOCK_M', 128, 64)] },
    where: { kind: 'gemm' },
    now: { variables: [moved('BLOCK_M', 128, 64)] },
  },
  {
    name: 'a try that said nothing',
    earlier: { variables: [moved('BLOCK_M', 128, 64)], outcome: 'undecided' },
    now: { variables: [moved('BLOCK_M', 128, 64)] },
  },
  {
    name: 'a try that did not build',
    earlier: { variables: [moved('BLOCK_M', 128, 64)], outcome: 'failed' },
    now: { variables: [moved('BLOCK_M', 128, 64)] },
  },
  {
    name: 'nothing but braces in common',
    earlier: { diff: diffOf([], ['{', '  left();', '}']) },
    now: { change: diffOf([], ['{', '  right();', '}']) },
  },
];

describe('a labelled set of pairs', () => {
  test.each(ALIKE)('is matched: $name', ({ earlier, where, now }) => {
    expect(matchTries({ sessions: [sessionOf([earlier], where)], ...HERE, ...now })).toHaveLength(1);
  });

  test.each(DIFFERENT)('is not matched: $name', ({ earlier, where, now }) => {
    expect(matchTries({ sessions: [sessionOf([earlier], where)], ...HERE, ...now })).toEqual([]);
  });
});

const GUESS: TryOf = {
  variables: [moved('BLOCK_M', 128, 64)],
  change_pct: -33.3,
  learnt: 'the smaller tile reads K and V twice as often',
  hypothesis: 'smaller tiles fit better',
};

test('a warning says when, where, how fast and why', () => {
  const [warning] = matchTries({
    sessions: [sessionOf([GUESS])],
    ...HERE,
    variables: [moved('BLOCK_M', 128, 64)],
  });
  expect(warning).toEqual({
    kind: 'earlier-try',
    id: '20251013-090000-attention/try-1',
    text: 'tried on 13 Oct on NVIDIA L4, 0.75×, because the smaller tile reads K and V twice as often ("smaller tiles fit better").',
    matched: 'tunable: BLOCK_M 128 → 64',
    matched_by: 'tunables',
    nearness: 'same-device',
  });
});

test('what was measured says why where nobody did, and another year is named', () => {
  const { learnt: _, ...unexplained } = GUESS;
  const [warning] = matchTries({
    sessions: [sessionOf([{ ...unexplained, reason: '33 % slower' }])],
    ...HERE,
    now: new Date('2026-01-02T00:00:00Z'),
    variables: [moved('BLOCK_M', 128, 64)],
  });
  expect(warning?.text).toContain('tried on 13 Oct 2025 on NVIDIA L4, 0.75×, because 33 % slower');
});

test('a try that helped says so', () => {
  const helped: TryOf = { ...GUESS, outcome: 'improved', change_pct: 20 };
  const [warning] = matchTries({
    sessions: [sessionOf([helped])],
    ...HERE,
    variables: [moved('BLOCK_M', 128, 64)],
  });
  expect(warning?.text).toMatch(/^it helped on 13 Oct on NVIDIA L4, 1\.25×/);
});

test('tries on this device come before those on others, and failures before successes', () => {
  const there = sessionOf([GUESS], { id: 'there', device: 'NVIDIA H200' });
  const here = sessionOf([{ ...GUESS, outcome: 'improved', change_pct: 5 }, GUESS], { id: 'here' });
  const found = matchTries({ sessions: [there, here], ...HERE, variables: [moved('BLOCK_M', 128, 64)] });
  expect(found.map(({ id, nearness }) => [id, nearness])).toEqual([
    ['here/try-2', 'same-device'],
    ['here/try-1', 'same-device'],
    ['there/try-1', 'same-kind'],
  ]);
});

test('a try that changed three things says nothing of one of them, and something of all three', () => {
  const variables = [moved('BLOCK_M', 128, 64), moved('STAGES', 2, 3), moved('WARPS', 4, 8)];
  const sessions = [sessionOf([{ variables, change_pct: -20, flags: ['several-variables'] }])];
  expect(matchTries({ ...HERE, sessions, variables: variables.slice(0, 2) })).toEqual([]);
  expect(matchTries({ ...HERE, sessions, variables })).toHaveLength(1);
});
