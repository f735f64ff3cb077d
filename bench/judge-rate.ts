/**
 * Verdicts per minute of `pawl judge --batch` on this machine, and where the time goes: `judge-rate [--count 24]
 * [--json]`. A problem whose reference takes about 100 µs on a CPU is made in a temporary folder; candidates are of six
 * kinds, and each kind is judged as a batch of its own, then all of them as one. Nothing is in the build cache
 * beforehand.
 *
 * With `--problem FILE --candidates FOLDER [--project FOLDER]` the problem is that one, each file of the folder is a
 * kind of candidate, and they are judged as one batch. This is how the GPU's figures were made. `--trace` prints every
 * request and what it took.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { JudgementLine } from '../src/model/queue/judgement.ts';
import { insideOf } from '../src/runner/trace-requests.ts';
import { RunnerProcess } from '../src/runner/runner-process.ts';
import { judgeBatch } from '../src/workflows/judge.ts';
import { table } from './gate-quality/markdown.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '24' },
    json: { type: 'boolean', default: false },
    problem: { type: 'string' },
    candidates: { type: 'string' },
    project: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);

/** Turns of an empty loop that take about 100 µs. */
const TURNS = 45_000;
const FIXTURES = fileURLToPath(new URL('../../test/fixtures/kernels/', import.meta.url));

const kernel = (turns: number, last: string): string => `#include "doubled.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (volatile int turn = 0; turn < ${turns}; turn = turn + 1) {}
  ${last}
}
`;

const KINDS: Readonly<Record<string, string>> = {
  unchanged: kernel(TURNS, 'return doubled(call);'),
  '5 % faster': kernel(TURNS / 1.05, 'return doubled(call);'),
  '2× faster': kernel(TURNS / 2, 'return doubled(call);'),
  '4× slower': kernel(4 * TURNS, 'return doubled(call);'),
  wrong: kernel(TURNS, 'return 0;'),
  'does not build': kernel(TURNS, 'return nothing_of_that_name(call);'),
};

const PROJECT = `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    cases: { small: { N: 1000 } }
kernels:
  reference: { problem: doubled, device: cpu, language: c++, sources: [src/reference.cpp] }
measure: { mode: hot }
`;

/** What a request is part of; `import` is that of oracles, generators and checkers. */
const PHASE = {
  open: 'start',
  close: 'end',
  quit: 'end',
  oracle: 'import',
  generator: 'import',
  checker: 'import',
  prepare: 'prepare',
  call: 'first call',
  check: 'verify',
  sample: 'measure',
} as const;
type Phase = (typeof PHASE)[keyof typeof PHASE];
const PHASES: readonly Phase[] = [...new Set(Object.values(PHASE))];

/** Milliseconds that the requests of a phase took. */
const phases = new Map<Phase, number>();

/** Every request of every runner, with what it took. */
function watchRequests(): void {
  const own = Object.getOwnPropertyDescriptor(RunnerProcess.prototype, 'request')!;
  const request = own.value as (this: RunnerProcess, asked: { readonly op: string }) => Promise<unknown>;
  async function timed(this: RunnerProcess, ...args: Parameters<typeof request>): Promise<unknown> {
    const started = performance.now();
    let inside = '';
    try {
      const result = await request.apply(this, args);
      inside = insideOf(result);
      return result;
    } finally {
      const { op } = args[0];
      const took_ms = performance.now() - started;
      if (values.trace) console.error(`${started.toFixed(0)} ${op} ${took_ms.toFixed(0)}${inside}`);
      const phase = op in PHASE ? PHASE[op as keyof typeof PHASE] : undefined;
      if (phase !== undefined) phases.set(phase, (phases.get(phase) ?? 0) + took_ms);
    }
  }
  Object.defineProperty(RunnerProcess.prototype, 'request', { ...own, value: timed });
}

interface Rate {
  readonly kind: string;
  readonly candidates: number;
  readonly per_minute: number;
  /** Milliseconds per candidate, beside everything else. */
  readonly build: number;
  /** Of the device's time, and how long the requests of each phase took. Some may go on at the same time. */
  readonly device: number;
  readonly phases: Readonly<Record<Phase, number>>;
  readonly verdicts: Readonly<Record<string, number>>;
}

interface Asked {
  readonly problem: string;
  readonly config?: string;
  /** The name of a candidate's one file. */
  readonly file: string;
}

