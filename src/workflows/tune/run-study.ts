import type { LoadedConfig } from '../../config/load-config.ts';
import { costOf } from '../../model/device/cost.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Mode } from '../../model/problem/mode.ts';
import type { Study } from '../../model/tune/study-report.ts';
import type { StudySettings } from '../../model/tune/study-settings.ts';
import { recoverClocks } from '../../device/clocks.ts';
import { DEFAULT_SAMPLER } from '../../tune/search/create-sampler.ts';
import { DEFAULT_TRIALS, StudyBudget } from '../../tune/study/study-budget.ts';
import { withDevices, type Lease } from '../../rig/with-devices.ts';
import { recordCost } from '../../rig/cost-of-run.ts';
import { confirmFinalists } from './confirm-finalists.ts';
import { resumeStudy, startStudy, type OpenStudy } from '../../tune/study/open-study.ts';
import { search } from '../../tune/search/search.ts';
import { studyState } from '../../tune/study/show-study.ts';
import { findStudy, type StoredStudy } from '../../tune/study/study-folders.ts';
import { prepareStudy, type PreparedStudy } from '../../tune/study/study-subject.ts';
import { VariantTools } from '../../tune/search/trial-tools.ts';
import type { RunContext } from '../../os/run-context.ts';

export interface StudyOptions extends RunContext {
  readonly kernel: string;
  readonly case: string;
  readonly mode?: Mode;
  /** What was asked for; what is left out has its default, or what the resumed study has. */
  readonly settings: Partial<StudySettings>;
  /** Go on with this study, or with the latest of the kernel and case. */
  readonly resume?: string | true;
  readonly jobs?: number;
  readonly timeout_s?: number;
  readonly clocks?: 'as-is' | 'lock';
  readonly gpu?: number;
  readonly wait_s?: number;
}

export interface StudyOutcome {
  readonly study: Study;
  /** The study's own folder below .pawl/studies. */
  readonly folder: string;
}

/** A process on a CPU falls into a fast or a slow mode by chance; on a GPU one tells as much as two. */
const DEFAULT_PROCESSES = { cpu: 2, cuda: 1 } as const;

export function withDefaults(
  asked: Partial<StudySettings>,
  device: 'cpu' | 'cuda',
  seed: number,
): StudySettings {
  const limited = asked.budget_s !== undefined || asked.max_cost !== undefined;
  return {
    sampler: DEFAULT_SAMPLER,
    seed,
    confirm: 3,
    processes: DEFAULT_PROCESSES[device],
    samples: 40,
    warm: [],
    ...(limited ? {} : { trials: DEFAULT_TRIALS }),
    ...asked,
  };
}

/** One study from where it stands to its end, with everything written down on the way. */
export async function runStudy(loaded: LoadedConfig, options: StudyOptions): Promise<StudyOutcome> {
  const { signal, onProgress, now } = options;
  const stored = await storedStudy(loaded, options);
  await recoverClocks();
  const mode = options.mode ?? stored?.header.subject.mode;
  const prepared = await prepareStudy(loaded, {
    ...options,
    mode,
    jobs: options.jobs,
    gpuIndex: options.gpu ?? 0,
    timeout_ms: 1000 * timeoutOf(loaded, options),
  });
  const started = now();
  const { wait_s, clocks } = options;
  const asked = { gpu: prepared.gpu, wait_s, clocks, signal, now, onProgress, command: 'tune' };
  return withDevices([prepared.bench], asked, async (lease) => {
    const open = await openOrStart(stored, prepared, options);
    try {
      await work(open, prepared, lease, options);
    } finally {
      open.journal.close();
    }
    const ended = now();
    await recordCost(
      loaded,
      {
        run: `${open.subject.id}/${open.run}`,
        what: 'tune',
        kernels: [open.subject.kernel],
        times: lease.times(ended),
        wall_s: seconds(started, ended),
        commit: prepared.git?.commit,
        study: open.subject.id,
      },
      { now, onProgress },
    );
    return { study: await stateOf(open, loaded, now()), folder: open.folder };
  });
}

