import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defined } from '../../model/defined.ts';
import { environmentInC } from '../../device/candidate-environment.ts';
import { runCommand } from '../../os/run-command.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { metricSet } from '../metric-set.ts';
import { findNcu } from '../ncu/find-ncu.ts';
import type { CapturedLines } from '../lines/code-lines.ts';
import { capturedLines } from '../lines/captured-lines.ts';
import { printNcuPage, printNcuSource } from '../ncu/ncu-import.ts';
import { parseNcuProfile } from '../ncu/ncu-profile.ts';
import { listLaunches, type Launches } from './list-launches.ts';
import { MOST_LAUNCHES, ncuArguments } from './ncu-arguments.ts';
import { ncuSkip, noPermission } from './ncu-skip.ts';
import { profileOnce, type ProfiledOnce } from './profile-once.ts';
import {
  skipped,
  type Captured,
  type CaptureRequest,
  type Profiler,
  type ProfilerSearch,
  type Skipped,
  type Taken,
} from './profiler.ts';

/** ncu loads its parts from disk the first time. */
const VERSION_TIMEOUT_MS = 60_000;

/** Nsight Compute, around a judge and its candidate. */
export class NcuProfiler implements Profiler {
  readonly name = 'ncu';

  async find(env: NodeJS.ProcessEnv): Promise<ProfilerSearch> {
    const path = await findNcu(env);
    if (path === undefined) {
      const named = env['PAWL_NCU'];
      return named === undefined || named === ''
        ? skipped(
            'no-profiler',
            'Nsight Compute (ncu) was not found',
            'Install Nsight Compute (the package is called nsight-compute or cuda-nsight-compute), or name its ncu in PAWL_NCU.',
          )
        : skipped('no-profiler', `PAWL_NCU is "${named}", which does not exist`, 'Correct or unset it.');
    }
    const run = await runCommand(path, ['--version'], {
      env: environmentInC(env),
      timeout_ms: VERSION_TIMEOUT_MS,
    });
    if (run.status !== 'exited' || run.code !== 0) {
      const why = run.status === 'missing' ? run.message : (run.stderr.trim().split('\n')[0] ?? run.status);
      return skipped('profiler-failed', `${path} does not run: ${why}`, 'Reinstall Nsight Compute.');
    }
    return { status: 'found', path, version: /Version (\S+)/.exec(run.stdout)?.[1] };
  }

  async take(request: CaptureRequest): Promise<Taken | Skipped> {
    const found = await this.find(request.env);
    if (found.status === 'skipped') return found;
    const run = new NcuRun(found.path, request);
    const left = await run.take(await listLaunches(request));
    if ('status' in left) return left;
    const read = async (): Promise<Captured | Skipped> => {
      const captured = await run.read(left);
      if ('status' in captured) return captured;
      return {
        status: 'captured',
        ...captured,
        profiler: {
          name: 'ncu',
          ...defined({ version: found.version }),
          command: run.command,
          set: request.set,
          clock_control: 'none',
          cache_control: request.cold ? 'all' : 'none',
        },
      };
    };
    return { status: 'taken', read };
  }
}

/** What ncu left beside its report. */
interface Left {
  readonly device: Captured['device'];
  readonly launches: Launches | undefined;
  readonly log: string;
  /** Metrics that this ncu does not have. */
  readonly absent: readonly string[];
}

class NcuRun {
  readonly #ncu: string;
  readonly #request: CaptureRequest;
  /** As it was run last. */
  command: string[] = [];

  constructor(ncu: string, request: CaptureRequest) {
    this.#ncu = ncu;
    this.#request = request;
  }

