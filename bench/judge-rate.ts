/**
 * Verdicts per minute of `pawl judge --batch` on this machine's CPU, and where the time goes: `judge-rate [--count 24]
 * [--json]`. A problem whose reference takes about 100 µs is made in a temporary folder; candidates are of six kinds,
 * and each kind is judged as a batch of its own, then all of them as one. Nothing is in the build cache beforehand.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import type { JudgementLine } from '../src/model/judgement.ts';
import { RunnerProcess } from '../src/runner/runner-process.ts';
import { judgeBatch } from '../src/workflows/judge.ts';
import { table } from './gate-quality/markdown.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '24' }, json: { type: 'boolean', default: false } },
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

/** The n-th of a kind differs from the others in a comment only. */
const KINDS: Readonly<Record<string, string>> = {
  unchanged: kernel(TURNS, 'return doubled(call);'),
  '5 % faster': kernel(TURNS / 1.05, 'return doubled(call);'),
  '2× faster': kernel(TURNS / 2, 'return doubled(call);'),
  '4× slower': kernel(4 * TURNS, 'return doubled(call);'),
  wrong: kernel(TURNS, 'return 0;'),
  'does not build': kernel(TURNS, 'return nothing_of_that_name(call);'),
};

/** What the requests of a phase took, in milliseconds. */
const phases = new Map<string, number>();
const PHASE: Readonly<Record<string, string>> = {
  open: 'start',
  prepare: 'start',
  close: 'start',
  quit: 'start',
  check: 'verify',
  sample: 'measure',
};

/** Every request of every runner, with what it took. */
function watchRequests(): void {
  const own = Object.getOwnPropertyDescriptor(RunnerProcess.prototype, 'request')!;
  const request = own.value as (this: RunnerProcess, asked: { readonly op: string }) => Promise<unknown>;
  async function timed(this: RunnerProcess, ...args: Parameters<typeof request>): Promise<unknown> {
    const started = performance.now();
    try {
      return await request.apply(this, args);
    } finally {
      const phase = PHASE[args[0].op] ?? 'other requests';
      phases.set(phase, (phases.get(phase) ?? 0) + performance.now() - started);
    }
  }
  Object.defineProperty(RunnerProcess.prototype, 'request', { ...own, value: timed });
}

interface Rate {
  readonly kind: string;
  readonly candidates: number;
  readonly per_minute: number;
  /** Milliseconds per candidate; `build` goes on beside the others. */
  readonly build: number;
  readonly start: number;
  readonly verify: number;
  readonly measure: number;
  /** What is left of the device's time: deciding, recording, waiting for this program. */
  readonly decide: number;
  readonly verdicts: Readonly<Record<string, number>>;
}

async function rateOf(folder: string, kind: string, sources: readonly string[]): Promise<Rate> {
  const lines = sources.map((text, at) => JSON.stringify({ id: String(at), files: { 'kernel.cpp': text } }));
  const batch = join(folder, 'batch.jsonl');
  await writeFile(batch, lines.join('\n'));
  const answers: JudgementLine[] = [];
  let first = 0;
  await judgeBatch('doubled', batch, {
    config: folder,
    wait_s: 600,
    onAnswer: (line) => {
      // The problem itself is read, built and checked once, before.
      if (answers.length === 0) {
        first = performance.now();
        phases.clear();
      }
      answers.push(line);
    },
  });
  const judged = answers.slice(1).filter((line) => line.schema === 'pawl.judgement/1');
  const took_ms = performance.now() - first;
  const each = (ms: number): number => ms / judged.length;
  const phase = (name: string): number => each(phases.get(name) ?? 0);
  const device = each(1000 * judged.reduce((sum, { cost }) => sum + cost.device_s, 0));
  const verdicts: Record<string, number> = {};
  for (const { verdict } of judged) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const [start, verify, measure] = [phase('start'), phase('verify'), phase('measure')];
  return {
    kind,
    candidates: judged.length,
    per_minute: (60_000 * judged.length) / took_ms,
    build: each(1000 * judged.reduce((sum, { cost }) => sum + cost.build_s, 0)),
    start,
    verify,
    measure,
    decide: Math.max(0, device - start - verify - measure),
    verdicts,
  };
}

const folder = await mkdtemp(join(tmpdir(), 'pawl-judge-rate-'));
const rates: Rate[] = [];
try {
  await mkdir(join(folder, 'src'));
  for (const name of ['doubled.hpp', 'oracle.cpp']) await cp(join(FIXTURES, name), join(folder, 'src', name));
  await writeFile(join(folder, 'src/reference.cpp'), KINDS['unchanged']!);
  await writeFile(
    join(folder, 'pawl.yaml'),
    `version: 1
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
`,
  );
  watchRequests();
  const numbered = (text: string, series: string): string[] =>
    Array.from({ length: count + 1 }, (_, at) => `// ${series} ${at}\n${text}`);
  for (const [kind, text] of Object.entries(KINDS)) {
    rates.push(await rateOf(folder, kind, numbered(text, 'alone')));
  }
  const mixed = Array.from({ length: count + 1 }, (_, at) =>
    Object.values(KINDS).map((text) => `// together ${at}\n${text}`),
  );
  rates.push(await rateOf(folder, 'all of them', mixed.flat()));
} finally {
  await rm(folder, { recursive: true, force: true });
}

if (values.json) console.log(JSON.stringify(rates, undefined, 2));
else {
  const head = [
    'candidates',
    'verdicts per minute',
    'build, ms',
    'start',
    'verify',
    'measure',
    'decide',
    'verdicts',
  ];
  const rows = rates.map((one) => [
    `${one.kind} (${one.candidates})`,
    one.per_minute.toFixed(0),
    one.build.toFixed(0),
    one.start.toFixed(0),
    one.verify.toFixed(0),
    one.measure.toFixed(0),
    one.decide.toFixed(0),
    Object.entries(one.verdicts)
      .map(([verdict, times]) => `${times} ${verdict}`)
      .join(', '),
  ]);
  console.log(table(head, rows).join('\n'));
}
