import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { MODES, type Mode } from '../model/problem/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Study } from '../model/tune/study-report.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { budgetOption, measuringOptions, withMeasuring, type MeasuringFlags } from './option-groups.ts';
import { above0, configOption, list, positiveInteger, wholeNumber } from './options.ts';
import { clusterOptions, withEngineOptions, type EngineFlags } from './engine-options.ts';
import { runAction, type Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';
import { appliedText, applyCommand, showCommand } from './tune-study.ts';
import { tuneWorkerCommand } from './tune-worker.ts';

interface TuneFlags extends EngineFlags, MeasuringFlags {
  readonly config?: string;
  readonly case?: string[];
  readonly mode?: Mode;
  readonly sampler?: string;
  readonly trials?: number;
  readonly budget?: number;
  readonly maxCost?: number;
  readonly start?: number;
  readonly seed?: number;
  readonly resume?: string | true;
  readonly warm?: string[];
  readonly confirm?: number;
  readonly jobs?: number;
  readonly out?: string;
  readonly profile: boolean;
  readonly apply?: boolean;
  readonly simulate?: string;
}

const STUDY_EXIT: Readonly<Record<Study['result'], number>> = {
  improved: EXIT.good,
  kept: EXIT.good,
  undecided: EXIT.undecided,
  unconfirmed: EXIT.undecided,
  'none-valid': EXIT.bad,
};

export function tuneCommand(): Command {
  const command = withSandboxOption(new Command('tune'))
    // An option behind `worker` is the worker's, whatever it means here.
    .enablePositionalOptions()
    .argument('[kernel]', 'a kernel of pawl.yaml that has tunables')
    .addOption(configOption())
    .option('--case <case>', 'the case to tune for; several: one study each, and a table of winners', list)
    .addOption(new Option('--mode <mode>', 'the timing mode (default: from pawl.yaml)').choices(MODES))
    .option('--sampler <name>', 'the sampler that proposes variants (docs/samplers.md; default: model)')
    .option(
      '--trials <n>',
      'number of trials, rejected ones included (default: 120, or as --budget allows)',
      positiveInteger,
    )
    .addOption(budgetOption('confirmation included'))
    .option(
      '--max-cost <amount>',
      'money to spend on the device, by the prices in pawl.yaml',
      above0('an amount'),
    )
    .option(
      '--start <n>',
      'spread-out variants before the model starts (default: up to the sampler)',
      wholeNumber,
    )
    .option('--seed <n>', 'repeat the choices of an earlier study', wholeNumber)
    .option('--resume [study]', 'resume a study that was killed or interrupted (default: the latest)')
    .option('--warm <file>', 'try the best variants of this study first (its trials.json)', list)
    .option('--confirm <n>', 'number of finalists to measure against the default (default 3)', wholeNumber)
    .option(
      '--jobs <n>',
      'parallel builds (default: processors minus one, as far as memory allows)',
      positiveInteger,
    )
    .option('-o, --out <folder>', 'where to write the reports (default: tuning beside pawl.yaml)')
    .option('--no-profile', 'do not profile the winner')
    .option('--apply', 'make a confirmed winner the default in pawl.yaml')
    .option('--simulate <space.json>', 'replay a recorded space instead of building and measuring');
  withMeasuring(command, {
    processes: 'fresh processes per trial (default: 1 on a GPU, 2 on a CPU)',
    samples: 'at most this many samples per process in a trial (default 40)',
    json: 'the study as JSON (schema pawl.study/1)',
  });
  return withEngineOptions(command, 'study')
    .addHelpText(
      'after',
      `
The default variant comes first, then those from --warm, then those that the sampler proposes. Variants are built ahead
while one is measured. A variant that fails a gate or is wrong is rejected with a reason. The fastest are then measured
against the default in fresh, interleaved processes: only that decides (docs/tuning.md). Ctrl-C and kill -9 lose
nothing: --resume continues.

Examples:
  pawl tune attention-cpu --case small_128 --budget 10m
  pawl tune attention-cuda --case training_512 --trials 120 --jobs 15
  pawl tune attention-cuda --case short_128 --case long_2048      a winner for each shape, or one for all
  pawl tune attention-cpu --case small_128 --resume               after a kill
  pawl tune attention-cuda --case short_128 --engine slurm --pilots 8    on a cluster (docs/cluster.md)
  pawl tune show                                                  show the latest study
  pawl tune apply                                                 write its winner into pawl.yaml
${EXIT_CODE_HELP}`,
    )
    .action((kernel: string | undefined, flags: TuneFlags) =>
      runAction(flags, (door) => runTune(kernel, flags, door)),
    )
    .addCommand(applyCommand())
    .addCommand(showCommand())
    .addCommand(tuneWorkerCommand());
}

/** What a sampler finds in a recorded space, without a device. */
async function runSimulation(file: string, flags: TuneFlags, door: Door): Promise<number> {
  const { tuneSimulate } = await import('../workflows/tune-simulate.ts');
  const { sampler, trials, seed } = flags;
  const simulation = await tuneSimulate({ file, ...defined({ sampler, trials, seed }) });
  if (flags.json === true) door.print(JSON.stringify(simulation));
  else {
    const { renderSimulation } = await import('../report/study-simulation.ts');
    door.print(renderSimulation(simulation));
  }
  return EXIT.good;
}

async function runTune(kernel: string | undefined, flags: TuneFlags, door: Door): Promise<number> {
  if (flags.simulate !== undefined) return runSimulation(flags.simulate, flags, door);
  if (kernel === undefined) {
    throw new PawlError('usage', 'No kernel given: pawl tune KERNEL --case CASE', 'pawl tune --help');
  }
  const { tune, applyStudy } = await import('../workflows/tune.ts');
  const { case: cases, budget: budget_s, maxCost: max_cost, json, apply } = flags;
  const { config, mode, sampler, trials, start, seed, resume, warm, confirm, jobs, out } = flags;
  const outcome = await tune({
    ...measuringOptions(flags, door),
    ...defined({ config, mode, sampler, trials, start, seed, resume, warm, confirm, jobs, out }),
    ...defined({ cases, budget_s, max_cost, cluster: clusterOptions(flags) }),
    kernel,
    profile: flags.profile,
  });
  const { studies, dispatch } = outcome;
  const { renderStudyTerminal } = await import('../report/terminal/study-terminal.ts');
  if (json === true) {
    const [only] = studies;
    door.print(JSON.stringify(studies.length === 1 ? only : outcome, undefined, 2));
  } else {
    for (const study of studies) {
      door.print(renderStudyTerminal(study, door));
    }
    if (dispatch !== undefined)
      door.print(`${dispatch.advice}\n  ${Object.values(outcome.files).join('\n  ')}`);
  }
  const [first] = studies;
  if (apply === true && studies.length === 1 && first?.result === 'improved') {
    const applied = await applyStudy({ ...defined({ config: flags.config }), id: first.id });
    if (json !== true) door.print(appliedText(applied));
  }
  return Math.max(...studies.map(({ result }) => STUDY_EXIT[result]), EXIT.good);
}
