/** Hot lines of a compiled CPU kernel: its process is sampled by `perf record`, by cycles or, without counters, by a timer. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { HotLines } from '../../model/profile/hot-lines.ts';
import { environmentInC } from '../../device/candidate-environment.ts';
import { findProgram } from '../../os/find-program.ts';
import { runCommand } from '../../os/run-command.ts';
import { openRunner } from '../../runner/open-runner.ts';
import { prepareCase } from '../../runner/prepare-case.ts';
import { RunnerFailure } from '../../runner/runner-failure.ts';
import { PerfProcess } from '../capture/perf-process.ts';
import type { CaptureRequest } from '../capture/profiler.ts';
import type { SourceText } from '../lines/hot-lines.ts';
import { addressOfOffset, readElf } from '../lines/elf.ts';
import { readPerfSamples, type Frame } from './perf-samples.ts';
import { addressesOf, cpuLines, readAddr2line, type SampledAddress } from './sampled-lines.ts';

const TOOL_TIMEOUT_MS = 60_000;
/** Beside a multiple of the timer's frequency, so that samples do not march in step with it. */
const FREQUENCY = 1999;
const SAMPLED_MS = 1500;
const MOST_CALLS = 100_000;
/** Fewer samples than these say nothing. */
const LEAST_SAMPLES = 50;
const STACK_BYTES = 8192;
/** On x86. */
const LONGEST_INSTRUCTION = 15;

/** perf takes a timer for cycles where it cannot count them; where it may not even try, the timer is asked for. */
const EVENTS = ['cycles:u', 'cpu-clock:u'] as const;
const TIMERS = /^(?:cpu|task)-clock/u;

export type SampleRequest = Pick<
  CaptureRequest,
  'target' | 'case' | 'seed' | 'timeout_ms' | 'env' | 'signal'
>;

/** The lines, and what one call took while it was sampled. */
export interface SampledKernel {
  readonly hot: HotLines;
  readonly duration_us: number;
}

/** Undefined where nothing can sample here, or the kernel is not a library; never a failure of the profile. */
export async function sampleKernel(
  request: SampleRequest,
  sources: SourceText,
): Promise<SampledKernel | undefined> {
  const { target, env } = request;
  const { kernel } = target.open;
  const perf = await findProgram(env['PAWL_PERF'] || 'perf', env);
  const addr2line = await findProgram('addr2line', env);
  if (perf === undefined || addr2line === undefined || !('library' in kernel)) return undefined;
  const code = await codeOf(kernel.library, request);
  for (const asked of EVENTS) {
    const taken = await recorded(perf, asked, { library: kernel.library, code }, request);
    const samples = taken?.addresses.reduce((sum, one) => sum + one.samples, 0) ?? 0;
    if (taken === undefined || samples < LEAST_SAMPLES) continue;
    const { addresses, event, duration_us } = taken;
    const places = await located(addr2line, kernel.library, addresses, request);
    const basis = TIMERS.test(event ?? asked) ? 'timer-samples' : 'hardware-samples';
    const hot = cpuLines({ kernel: target.plan.name, basis, addresses, places, code }, sources);
    return { hot, duration_us };
  }
  return undefined;
}

interface Recorded {
  readonly event: string | undefined;
  readonly addresses: SampledAddress[];
  readonly duration_us: number;
}

