/**
 * Foreign kernels timed with Pawl and with Triton's `do_bench`, one beside the other: `beside-do-bench PROJECT
 * [--out rows.jsonl] [--only TEXT] [--short 40]`.
 *
 * PROJECT is what `bench/beside-do-bench/project.mjs` made. Of each kernel `do_bench` takes its median, then Pawl takes
 * two series in `cold` mode, each in a copy of a warm process, then `do_bench` takes its median again. Kernels that take
 * less than `--short` µs are also timed in `graph` mode beside `do_bench_cudagraph`. Rows are appended to FILE; those it
 * has are not taken again. Prints the table. `PAWL_PYTHON` names a Python with PyTorch and Triton.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { packageRoot } from '../src/build/package-root.ts';
import { loadConfig } from '../src/config/load-config.ts';
import type { Config } from '../src/config/schema.ts';
import { planKernel } from '../src/config/plan-kernel.ts';
import { Rounds, slotsOf } from '../src/measure/rounds.ts';
import { STOPPING_RULES } from '../src/measure/stopping-rules.ts';
import type { Mode } from '../src/model/problem/mode.ts';
import { runContext } from '../src/os/run-context.ts';
import { benchSettings } from '../src/rig/bench-settings.ts';
import { prepareSide } from '../src/rig/prepared-side.ts';
import { KeptJudge } from '../src/runner/kept-judge.ts';
import type { Target } from '../src/runner/target.ts';
import { median } from '../src/stats/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'beside-do-bench.jsonl' },
    only: { type: 'string', default: '' },
    short: { type: 'string', default: '40' },
  },
});
const project = resolve(positionals[0] ?? '.');
const SAMPLES = 40;
const SERIES = 2;

interface Beside {
  readonly peer_us: readonly number[];
  readonly pawl_us: readonly number[];
  readonly difference_pct: number;
}

interface Row {
  readonly name: string;
  readonly cold?: Beside;
  readonly graph?: Beside | { readonly error: string };
  /** What a call takes on the host. */
  readonly host_us?: number;
  /** How Pawl took its series, where not as usual. */
  readonly notes?: readonly string[];
  readonly error?: string;
}

interface Answer {
  readonly us: number;
  readonly host_us?: number;
  readonly error?: string;
}

/** Triton's side: one process, asked by lines. */
class Peer {
  readonly #process = spawn(
    process.env['PAWL_PYTHON'] ?? 'python3',
    [join(packageRoot(), 'bench/h200/do_bench_server.py'), project],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PYTHONPATH: [join(packageRoot(), 'runner/python'), process.env['PYTHONPATH']]
          .filter(Boolean)
          .join(':'),
      },
    },
  );
  readonly #lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();

  async ask(name: string, how: Mode): Promise<Answer> {
    this.#process.stdin.write(`${JSON.stringify({ name, how })}\n`);
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error('do_bench_server.py has ended');
    const answer: Answer = JSON.parse(value);
    if (answer.error !== undefined) throw new Error(`do_bench: ${answer.error}`);
    return answer;
  }

  close(): void {
    this.#process.stdin.end();
  }
}

const context = runContext({});
const judge = new KeptJudge();
const peer = new Peer();

async function pawlTimes(
  target: Target,
  mode: Mode,
  measure: Config['measure'],
): Promise<{ us: number[]; notes: string[] }> {
  const settings = benchSettings(measure, { modes: [mode], samples: SAMPLES, warmup: 5 });
  const [slot] = slotsOf([target], [mode]);
  if (slot === undefined) throw new Error('no case');
  const us: number[] = [];
  const notes: string[] = [];
  for (let process = 1; process <= SERIES; process += 1) {
    const rounds = new Rounds({
      ...context,
      ...settings,
      rule: STOPPING_RULES.fixed(SAMPLES),
      verified: false,
      seed: () => String(process),
      judge,
      onRecord: ({ outcome }) => {
        if ('lost' in outcome) throw new Error(outcome.lost.message);
        const { samples_ms, timing, notes: told = [] } = outcome.taken;
        us.push(1000 * median(samples_ms));
        notes.push(...told, ...(timing === 'plain' ? ['plain'] : []));
      },
    });
    await rounds.take(target, [slot], process);
  }
  return { us, notes: [...new Set(notes)] };
}

