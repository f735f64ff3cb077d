import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem-schema.ts';
import type { Config } from '../../config/schema.ts';

/** What a change is judged by and must not set itself: how it is measured, what counts, what is right. */
export interface GateRules {
  readonly measure: Config['measure'];
  readonly thresholds: Config['thresholds'];
  /** By problem. */
  readonly tolerances: Readonly<Record<string, Problem['tolerance']>>;
}

export function gateRules({ config }: LoadedConfig): GateRules {
  const tolerances = Object.entries(config.problems).map(([name, { tolerance }]) => [name, tolerance]);
  return {
    measure: config.measure,
    thresholds: config.thresholds,
    tolerances: Object.fromEntries(tolerances) as GateRules['tolerances'],
  };
}

/** A project under the rules of another; problems that those do not know keep their own. */
export function withGate(loaded: LoadedConfig, rules: GateRules | undefined): LoadedConfig {
  if (rules === undefined) return loaded;
  const { measure, thresholds, tolerances } = rules;
  const problems = Object.entries(loaded.config.problems).map(([name, problem]) => {
    const tolerance = Object.hasOwn(tolerances, name) ? tolerances[name] : undefined;
    return [name, tolerance === undefined ? problem : { ...problem, tolerance }];
  });
  return {
    ...loaded,
    config: {
      ...loaded.config,
      measure,
      thresholds,
      problems: Object.fromEntries(problems) as Config['problems'],
    },
  };
}
