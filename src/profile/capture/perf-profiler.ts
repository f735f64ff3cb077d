import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defined } from '../../model/defined.ts';
import { findProgram } from '../../os/find-program.ts';
import { systemFile } from '../../device/host.ts';
import { environmentInC } from '../../device/candidate-environment.ts';
import { runCommand } from '../../os/run-command.ts';
import { openRunner, type OpenRunner } from '../../runner/open-runner.ts';
import { RunnerFailure } from '../../runner/runner-failure.ts';
import { prepareCase } from '../../runner/prepare-case.ts';
import { parsePerfOutput, perCall } from './perf-output.ts';
import { PerfProcess } from './perf-process.ts';
import {
  skipped,
  type Captured,
  type CaptureRequest,
  type Profiler,
  type ProfilerSearch,
  type Skipped,
  type Taken,
} from './profiler.ts';

/** Of user code alone, which every user may count where perf_event_paranoid is 2, as it is on most machines. */
const EVENTS = [
  'cycles',
  'instructions',
  'cache-references',
  'cache-misses',
  'branches',
  'branch-misses',
  'stalled-cycles-frontend',
  'stalled-cycles-backend',
].map((event) => `${event}:u`);

const PROBE_TIMEOUT_MS = 60_000;

/** Counted this long, a timer interrupt or a page fault is lost in the sum. */
const COUNTED_MS = 200;
const MOST_CALLS = 1000;

/** Linux's perf, attached to the runner for as long as the calls that are counted. */
export class PerfProfiler implements Profiler {
  readonly name = 'perf';
  readonly #events: readonly string[];

  constructor(events: readonly string[] = EVENTS) {
    this.#events = events;
  }

  async find(env: NodeJS.ProcessEnv): Promise<ProfilerSearch> {
    const path = await findProgram(env['PAWL_PERF'] || 'perf', env);
    if (path === undefined)
      return skipped('no-profiler', 'perf was not found', 'Install perf (linux-perf, linux-tools).');
    const args = ['stat', '-x', ',', '-e', this.#events.join(','), 'true'];
    const run = await runCommand(path, args, { env: environmentInC(env), timeout_ms: PROBE_TIMEOUT_MS });
    if (run.status !== 'exited') {
      return skipped('profiler-failed', `perf does not run here (${run.status})`, 'Reinstall perf.');
    }
    if (run.code !== 0) return refused(run.stderr);
    if (parsePerfOutput(run.stderr).counts.size === 0) return noCounters();
    const version = await runCommand(path, ['--version'], {
      env: environmentInC(env),
      timeout_ms: PROBE_TIMEOUT_MS,
    });
    const text = version.status === 'exited' ? version.stdout : '';
    return { status: 'found', path, version: /version (\S+)/.exec(text)?.[1] };
  }

  async take(request: CaptureRequest): Promise<Taken | Skipped> {
    const captured = await this.#capture(request);
    return captured.status === 'skipped' ? captured : { status: 'taken', read: async () => captured };
  }

  async #capture(request: CaptureRequest): Promise<Captured | Skipped> {
    const found = await this.find(request.env);
    if (found.status === 'skipped') return found;
    let runner: OpenRunner | undefined;
    const onAbort = (): void => runner?.process.kill();
    request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      runner = await openRunner(request.target, request.timeout_ms);
      if (request.signal.aborted) return interrupted();
      return await this.#count(runner, found, request);
    } catch (error) {
      if (!(error instanceof RunnerFailure)) throw error;
      return request.signal.aborted ? interrupted() : failed(error, request.timeout_ms);
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      await runner?.process.close();
    }
  }

  async #count(
    { process, opened }: OpenRunner,
    { path, version }: Extract<ProfilerSearch, { status: 'found' }>,
    { target, case: plan, seed, timeout_ms, env, folder, stem }: CaptureRequest,
  ): Promise<Captured | Skipped> {
    await prepareCase(process, target, plan, { seed, sets: 1, timeout_ms });
    const calls = async (launches: number): Promise<number> => {
      const began_ms = performance.now();
      await process.request({ op: 'profile', launches }, timeout_ms);
      return performance.now() - began_ms;
    };
    await calls(1);
    const one_ms = await calls(1);
    const launches = Math.min(MOST_CALLS, Math.max(1, Math.round(COUNTED_MS / Math.max(one_ms, 0.01))));
    const args = ['stat', '-x', ',', '-e', this.#events.join(','), '-p', String(opened.pid)];
    args.push('-D', '-1', '--control', 'fd:3,4');
    const perf = new PerfProcess(path, args, environmentInC(env));
    let obeyed: boolean;
    try {
      obeyed = await perf.tell('enable');
      if (obeyed) {
        await calls(launches);
        obeyed = await perf.tell('disable');
      }
    } catch (error) {
      await perf.end();
      throw error;
    }
    const text = await perf.end();
    if (!obeyed) return refused(text);
    const log = `${stem}.perf.csv`;
    await writeFile(join(folder, log), text);
    const output = parsePerfOutput(text);
    if (output.counts.size === 0) return noCounters();
    return {
      status: 'captured',
      profiler: {
        name: 'perf',
        ...defined({ version }),
        command: [path, ...args],
      },
      device: opened.device,
      launches,
      files: { counters: log },
      counters: perCall(output, launches),
      notes: [
        'counted over consecutive calls, with warm caches',
        ...(output.missing.length === 0 ? [] : [`this CPU does not count ${output.missing.join(', ')}`]),
      ],
    };
  }
}

async function refused(said: string): Promise<Skipped> {
  const first = said.trim().split('\n')[0] ?? '';
  if (!/permission|paranoid|not permitted|No permission|EACCES|EPERM/i.test(said)) {
    return skipped(
      'profiler-failed',
      `perf failed: ${first.slice(0, 200)}`,
      'Try a newer perf (5.10 or later).',
    );
  }
  const paranoid = await systemFile('/proc/sys/kernel/perf_event_paranoid');
  return skipped(
    'no-permission',
    `perf may not count here (perf_event_paranoid is ${paranoid ?? 'unknown'})`,
    'Allow it with `sudo sysctl kernel.perf_event_paranoid=1`; a container also needs `--cap-add=PERFMON`.',
  );
}

function noCounters(): Skipped {
  return skipped(
    'no-counters',
    'this machine has no hardware counters, like most virtual machines',
    'Profile on a machine whose hypervisor passes them through; everything else works.',
  );
}

function interrupted(): Skipped {
  return skipped('interrupted', 'interrupted before the profile was done', 'Profile again.');
}

function failed({ reason, message }: RunnerFailure, timeout_ms: number): Skipped {
  if (reason === 'hung') {
    return skipped(
      'timed-out',
      `the profile did not finish within ${Math.round(timeout_ms / 1000)} s`,
      'Give it longer (--timeout), or take a smaller case.',
    );
  }
  return skipped('kernel-failed', `the kernel failed: ${message}`, 'Run it without a profiler: pawl bench.');
}