async function recorded(
  perf: string,
  event: string,
  { library, code }: { readonly library: string; readonly code: ReadonlyMap<number, string> },
  request: SampleRequest,
): Promise<Recorded | undefined> {
  const { target, case: plan, seed, timeout_ms, env, signal } = request;
  const folder = await mkdtemp(join(tmpdir(), 'pawl-perf-'));
  const data = join(folder, 'perf.data');
  let runner: Awaited<ReturnType<typeof openRunner>> | undefined;
  try {
    runner = await openRunner(target, timeout_ms, { signal });
    const { process, opened } = runner;
    await prepareCase(process, target, plan, { seed, sets: 1, timeout_ms });
    const calls = async (launches: number): Promise<number> => {
      const began_ms = performance.now();
      await process.request({ op: 'profile', launches }, timeout_ms);
      return performance.now() - began_ms;
    };
    await calls(1);
    const one_ms = Math.max(0.001, await calls(1));
    const launches = Math.min(MOST_CALLS, Math.max(1, Math.round(SAMPLED_MS / one_ms)));
    const args = [
      'record',
      '-q',
      '-e',
      event,
      '-F',
      String(FREQUENCY),
      '--call-graph',
      `dwarf,${STACK_BYTES}`,
    ];
    args.push('-o', data, '-p', String(opened.pid), '-D', '-1', '--control', 'fd:3,4');
    const sampler = new PerfProcess(perf, args, environmentInC(env));
    let sampled_ms: number | undefined;
    try {
      if (await sampler.tell('enable')) sampled_ms = await calls(launches);
    } finally {
      await sampler.end();
    }
    if (sampled_ms === undefined) return undefined;
    const script = ['script', '-i', data, '-F', 'event,ip,sym,symoff,dso', '--no-demangle'];
    const run = await runCommand(perf, script, {
      env: environmentInC(env),
      signal,
      timeout_ms: TOOL_TIMEOUT_MS,
      maxOutputBytes: 256 * 1024 * 1024,
    });
    if (run.status !== 'exited' || run.code !== 0) return undefined;
    const elf = readElf(await readFile(library));
    if (elf === undefined) return undefined;
    const { event: counted, stacks } = readPerfSamples(run.stdout);
    const addressOf = (frame: Frame): number | undefined => {
      if (!isLibrary(frame, library)) return undefined;
      const symbol = elf.symbols.find(({ name }) => name === frame.symbol);
      const address =
        frame.symbol === '' ? addressOfOffset(elf, frame.ip) : symbol && symbol.value + frame.offset;
      return address === undefined ? undefined : instructionAt(code, address);
    };
    const addresses = addressesOf({ stacks, addressOf });
    return { event: counted, addresses, duration_us: (1000 * sampled_ms) / launches };
  } catch (error) {
    // The kernel's own failure is told by the run that measures it.
    if (error instanceof RunnerFailure) return undefined;
    throw error;
  } finally {
    await runner?.process.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The judge hands a library over as a file without a name. */
function isLibrary({ file }: Frame, library: string): boolean {
  return file.startsWith('/memfd:pawl-library') || basename(file) === basename(library);
}

/** A caller's address points into its call. */
function instructionAt(code: ReadonlyMap<number, string>, address: number): number {
  for (let at = address; at > address - LONGEST_INSTRUCTION; at -= 1) if (code.has(at)) return at;
  return address;
}

async function located(
  addr2line: string,
  library: string,
  addresses: readonly SampledAddress[],
  { env, signal }: SampleRequest,
): Promise<ReturnType<typeof readAddr2line>> {
  const input = addresses.map(({ address }) => `0x${address.toString(16)}\n`).join('');
  const run = await runCommand(addr2line, ['-a', '-i', '-f', '-e', library], {
    env: environmentInC(env),
    signal,
    input,
    timeout_ms: TOOL_TIMEOUT_MS,
  });
  return readAddr2line(run.status === 'exited' && run.code === 0 ? run.stdout : '');
}

async function codeOf(library: string, { env, signal }: SampleRequest): Promise<ReadonlyMap<number, string>> {
  const objdump = await findProgram('objdump', env);
  if (objdump === undefined) return new Map();
  const args = ['-d', '--no-show-raw-insn', library];
  const run = await runCommand(objdump, args, {
    env: environmentInC(env),
    signal,
    timeout_ms: TOOL_TIMEOUT_MS,
  });
  if (run.status !== 'exited' || run.code !== 0) return new Map();
  return new Map(
    [...run.stdout.matchAll(/^\s*([0-9a-f]+):\t(.+)$/gmu)].map(([, at = '', text = '']) => [
      Number.parseInt(at, 16),
      text.replaceAll(/\s+/gu, ' ').trim(),
    ]),
  );
}
