import { describe, expect, it } from 'vitest';

import { Xoshiro128 } from '../../../src/stats/random.ts';
import { Candidates } from '../../../src/tune/samplers/model/candidates.ts';
import { CHUNK, ChunkScratch, Covariances } from '../../../src/tune/samplers/model/covariances.ts';
import { Encoding } from '../../../src/tune/samplers/model/encoding.ts';
import { expectedImprovement } from '../../../src/tune/samplers/model/expected-improvement.ts';
import { Layout } from '../../../src/tune/samplers/model/hyperparameters.ts';
import { Kernel } from '../../../src/tune/samplers/model/kernel.ts';
import { Process } from '../../../src/tune/samplers/model/process.ts';
import { FULL_VIEW, MODEL_SETTINGS } from '../../../src/tune/samplers/model/settings.ts';
import { Shortlist } from '../../../src/tune/samplers/model/shortlist.ts';
import { Scratches, Stage } from '../../../src/tune/samplers/model/stage.ts';
import type { Score } from '../../../src/tune/samplers/model/stage.ts';
import { StagedSurrogate } from '../../../src/tune/samplers/model/staged-surrogate.ts';
import { Scratch, Surrogate } from '../../../src/tune/samplers/model/surrogate.ts';
import { Survey } from '../../../src/tune/samplers/model/survey.ts';
import { createSpace } from '../../../src/tune/space/create-space.ts';

const OBSERVED = 130;

/** Random candidates of a space of twelve tunables, some observed, and a time that two tunables explain. */
function setUp(count: number) {
  const space = createSpace({
    parameters: Array.from({ length: 12 }, (_, index) => ({
      name: `tunable_${index}`,
      kind: 'ordered' as const,
      values: [1, 2, 3, 4],
    })),
    constraints: [],
  });
  const points = space.sample(count, new Xoshiro128(5));
  const encoding = new Encoding(space, points.slice(0, 500), FULL_VIEW);
  const layout = new Layout(encoding, MODEL_SETTINGS);
  const kernel = new Kernel(encoding, layout, Float64Array.from(layout.medians), 0.3);
  const candidates = new Candidates(encoding, points);
  const observed = points.slice(0, OBSERVED).map((point) => encoding.encode(point));
  const targets = Float64Array.from(observed, ([one = 0, other = 0]) => (one + other - 3) / 2);
  const process = new Process(kernel, OBSERVED);
  for (const point of observed) process.add(point);
  const whole = new Surrogate(process, candidates, new Scratch(count));
  whole.fill(Infinity);
  const score: Score = (index, mean, deviation) =>
    index < OBSERVED ? -1 : expectedImprovement(mean, deviation, Math.min(...targets));
  return { encoding, points, kernel, candidates, observed, targets, process, whole, score };
}

describe('covariances', () => {
  it('are by tables what the kernel says of every pair, with any number of groups', () => {
    const { candidates, kernel, encoding, points, observed } = setUp(CHUNK + 2000);
    expect(candidates.groups.length).toBeGreaterThan(3);
    const point = observed[3]!;
    const covariances = new Covariances(kernel, point, candidates.groups);
    const scratch = new ChunkScratch();
    covariances.write(CHUNK, CHUNK + 700, scratch);
    for (let k = 0; k < 700; k++) {
      const other = encoding.encode(points[CHUNK + k]!);
      const expected = kernel.productOf(point, other) + kernel.sumOf(point, other);
      expect(scratch.products[k]).toBeCloseTo(expected, 12);
    }
  });

  it('are right for candidates that join with combinations of levels not met before', () => {
    const { kernel, encoding, points, observed } = setUp(CHUNK);
    const candidates = new Candidates(encoding, points.slice(0, 100), CHUNK);
    for (const point of points.slice(100)) candidates.add(point);
    const scratch = new ChunkScratch();
    new Covariances(kernel, observed[0]!, candidates.groups).write(0, CHUNK, scratch);
    for (const [k, point] of points.entries()) {
      const other = encoding.encode(point);
      const expected = kernel.productOf(observed[0]!, other) + kernel.sumOf(observed[0]!, other);
      expect(scratch.products[k]).toBeCloseTo(expected, 12);
    }
  });
});