async function storedStudy(
  loaded: LoadedConfig,
  { resume, kernel, case: name }: StudyOptions,
): Promise<StoredStudy | undefined> {
  if (resume === undefined) return undefined;
  if (resume === true) return findStudy(loaded.root, { kernel, case: name });
  const stored = await findStudy(loaded.root, { id: resume });
  const { subject } = stored.header;
  if (subject.kernel === kernel && subject.case === name) return stored;
  throw new PawlError(
    'usage',
    `Study ${subject.id} is about ${subject.kernel} ${subject.case}, not ${kernel} ${name}.`,
    `Resume it with: pawl tune ${subject.kernel} --case ${subject.case} --resume ${subject.id}`,
  );
}

async function openOrStart(
  stored: StoredStudy | undefined,
  prepared: PreparedStudy,
  { settings, now }: StudyOptions,
): Promise<OpenStudy> {
  if (stored === undefined) {
    const seed = now().getTime() % 2 ** 31;
    return startStudy(prepared, withDefaults(settings, prepared.plan.device, seed), now);
  }
  // A previous holder of the device may have worked on the study: read what is there now.
  const fresh = await findStudy(prepared.loaded.root, { id: stored.header.subject.id });
  return resumeStudy(fresh, prepared, settings, now);
}

async function work(
  open: OpenStudy,
  prepared: PreparedStudy,
  held: Lease,
  options: StudyOptions,
): Promise<void> {
  const { signal, onProgress, now } = options;
  const { settings, journal, clock } = open;
  const { builder } = prepared;
  const timeout_s = timeoutOf(prepared.loaded, options);
  const budget = new StudyBudget({
    settings,
    elapsed_s: () => clock.elapsed_s,
    perHour: perHourOf(prepared, settings),
  });
  const title = `tuning ${open.subject.kernel} ${open.subject.case}`;
  if (!isSearched(open)) {
    onProgress({
      type: 'note',
      level: 'info',
      text: `study ${open.subject.id}: ${open.subject.space.extent}`,
    });
    const ended_by = await search({
      space: prepared.space,
      default: prepared.plan.variant,
      settings,
      ledger: open.ledger,
      tools: new VariantTools({
        study: prepared,
        settings,
        timeout_ms: 1000 * timeout_s,
        now,
      }),
      budget,
      jobs: builder.jobs,
      building: () => builder.running,
      worker: `${process.pid}.${open.run}`,
      title,
      elapsed_s: () => clock.elapsed_s,
      signal,
      onProgress,
    });
    journal.add({ type: 'searched', ended_by, builds_at_once: builder.most });
  }
  if (signal.aborted) return;
  await confirmFinalists({ study: prepared, open, budget, held, timeout_s, signal, onProgress, now });
  if (signal.aborted) return;
  const study = await stateOf(open, prepared.loaded, now());
  journal.add({ type: 'finished', result: study.result, reason: study.reason });
}

/** Whether an earlier run searched to the end of the same budget. */
function isSearched({ records, settings }: OpenStudy): boolean {
  const at = records.findLastIndex((record) => record.type === 'searched');
  const searched = records[at];
  if (searched?.type !== 'searched' || searched.ended_by === 'interrupted') return false;
  if (searched.ended_by === 'space') return true;
  const before = records.findLast((record, index) => index < at && record.type === 'session');
  if (before?.type !== 'session') return false;
  const { trials, budget_s, max_cost } = before.settings;
  return settings.trials === trials && settings.budget_s === budget_s && settings.max_cost === max_cost;
}

export function perHourOf(prepared: PreparedStudy, { max_cost }: StudySettings): number | undefined {
  const { name } = prepared.subject.device;
  const price = costOf(3600, name, prepared.loaded.config.cost);
  if (max_cost !== undefined && price === undefined) {
    throw new PawlError(
      'configuration',
      `The price of ${name} per hour is unknown, so --max-cost cannot be enforced.`,
      'Set its price under `cost` in pawl.yaml (docs/cost.md), or give --budget.',
    );
  }
  return price?.amount;
}

/** The study as its journal has it now. */
async function stateOf({ subject }: OpenStudy, loaded: LoadedConfig, now: Date): Promise<Study> {
  return studyState(loaded, await findStudy(loaded.root, { id: subject.id }), now);
}

function timeoutOf({ config }: LoadedConfig, { timeout_s }: StudyOptions): number {
  return timeout_s ?? config.measure.timeout_s;
}

function seconds(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