const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;

function beside(peer_us: readonly number[], pawl_us: readonly number[]): Beside {
  return { peer_us, pawl_us, difference_pct: 100 * (mean(pawl_us) / mean(peer_us) - 1) };
}

async function timed(target: Target, measure: Config['measure']): Promise<Row> {
  const { name } = target.plan;
  const before = await peer.ask(name, 'cold');
  const { us, notes } = await pawlTimes(target, 'cold', measure);
  const after = await peer.ask(name, 'cold');
  const row = {
    name,
    cold: beside([before.us, after.us], us),
    ...(before.host_us !== undefined && { host_us: before.host_us }),
    ...(notes.length > 0 && { notes }),
  };
  if (before.us >= Number(values.short)) return row;
  try {
    const first = await peer.ask(name, 'graph');
    const ours = await pawlTimes(target, 'graph', measure);
    const second = await peer.ask(name, 'graph');
    return { ...row, graph: beside([first.us, second.us], ours.us) };
  } catch (error) {
    return { ...row, graph: { error: String(error) } };
  }
}

const us = (numbers: readonly number[]): string =>
  numbers.map((one) => one.toFixed(one < 100 ? 2 : 0)).join(', ');
const cells = ({ peer_us, pawl_us, difference_pct }: Beside): string =>
  `${us(peer_us)} | ${us(pawl_us)} | ${difference_pct > 0 ? '+' : ''}${difference_pct.toFixed(1)} %`;

function table(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, cold, graph, host_us, notes, error }) => [
    cold === undefined
      ? `| \`${name}\` | ${error ?? ''} |`
      : `| \`${name}\` | ${cells(cold)} | ${host_us?.toFixed(0) ?? ''} | ${notes?.join('; ') ?? ''} |`,
    ...(graph === undefined
      ? []
      : [`| \`${name}\`, graph | ${'error' in graph ? graph.error : `${cells(graph)} | | |`}`]),
  ]);
  const shown = rows.flatMap(({ cold, graph }) => {
    const one = graph === undefined || 'error' in graph ? cold : graph;
    return one === undefined ? [] : [Math.abs(one.difference_pct)];
  });
  const close = shown.filter((one) => one <= 2).length;
  return [
    '| kernel | Triton, µs | Pawl, µs | difference | a call on the host, µs | notes |',
    '| --- | --- | --- | --: | --: | --- |',
    ...lines,
    `${rows.length} kernels, ${shown.length} timed by both, ${close} within 2 % (short ones in graph mode)`,
  ].join('\n');
}

const known: Row[] = existsSync(values.out)
  ? readFileSync(values.out, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row)
  : [];
const rows = new Map(known.map((row) => [row.name, row]));
const loaded = await loadConfig(project);
const plans = Object.keys(loaded.config.kernels)
  .filter((name) => name.includes(values.only) && !rows.has(name))
  .map((name) => planKernel(loaded, name, {}));
const side = await prepareSide(plans, { ...context, loaded, git: undefined, main: loaded, gpuIndex: 0 });
for (const { kernel, message } of side.skipped) process.stderr.write(`${kernel} left out: ${message}\n`);
for (const target of side.targets) {
  const started = performance.now();
  const { name } = target.plan;
  const row: Row = await timed(target, loaded.config.measure).catch((error: unknown) => ({
    name,
    error: String(error).slice(0, 300),
  }));
  rows.set(name, row);
  appendFileSync(values.out, `${JSON.stringify({ ...row, took_s: (performance.now() - started) / 1000 })}\n`);
  process.stderr.write(`${name}: ${row.cold === undefined ? row.error : cells(row.cold)}\n`);
}
process.stdout.write(`${table([...rows.values()])}\n`);
peer.close();
await judge.close();
