/**
 * What the rules read: signals of a launch as they were measured, and facts derived from them. A fact whose signals
 * were not collected is undefined, never zero.
 */
import type { LaunchProfile } from '../../model/profile/profile.ts';
import { isStandIn, metricNames, namesInFiles, SIGNALS, type Signal } from './metric-names.ts';
import type { Problem } from './problem.ts';
import { computeFacts } from './compute-facts.ts';
import type { Derivation, DerivedFact, FactName, FactReader } from './derivation.ts';
import { launchFacts } from './launch-facts.ts';
import { memoryFacts } from './memory-facts.ts';
import { stallFacts } from './stall-facts.ts';

const derivations: Readonly<Record<DerivedFact, Derivation>> = {
  ...stallFacts,
  ...launchFacts,
  ...memoryFacts,
  ...computeFacts,
};

const signals: ReadonlySet<string> = new Set(SIGNALS);
const isSignal = (name: FactName): name is Signal => signals.has(name);

/** The measured signals that a fact can be derived from. */
export function signalsOf(name: FactName): readonly Signal[] {
  return isSignal(name) ? [name] : derivations[name].reads.flatMap((read) => signalsOf(read));
}

export class Facts implements FactReader {
  readonly launch: LaunchProfile;
  readonly problem: Problem;
  readonly #known = new Map<FactName, number | undefined>();
  #source: Facts | undefined;
  #declared: ReadonlySet<FactName> | undefined;

  constructor(launch: LaunchProfile, problem: Problem = {}) {
    this.launch = launch;
    this.problem = problem;
  }

  /** The fact, or undefined where its metrics were not collected. */
  have(name: FactName): number | undefined {
    if (this.#declared && !this.#declared.has(name))
      throw new Error(`a rule reads ${name} without saying so`);
    if (this.#source) return this.#source.have(name);
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name));
    return this.#known.get(name);
  }

  /** A fact that the caller has made sure of. */
  need(name: FactName): number {
    const value = this.have(name);
    if (value === undefined) throw new Error(`the fact ${name} was read but is not known`);
    return value;
  }

  /** The same facts for one rule, which reads what it declares and nothing else. */
  only(declared: { readonly requires: readonly FactName[]; readonly uses: readonly FactName[] }): Facts {
    const view = new Facts(this.launch, this.problem);
    view.#source = this;
    view.#declared = new Set([...declared.requires, ...declared.uses]);
    return view;
  }

  /** The metrics whose absence keeps a fact unknown, by the name that capture would ask for. */
  missingMetrics(name: FactName): readonly string[] {
    const absent = signalsOf(name).filter((signal) => !isStandIn(signal) && this.have(signal) === undefined);
    return absent.flatMap((signal) => metricNames(signal, this.launch.computeCapability).slice(0, 1));
  }

  #find(name: FactName): number | undefined {
    const value = isSignal(name) ? this.#measured(name) : derivations[name].derive(this);
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }

  #measured(signal: Signal): number | undefined {
    for (const name of namesInFiles(signal, this.launch.computeCapability)) {
      const metric = this.launch.metrics.get(name);
      if (metric) return metric.value;
    }
    return launchGeometry(signal, this.launch);
  }
}

const product = (size: readonly number[] | undefined): number | undefined =>
  size?.reduce((total, extent) => total * extent, 1);

/** The block and grid columns of the file say what the launch metrics would. */
function launchGeometry(signal: Signal, launch: LaunchProfile): number | undefined {
  if (signal === 'block_size') return product(launch.block);
  if (signal === 'grid_size') return product(launch.grid);
  return undefined;
}
