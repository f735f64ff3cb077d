import { expect, it } from 'vitest';

import { inCommitOrder } from '../../../src/history/queries/in-commit-order.ts';

function order(shas: string, parents: Record<string, string>): string {
  const points = shas.split('').map((commit) => ({ commit }));
  return inCommitOrder(points, new Map(Object.entries(parents)))
    .map(({ commit }) => commit)
    .join('');
}

it('moves a commit behind its parent, however many were out of order', () => {
  expect(order('acb', { c: 'b', b: 'a' })).toBe('abc');
  expect(order('dcba', { d: 'c', c: 'b', b: 'a' })).toBe('abcd');
});

it('leaves commits alone of which no parent is there', () => {
  expect(order('cab', {})).toBe('cab');
  expect(order('cab', { c: 'x', a: 'y' })).toBe('cab');
});

it('keeps two branches apart', () => {
  expect(order('mxyn', { n: 'm', y: 'x', x: 'm' })).toBe('mxyn');
});

it('ends where parents are written in a circle', () => {
  expect(order('ab', { a: 'b', b: 'a' })).toBe('ba');
});