describe('a shortlist', () => {
  it('is predicted as its candidates are among all', () => {
    const { candidates, process, whole, targets } = setUp(2000);
    const indices = [1999, 3, 700, 701, 1204];
    const shortlist = new Shortlist(candidates, indices, 10);
    const surrogate = new Surrogate(process, shortlist, new Scratch(10));
    surrogate.fill(Infinity);
    const [some, all] = [surrogate.means(targets), whole.means(targets)];
    for (const [contender, index] of indices.entries()) {
      expect(shortlist.indexAt(contender)).toBe(index);
      expect(some[contender]).toBeCloseTo(all[index]!, 12);
      expect(surrogate.deviations([contender])).toEqual(whole.deviations([index]));
    }
  });

  it('is chosen by a survey that predicts what the surrogate of all does', () => {
    const { candidates, process, whole, targets } = setUp(2000);
    const survey = new Survey(process, targets, candidates);
    let asks = 0;
    for (; !survey.isDone; asks++) survey.look(50_000);
    expect(asks).toBeGreaterThan(1);
    const means = whole.means(targets);
    for (let index = 0; index < 2000; index++) {
      expect(survey.mean(index)).toBeCloseTo(means[index]!, 4);
      expect(survey.deviationBound(index)).toBeCloseTo(whole.deviationBound(index), 5);
    }
  });

  it('has the candidate that scores best of all, and those that join later', () => {
    const { encoding, points, candidates: all, kernel, observed, targets, whole, score } = setUp(10_000);
    const candidates = new Candidates(encoding, points, points.length + 1);
    const stage = new Stage(new Process(kernel, OBSERVED), candidates, new Scratches(points.length + 1));
    stage.update(observed, []);
    let asks = 1;
    while (!stage.advance(targets, score, 250_000)) asks++;
    expect(asks).toBeGreaterThan(3);
    const { surrogate } = stage;
    const { contenders } = surrogate;
    expect(contenders.count).toBeLessThan(all.count / 2);
    const means = whole.means(targets);
    const deviations = points.flatMap((_, index) =>
      index % 4 === 0 ? [...whole.deviations([index, index + 1, index + 2, index + 3])] : [],
    );
    const scores = deviations.map((deviation, index) => score(index, means[index]!, deviation));
    const best = scores.indexOf(Math.max(...scores));
    const indices = Array.from({ length: contenders.count }, (_, contender) => contenders.indexAt(contender));
    expect(indices).toContain(best);
    expect(candidates.add(points[0]!.map((level) => 3 - level))).toBe(true);
    stage.update(observed, []);
    expect(contenders.indexAt(contenders.count - 1)).toBe(points.length);
  });

  it('gives way to all candidates when nothing on it can be proposed', () => {
    const { encoding, candidates, observed, targets, score } = setUp(10_000);
    const staged = new StagedSurrogate(encoding, MODEL_SETTINGS);
    const update = () => staged.update(candidates, observed, [], targets, score);
    let surrogate = update();
    for (let ask = 0; ask < 100 && surrogate.contenders === candidates; ask++) surrogate = update();
    expect(surrogate.contenders).not.toBe(candidates);
    staged.widen();
    expect(update().contenders).toBe(candidates);
  });
});

describe('a stage', () => {
  it('predicts the same however its points were told of', () => {
    const { candidates, kernel, observed, targets } = setUp(2000);
    const newStage = () => new Stage(new Process(kernel, 8), candidates, new Scratches(2000));
    const [first = observed[0]!, second = first, third = first, fourth = first] = observed.slice(100);
    const stage = newStage();
    // The first is told of, the second comes to nothing, and the others are under way still.
    const told = [...observed.slice(0, 100), first];
    for (const [measured, underWay] of [
      [observed.slice(0, 100), [first, second, third]],
      [told, [second, third, fourth]],
      [told, [third, fourth]],
    ] as const) {
      stage.update(measured, underWay);
      stage.surrogate.fill(Infinity);
      stage.surrogate.means(targets.slice(0, measured.length));
    }
    const fresh = newStage();
    fresh.update(told, [third, fourth]);
    fresh.surrogate.fill(Infinity);
    const known = targets.slice(0, 101);
    expect(stage.surrogate.means(known)).toEqual(fresh.surrogate.means(known));
    for (const index of [102, 103, 900]) {
      expect(stage.surrogate.deviations([index])).toEqual(fresh.surrogate.deviations([index]));
    }
  });
});
