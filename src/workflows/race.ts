import { resolve } from 'node:path';

import { loadConfig } from '../config/load-config.ts';
import { gitState } from '../device/environment.ts';
import { recordRun } from '../history/store/record-run.ts';
import { benchRun } from '../history/stored-runs.ts';
import { policyOf, TELL_APART, type JudgePolicy } from '../judge/judge-policy.ts';
import { mergeSamples } from '../judge/merge-comparisons.ts';
import { describeRace, raceResult } from '../judge/race/describe-race.ts';
import { standings } from '../judge/race/standings.ts';
import { defined } from '../model/defined.ts';
import { omit } from '../model/omit.ts';
import { RACE_SCHEMA, type Race } from '../model/judge/race.ts';
import { makeFolder } from '../os/make-folder.ts';
import { runContext } from '../os/run-context.ts';
import { refuseEmptyBench } from '../rig/bench-result.ts';
import { recordCost } from '../rig/cost-of-run.ts';
import { prepareSide } from '../rig/prepared-side.ts';
import { SideJournals } from '../rig/side-journals.ts';
import { holdSides, type CompareOptions } from './runs/compare/hold-sides.ts';
import { provenance } from './runs/compare/write-comparison.ts';
import { runRace } from './race/run-race.ts';
import { selectRacers, type RacersAsked } from './race/select-racers.ts';
import { writeRace } from './race/write-race.ts';

/** Which kernels race, and against which reference. */
export interface RaceOptions
  extends Omit<CompareOptions, 'measureIdentical' | 'held' | 'journals'>, RacersAsked {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** The folder of the report; without it, nothing is written. */
  readonly out?: string;
  /** Store the run in the history. Default: as pawl.yaml says. */
  readonly history?: boolean;
}

/**
 * Builds the kernels of one problem, measures all of them side by side, and returns their speed-ups over the reference
 * and their ranks.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if it is not clear which
 * problem is meant; `bad-data` if the kernels have no case in common; `unavailable` if none of them can run on this
 * machine; `try-again` if the device is in use
 * @example
 * ```ts
 * import { race } from 'pawl';
 *
 * const { reference, kernels } = await race({ problem: 'softmax' });
 * for (const { kernel, rank, speedup } of kernels) console.log(kernel, rank, speedup?.estimate, reference);
 * ```
 */
export async function race(options: RaceOptions): Promise<Race> {
  if (options.out !== undefined) await makeFolder(resolve(options.out));
  const context = runContext(options);
  const running = { ...context, started: context.now() };
  const loaded = await loadConfig(options.config);
  const { config, root } = loaded;
  const { problem, plans, left_out } = selectRacers(loaded, options);
  const policy = evenHanded(omit(policyOf(config.thresholds, options.policy), 'caseRegressionPct'));
  const git = await gitState(root);
  const prepared = await prepareSide(plans, {
    ...running,
    loaded,
    git,
    main: loaded,
    gpuIndex: options.gpu ?? 0,
  });
  if (prepared.skipped.every(({ reason }) => reason !== 'build-failed')) {
    refuseEmptyBench(prepared.targets, prepared.skipped);
  }
  const journals = new SideJournals();
  const { sides, look, stopped_by, cost } = await holdSides(
    [prepared],
    { ...options, ...running, policy, config, root, journals },
    (held) => runRace({ problem, prepared }, held),
  );
  const modes = options.modes ?? [config.measure.mode];
  const cases = describeRace(sides, look, modes);
  const samples = mergeSamples(sides.map((side) => side.samples));
  const told: Race = {
    schema: RACE_SCHEMA,
    problem,
    reference: plans[0]!.name,
    result: samples.incomplete === undefined ? raceResult(cases) : 'undecided',
    threshold_pct: policy.regressionPct,
    correction: policy.correction,
    error_rates: { false_alarm: policy.falseAlarm, miss: policy.miss },
    kernels: standings(cases),
    cases,
    left_out,
    ...defined({ control: look?.control, stopped_by, protections: look?.comparison.protections }),
    ...omit(provenance({ base: samples, head: samples }), 'base_commit', 'work'),
    cost: await recordCost(
      loaded,
      {
        what: 'race',
        kernels: plans.map(({ name }) => name),
        times: cost.devices.map((device) => ({ device, device_s: cost.device_s })),
        wall_s: cost.wall_s,
        commit: git?.commit,
      },
      options,
    ),
    files: {},
  };
  const written = await writeRace(told, samples, options.out);
  await journals.finish();
  await recordRun(benchRun(samples, context.now()), options);
  return written;
}

/**
 * One threshold for both directions, as the same ratio: whether two kernels are told apart must not depend on which
 * of them is called the baseline.
 */
function evenHanded(policy: JudgePolicy): JudgePolicy {
  return {
    ...policy,
    ...TELL_APART,
    improvementPct: (100 * policy.regressionPct) / (100 + policy.regressionPct),
  };
}