  async take(launches: Launches | undefined): Promise<Left | Skipped> {
    const { timeout_ms, signal, set, capability } = this.#request;
    const { metrics } = metricSet(capability);
    let known: readonly string[] = metrics;
    let filter = launches;
    let run = await this.#run(filter, known);
    while (!(await this.#hasReport()) && !signal.aborted && !TOO_LATE.has(run.failure?.reason ?? '')) {
      // A device or a version may lack metrics. ncu names only the first of them, so it is asked until it names none.
      const lacking = set === 'fast' ? lackingMetrics(run.output, known) : [];
      if (lacking.length > 0 && lacking.length < known.length)
        known = known.filter((metric) => !lacking.includes(metric));
      // A name that ncu tells in another way than the driver must not cost the profile.
      else if (filter !== undefined) filter = undefined;
      else break;
      run = await this.#run(filter, known);
    }
    const log = await this.#write('log', run.output);
    if (!(await this.#hasReport()) || run.opened === undefined) {
      return ncuSkip(run.output, run.failure, { interrupted: signal.aborted, timeout_ms });
    }
    const absent = metrics.filter((metric) => !known.includes(metric));
    return { device: run.opened.device, launches, log, absent };
  }

  #run(launches: Launches | undefined, metrics: readonly string[]): Promise<ProfiledOnce> {
    const { target, set, cold, folder, stem } = this.#request;
    const { command, args } = target.runner;
    const own = ncuArguments({ set, metrics, cold, launches, report: join(folder, stem) });
    this.command = [this.#ncu, ...own, command, ...args];
    const runner = {
      ...target.runner,
      command: this.#ncu,
      args: [...own, command, ...args],
      env: { ...target.runner.env, LC_ALL: 'C' },
    };
    return profileOnce(target, runner, this.#request);
  }

  async read({
    device,
    launches,
    log,
    absent,
  }: Left): Promise<Omit<Captured, 'profiler' | 'status'> | Skipped> {
    const { env, signal, stem } = this.#request;
    try {
      const [raw, details, source] = await Promise.all([
        printNcuPage(this.#ncu, this.#report, 'raw', { env, signal }),
        printNcuPage(this.#ncu, this.#report, 'details', { env, signal }),
        this.#source(),
      ]);
      const files = {
        report: `${stem}.ncu-rep`,
        raw: await this.#write('raw.csv', raw),
        details: await this.#write('details.csv', details),
        ...(source === undefined ? {} : { source: await this.#write('source.csv', source) }),
        log,
      };
      const profile = parseNcuProfile(`${raw}\n${details}`, files.raw);
      return {
        device,
        launches: profile.launches.length,
        files,
        profile,
        ...defined({ lines: source === undefined ? undefined : await this.#lines(source) }),
        notes: [...notesOn(profile.launches.length, launches), ...notesOnAbsent(absent)],
      };
    } catch (error) {
      if (!(error instanceof PawlError)) throw error;
      if (error.kind === 'permission') return noPermission();
      const reason = error.kind === 'bad-data' ? 'nothing-profiled' : 'profiler-failed';
      return skipped(reason, error.message, error.hint ?? 'Profile again.');
    }
  }

  /** Lines are worth having beside the profile, not instead of it: an ncu that cannot print them costs nothing else. */
  async #source(): Promise<string | undefined> {
    const { env, signal } = this.#request;
    try {
      const page = await printNcuSource(this.#ncu, this.#report, { env, signal });
      return page.trim() === '' ? undefined : page;
    } catch (error) {
      if (!(error instanceof PawlError)) throw error;
      return undefined;
    }
  }

  async #lines(source: string): Promise<CapturedLines[] | undefined> {
    const lines = capturedLines(source, [await readFile(this.#report)]);
    return lines.length === 0 ? undefined : lines;
  }

  get #report(): string {
    return join(this.#request.folder, `${this.#request.stem}.ncu-rep`);
  }

  async #hasReport(): Promise<boolean> {
    return access(this.#report).then(
      () => true,
      () => false,
    );
  }

  async #write(ending: string, text: string): Promise<string> {
    const name = `${this.#request.stem}.${ending}`;
    await writeFile(join(this.#request.folder, name), text);
    return name;
  }
}

/** After these ncu would take as long once more. */
const TOO_LATE = new Set<string>(['hung', 'import-timeout']);

/** Metrics that ncu says it does not have. It may write a name as a regular expression (`regex:^NAME(\.…)?$`). */
function lackingMetrics(output: string, asked: readonly string[]): string[] {
  const said = output.replaceAll('\\', '');
  return asked.filter((metric) => said.includes(metric));
}

function notesOnAbsent(absent: readonly string[]): string[] {
  return absent.length === 0 ? [] : [`this ncu lacks ${absent.join(', ')}: rules that need them are skipped`];
}

function notesOn(profiled: number, launches: Launches | undefined): string[] {
  const total = launches?.reduce((sum, { count }) => sum + count, 0);
  if (total !== undefined && total > profiled)
    return [`a call launches ${total} kernels, of which the first ${profiled} were profiled`];
  if (total === undefined && profiled === MOST_LAUNCHES)
    return [`at most ${MOST_LAUNCHES} launches of a call are profiled; there may be more`];
  return [];
}
