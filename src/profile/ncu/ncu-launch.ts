import type { LaunchProfile, Metric, NcuRule } from '../../model/profile/profile.ts';
import type { Dim3, LaunchIdentity } from './ncu-identity.ts';

/** One launch while its rows are read. */
export class LaunchBuilder {
  readonly identity: LaunchIdentity;
  readonly rules: NcuRule[] = [];
  rows = 0;
  /** Another launch has taken over what this one says. */
  isMerged = false;
  readonly #metrics = new Map<string, Metric>();
  readonly #texts = new Map<string, string>();
  readonly #contradicted = new Set<string>();
  readonly #mentioned = new Set<string>();

  constructor(identity: LaunchIdentity) {
    this.identity = identity;
  }

  /** A row is about this metric, readable or not. */
  mention(key: string): void {
    this.#mentioned.add(key);
  }

  isMentioned(key: string): boolean {
    return this.#mentioned.has(key);
  }

  get isEmpty(): boolean {
    return this.#metrics.size === 0 && this.#texts.size === 0 && this.rules.length === 0;
  }

  /** False, and nothing kept, where the metric is there already with another value. */
  set(key: string, metric: Metric): boolean {
    const before = this.#metrics.get(key);
    if (this.#contradicted.has(key)) return true;
    if (before === undefined || (before.value === metric.value && before.unit === metric.unit)) {
      this.#metrics.set(key, metric);
      return true;
    }
    this.#metrics.delete(key);
    this.#contradicted.add(key);
    return false;
  }

  setText(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  profile(): LaunchProfile {
    const { name, id, grid, block, device, computeCapability } = this.identity;
    return {
      name,
      id,
      grid: grid ?? this.#dim3('launch__grid_dim'),
      block: block ?? this.#dim3('launch__block_dim'),
      device: this.#texts.get('device__attribute_display_name') ?? device,
      computeCapability: computeCapability ?? this.#capability(),
      metrics: this.#metrics,
      texts: this.#texts,
      ncuRules: this.rules,
    };
  }

  #dim3(prefix: string): Dim3 | undefined {
    const [x, y, z] = ['x', 'y', 'z'].map((axis) => this.#metrics.get(`${prefix}_${axis}`)?.value);
    return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
  }

  #capability(): string | undefined {
    const [major, minor] = ['major', 'minor'].map(
      (part) => this.#metrics.get(`device__attribute_compute_capability_${part}`)?.value,
    );
    return major === undefined || minor === undefined ? undefined : `${major}.${minor}`;
  }
}
