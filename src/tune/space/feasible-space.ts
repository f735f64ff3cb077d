import type { Expression } from '../../config/expression/expression.ts';
import type { Value } from '../../config/expression/expression-tree.ts';
import type { Variant } from '../../model/problem/variant.ts';
import type { Random } from '../../stats/random.ts';
import type { Diagram } from './diagram.ts';
import { diveForPoint } from './dive-for-point.ts';
import { drawRank } from './draw-rank.ts';
import type { ReadRules } from './read-rules.ts';
import type { Part } from './rule.ts';
import { type Parameter, type Point, pointKey, type Space } from './space.ts';
import { estimateExtent, type SpaceExtent } from './space-extent.ts';

/** Points that `all()` holds at most. */
const MAX_POINTS = 200_000;
/** Draws in a row that an open condition may refuse before points are searched for instead. */
const MAX_REFUSALS = 20_000;

export interface FeasibleSpaceOptions {
  readonly read: ReadRules;
  readonly constraints: readonly Expression[];
  readonly constants: Readonly<Record<string, number>>;
  readonly diagram: Diagram;
  /** Conditions that the diagram leaves open. */
  readonly open: readonly Part[];
  readonly random: Random;
}

/**
 * A space behind a decision diagram. Where the diagram holds exactly the feasible points, sizes are exact and draws
 * uniform. Where it leaves conditions open, a point is drawn uniformly from the diagram and kept if it satisfies them:
 * still uniform over the feasible points, and the share that is kept estimates how many there are. Only where hardly
 * any draw is kept are points searched for by random descent, which favours points with few neighbours.
 */
export class FeasibleSpace implements Space {
  readonly parameters: readonly Parameter[];
  readonly constraints: readonly Expression[];
  readonly constants: Readonly<Record<string, number>>;
  readonly extent: SpaceExtent;
  /** What it was made of: for telling why it is empty. */
  readonly read: ReadRules;
  readonly #diagram: Diagram;
  readonly #open: readonly Part[];
  readonly #indices: readonly ReadonlyMap<unknown, number>[];
  #all: readonly Point[] | undefined;

  constructor(options: FeasibleSpaceOptions) {
    this.read = options.read;
    this.parameters = options.read.parameters;
    this.constraints = options.constraints;
    this.constants = options.constants;
    this.#diagram = options.diagram;
    this.#open = options.open;
    this.#indices = this.parameters.map(
      ({ values }) => new Map(values.map((value, index): [unknown, number] => [value, index])),
    );
    this.extent = estimateExtent({
      widths: this.parameters.map(({ values }) => values.length),
      bound: options.diagram.count,
      exact: options.open.length === 0 ? options.diagram.count : this.all()?.length,
      drawIsFeasible: () => this.#satisfiesOpen(this.#drawFromDiagram(options.random)),
    });
  }

  get size(): number | undefined {
    const { feasible } = this.extent;
    return 'exact' in feasible ? feasible.exact : undefined;
  }

  contains(point: Point): boolean {
    return point.length === this.parameters.length && this.#diagram.has(point) && this.#satisfiesOpen(point);
  }

  all(): readonly Point[] | undefined {
    const { count } = this.#diagram;
    if (count > MAX_POINTS) return undefined;
    this.#all ??= Array.from({ length: count }, (_, rank) => this.#diagram.pointAt(rank))
      .filter((point) => this.#satisfiesOpen(point))
      .sort(lexicographic);
    return this.#all;
  }

  sample(count: number, random: Random): Point[] {
    const known = this.size ?? this.all()?.length;
    // Near the end of a small space most draws would be repeats.
    if (known !== undefined && count * 2 > known && known <= MAX_POINTS) {
      return shuffledStart(this.all() ?? [], count, random);
    }
    const points = new Map<string, Point>();
    let refusals = 0;
    while (points.size < count && refusals < MAX_REFUSALS) {
      const point = this.#drawFromDiagram(random);
      const key = pointKey(point);
      if (points.has(key) || !this.#satisfiesOpen(point)) {
        refusals++;
        continue;
      }
      refusals = 0;
      points.set(key, point);
    }
    for (let dives = 0; points.size < count && dives < 2 * count; dives++) {
      const point = diveForPoint(this.#diagram, this.read, this.#open, random);
      if (point === undefined) break;
      points.set(pointKey(point), point);
    }
    return [...points.values()];
  }

  neighbours(point: Point, reach: 'step' | 'any'): Point[] {
    const found: Point[] = [];
    const moved = [...point];
    for (const [slot, { kind, values }] of this.parameters.entries()) {
      const here = point[slot]!;
      const isStep = reach === 'step' && kind === 'ordered';
      const first = isStep ? Math.max(0, here - 1) : 0;
      const last = isStep ? Math.min(values.length - 1, here + 1) : values.length - 1;
      for (let index = first; index <= last; index++) {
        if (index === here) continue;
        moved[slot] = index;
        if (this.contains(moved)) found.push([...moved]);
      }
      moved[slot] = here;
    }
    return found;
  }

  variantOf(point: Point): Variant {
    return Object.fromEntries(this.parameters.map(({ name, values }, slot) => [name, values[point[slot]!]!]));
  }

  pointOf(variant: Variant): Point | undefined {
    if (Object.keys(variant).length !== this.parameters.length) return undefined;
    const point: number[] = [];
    for (const [slot, { name }] of this.parameters.entries()) {
      const index = Object.hasOwn(variant, name) ? this.#indices[slot]!.get(variant[name]) : undefined;
      if (index === undefined) return undefined;
      point.push(index);
    }
    return this.contains(point) ? point : undefined;
  }

  #drawFromDiagram(random: Random): number[] {
    return this.#diagram.pointAt(drawRank(random, this.#diagram.count));
  }

  #satisfiesOpen(point: Point): boolean {
    if (this.#open.length === 0) return true;
    const row = this.parameters.map(({ values }, slot): Value => values[point[slot]!]!);
    return this.#open.every(({ holds }) => holds(row));
  }
}

function lexicographic(a: Point, b: Point): number {
  for (const [slot, index] of a.entries()) {
    const difference = index - b[slot]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first `count` of a random order (Fisher & Yates). */
function shuffledStart(points: readonly Point[], count: number, random: Random): Point[] {
  const shuffled = [...points];
  const wanted = Math.min(count, shuffled.length);
  for (let place = 0; place < wanted; place++) {
    const other = place + drawRank(random, shuffled.length - place);
    [shuffled[place], shuffled[other]] = [shuffled[other]!, shuffled[place]!];
  }
  return shuffled.slice(0, wanted);
}