async function rateOf(
  { problem, config, file }: Asked,
  kind: string,
  sources: readonly string[],
): Promise<Rate> {
  const lines = sources.map((text, at) => JSON.stringify({ id: String(at), files: { [file]: text } }));
  const batch = join(folder, 'batch.jsonl');
  await writeFile(batch, lines.join('\n'));
  const answers: JudgementLine[] = [];
  let first = 0;
  await judgeBatch(problem, batch, {
    ...(config === undefined ? {} : { config }),
    wait_s: 600,
    onAnswer: (line) => {
      // The problem itself is read, built and checked once, before.
      if (answers.length === 0) {
        first = performance.now();
        phases.clear();
      }
      answers.push(line);
      if (line.schema === 'pawl.judgement-error/1') console.error(line.error.message);
      else if (values.trace) console.error(`${line.id} ${line.verdict} ${line.cost.device_s} s`);
    },
  });
  const judged = answers.slice(1).filter((line) => line.schema === 'pawl.judgement/1');
  const took_ms = performance.now() - first;
  const each = (ms: number): number => ms / judged.length;
  const verdicts: Record<string, number> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  return {
    kind,
    candidates: judged.length,
    per_minute: (60_000 * judged.length) / took_ms,
    build: each(1000 * judged.reduce((sum, { cost }) => sum + cost.build_s, 0)),
    device: each(1000 * judged.reduce((sum, { cost }) => sum + cost.device_s, 0)),
    phases: Object.fromEntries(PHASES.map((name) => [name, each(phases.get(name) ?? 0)])) as Rate['phases'],
    verdicts,
  };
}

/** The n-th of a kind differs from the others in a comment only. */
function numbered(text: string, series: string, file: string): string[] {
  const comment = extname(file) === '.py' ? '#' : '//';
  return Array.from({ length: count + 1 }, (_, at) => `${comment} ${series} ${at}\n${text}`);
}

/** In turns, so that each kind meets the same state of the machine. */
function inTurns(kinds: readonly (readonly string[])[]): string[] {
  return Array.from({ length: count + 1 }, (_, at) => kinds.map((texts) => texts[at]!)).flat();
}

async function ratesOfProblem(problem: string, candidates: string): Promise<Rate[]> {
  const names = await readdir(candidates);
  const texts = await Promise.all(names.map((name) => readFile(join(candidates, name), 'utf8')));
  const file = `candidate${extname(names[0]!)}`;
  const all = inTurns(texts.map((text, at) => numbered(text, names[at]!, file)));
  const asked = { problem, file, ...(values.project === undefined ? {} : { config: values.project }) };
  return [await rateOf(asked, problem, all)];
}

async function ratesOfCpu(): Promise<Rate[]> {
  await mkdir(join(folder, 'src'));
  for (const name of ['doubled.hpp', 'oracle.cpp']) await cp(join(FIXTURES, name), join(folder, 'src', name));
  await writeFile(join(folder, 'src/reference.cpp'), KINDS['unchanged']!);
  await writeFile(join(folder, 'pawl.yaml'), PROJECT);
  const asked = { problem: 'doubled', config: folder, file: 'kernel.cpp' };
  const found: Rate[] = [];
  for (const [kind, text] of Object.entries(KINDS)) {
    found.push(await rateOf(asked, kind, numbered(text, 'alone', asked.file)));
  }
  const together = Object.values(KINDS).map((text) => numbered(text, 'together', asked.file));
  found.push(await rateOf(asked, 'all of them', inTurns(together)));
  return found;
}

function rowOf({ kind, candidates, per_minute, build, device, phases: took, verdicts }: Rate): string[] {
  const numbers = [per_minute, build, device].concat(PHASES.map((name) => took[name]));
  const counted = Object.entries(verdicts).map(([verdict, times]) => `${times} ${verdict}`);
  return [`${kind} (${candidates})`].concat(
    numbers.map((one) => one.toFixed(0)),
    counted.join(', '),
  );
}

const folder = await mkdtemp(join(tmpdir(), 'pawl-judge-rate-'));
let rates: Rate[];
try {
  watchRequests();
  const { problem, candidates } = values;
  rates =
    problem === undefined || candidates === undefined
      ? await ratesOfCpu()
      : await ratesOfProblem(problem, candidates);
} finally {
  await rm(folder, { recursive: true, force: true });
}

if (values.json) console.log(JSON.stringify(rates, undefined, 2));
else {
  const head = ['candidates', 'verdicts per minute', 'build, ms', 'device', ...PHASES, 'verdicts'];
  const rows = rates.map((one) => rowOf(one));
  console.log(table(head, rows).join('\n'));
}
