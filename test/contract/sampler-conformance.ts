import { describe, expect, it } from 'vitest';

import { Expression } from '../../src/config/expression/expression.ts';
import type { Outcome, Sampler, SamplerOptions } from '../../src/tune/samplers/sampler.ts';
import { createSpace } from '../../src/tune/space/create-space.ts';
import { pointKey } from '../../src/tune/space/space.ts';
import type { Parameter, Point, Space } from '../../src/tune/space/space.ts';

const ordered = (name: string, values: readonly number[]): Parameter => ({ name, kind: 'ordered', values });

/** 104 feasible points, of an ordered, a categorical and a boolean parameter and one that never varies. */
export function smallSpace(): Space {
  return createSpace({
    parameters: [
      ordered('threads_x', [8, 16, 32, 48, 64, 128]),
      ordered('threads_y', [1, 2, 4, 8]),
      { name: 'layout', kind: 'categorical', values: ['rows', 'columns', 'tiles'] },
      { name: 'pad', kind: 'boolean', values: [false, true] },
      ordered('always', [7]),
    ],
    constraints: [
      Expression.parse('32 <= threads_x * threads_y <= 512'),
      Expression.parse('layout != "tiles" or threads_x % 16 == 0'),
      Expression.parse('not pad or threads_y > 1'),
    ],
  });
}

function hugeSpace(): Space {
  const names = Array.from({ length: 14 }, (_, index) => `t${index}`);
  return createSpace({
    parameters: names.map((name) => ordered(name, [1, 2, 3, 4, 6, 8, 12, 16])),
    constraints: [Expression.parse('t0 * t1 <= 32'), Expression.parse('t2 + t3 + t4 >= 8')],
  });
}

/** A bowl with one best point, where some points fail. */
export function measure(space: Space, point: Point): Outcome {
  const { threads_x, threads_y, layout, pad } = space.variantOf(point);
  if (threads_x === 48 && layout === 'columns') return { rejected: 'build_failed' };
  const x = Math.log2(Number(threads_x) / 64);
  const y = Math.log2(Number(threads_y) / 2);
  return { time_ms: 1 + x * x + y * y + (layout === 'tiles' ? 0 : 0.5) + (pad === true ? 0.1 : 0) };
}

function search(sampler: Sampler, trials: number, tell: (point: Point) => Outcome): Point[] {
  const points: Point[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const point = sampler.ask();
    if (point === undefined) break;
    points.push(point);
    sampler.tell(point, tell(point));
  }
  return points;
}

const keys = (points: readonly Point[]) => points.map(pointKey);

/** What every sampler must hold to. `isForAll`: it can walk spaces that are too large to list. */
export function describeSampler(
  name: string,
  create: (options: SamplerOptions) => Sampler,
  isForAll = true,
): void {
  describe(`the ${name} sampler`, () => {
    it('proposes every feasible point once, no other, and then nothing', () => {
      const space = smallSpace();
      const points = search(create({ space, seed: 3, trials: 40 }), 1000, (point) => measure(space, point));
      expect(keys(points).toSorted()).toEqual(keys(space.all()!).toSorted());
    });

    it('proposes the same points again for the same seed', () => {
      const space = smallSpace();
      const [one, other] = [0, 1].map(() =>
        search(create({ space, seed: 11, trials: 40 }), 40, (point) => measure(space, point)),
      );
      expect(one).toEqual(other);
    });

    it('proposes distinct points when asked again and again without being told', () => {
      const space = smallSpace();
      const sampler = create({ space, seed: 5, trials: 60 });
      search(sampler, 15, (point) => measure(space, point));
      const pending = Array.from({ length: 20 }, () => sampler.ask()!);
      expect(new Set(keys(pending)).size).toBe(20);
      // Told in another order than asked for, and some of them never.
      for (const point of pending.toReversed().slice(5)) sampler.tell(point, measure(space, point));
      const more = search(sampler, 20, (point) => measure(space, point));
      expect(new Set(keys([...pending, ...more])).size).toBe(40);
    });

    it('goes on from what another run told, without repeating it', () => {
      const space = smallSpace();
      const before = search(create({ space, seed: 1, trials: 60 }), 30, (point) => measure(space, point));
      const resumed = create({ space, seed: 2, trials: 60 });
      for (const point of before) resumed.tell(point, measure(space, point));
      const after = search(resumed, 30, (point) => measure(space, point));
      expect(new Set(keys([...before, ...after])).size).toBe(60);
      expect(after.every((point) => space.contains(point))).toBe(true);
    });

    it('proposes what it was given first, in that order, leaving out repeats and infeasible points', () => {
      const space = smallSpace();
      const [one, two] = [space.all()![17]!, space.all()![4]!];
      const first = [one, [0, 0, 0, 0, 0], one, two];
      const sampler = create({ space, seed: 1, trials: 20, first });
      const points = search(sampler, 20, (point) => measure(space, point));
      expect(points.slice(0, 2)).toEqual([one, two]);
      expect(new Set(keys(points)).size).toBe(20);
    });

    it('survives a space in which everything fails', () => {
      const space = smallSpace();
      const points = search(create({ space, seed: 9, trials: 50 }), 1000, () => ({ rejected: 'run_failed' }));
      expect(points.length).toBe(space.size);
    });

    it('survives a space in which all times are equal', () => {
      const space = smallSpace();
      const points = search(create({ space, seed: 9, trials: 50 }), 1000, () => ({ time_ms: 2.5 }));
      expect(points.length).toBe(space.size);
    });

    it('survives times of very different sizes, and words that are no time', () => {
      const space = smallSpace();
      const times = [1e-9, 1e12, Number.NaN, 0, Infinity, 3];
      let told = 0;
      const points = search(create({ space, seed: 4, trials: 50 }), 60, () => ({
        time_ms: times[told++ % times.length]!,
      }));
      expect(new Set(keys(points)).size).toBe(60);
    });

    it('takes no notice of points that are not in the space, nor of a second word on one', () => {
      const space = smallSpace();
      const sampler = create({ space, seed: 4, trials: 30 });
      sampler.tell([0, 0, 0, 0, 0], { time_ms: 1e-6 });
      sampler.tell([99, -1, 5], { time_ms: 1e-6 });
      const [point] = search(sampler, 1, () => ({ time_ms: 3 }));
      sampler.tell(point!, { rejected: 'run_failed' });
      expect(search(sampler, 30, (one) => measure(space, one))).toHaveLength(30);
    });

    it('proposes the only point of a space, and then nothing', () => {
      const space = createSpace({ parameters: [ordered('a', [4]), ordered('b', [1])] });
      const sampler = create({ space, seed: 1, trials: 10 });
      expect(search(sampler, 10, () => ({ time_ms: 1 }))).toEqual([[0, 0]]);
      expect(sampler.ask()).toBeUndefined();
    });

    it.runIf(isForAll)('searches a space that is too large to list', () => {
      const space = hugeSpace();
      expect(space.all()).toBeUndefined();
      const time = (point: Point) => ({
        time_ms: 1 + point.reduce((sum, index) => sum + (index - 3) ** 2, 0),
      });
      const points = search(create({ space, seed: 6, trials: 40 }), 40, time);
      expect(new Set(keys(points)).size).toBe(40);
      expect(points.every((point) => space.contains(point))).toBe(true);
    });
  });
}
