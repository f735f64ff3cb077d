/**
 * What the tamper detectors cost, and whether they change what is measured: checks with and without the audit, samples
 * with and without guards, interleaved in one process. Prints Markdown.
 *
 *   node .bench/bench/detector-cost.js [KERNEL [CASE]]
 */
import process from 'node:process';

import { planKernel } from '../src/config/plan-kernel.ts';
import { loadConfig } from '../src/config/load-config.ts';
import type { Mode } from '../src/model/problem/mode.ts';
import type { SampleResult } from '../src/model/measure/protocol.ts';
import { openRunner } from '../src/runner/open-runner.ts';
import { prepareRequest } from '../src/runner/target.ts';
import { median } from '../src/stats/index.ts';
import { prepareTargets } from '../src/rig/prepare-targets.ts';

const [kernel = 'attention-cpu', name = 'medium_256'] = process.argv.slice(2);
const REPEATS = 15;
const SAMPLES = 20;
const TIMEOUT_MS = 120_000;

const loaded = await loadConfig();
const plan = planKernel(loaded, kernel, { cases: [name] });
const { targets, skipped } = await prepareTargets([plan], {
  loaded,
  gpuIndex: 0,
  onProgress: () => undefined,
  signal: new AbortController().signal,
});
const [target] = targets;
if (target?.oracle === undefined) throw new Error(skipped[0]?.message ?? 'there is no oracle');
const { oracle } = target;
const { process: runner, opened } = await openRunner(target, TIMEOUT_MS);
const [only] = plan.cases;
if (only === undefined) throw new Error(`${kernel} has no case ${name}`);

const rules = { oracle, ...only.tolerance };
const checks = {
  plain: [] as number[],
  audited: [] as number[],
  kernel: [] as number[],
  oracle: [] as number[],
};
await runner.request(prepareRequest(target, only, '1', { sets: 1 }), TIMEOUT_MS);
for (let repeat = 0; repeat < REPEATS; repeat++) {
  for (const audit of [false, true]) {
    const { cost_ms } = await runner.request(
      { op: 'check', ...rules, seed: String(repeat + 2), audit },
      TIMEOUT_MS,
    );
    if (cost_ms === undefined) continue;
    (audit ? checks.audited : checks.plain).push(cost_ms.total);
    if (!audit) {
      checks.kernel.push(cost_ms.kernel);
      checks.oracle.push(cost_ms.oracle);
    }
  }
}

console.log(`${opened.device.name}; ${kernel}, ${name}; medians of ${REPEATS} requests of ${SAMPLES} samples, interleaved; ${new Date().toISOString()}; \`node .bench/bench/detector-cost.js ${kernel} ${name}\`.

| check | ms |
|---|--:|
| without audit | ${median(checks.plain).toFixed(1)} |
| … in the kernel, three calls | ${median(checks.kernel).toFixed(1)} |
| … in the oracle and its reference | ${median(checks.oracle).toFixed(1)} |
| with audit | ${median(checks.audited).toFixed(1)} |

| a sample | ms, guarded | ms, unguarded | ratio of wall time | ratio of what is measured |
|---|--:|--:|--:|--:|`);

await runner.request(prepareRequest(target, only, '1'), TIMEOUT_MS);
for (const mode of opened.modes.filter((each) => each !== 'graph')) {
  await take(mode, true, false);
  const guarded: SampleResult[] = [];
  const unguarded: SampleResult[] = [];
  const verified: SampleResult[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    guarded.push(await take(mode, true, false));
    unguarded.push(await take(mode, false, false));
    verified.push(await take(mode, true, true));
  }
  const [wall, bare] = [wallOf(guarded), wallOf(unguarded)];
  const measured = measuredIn(guarded) / measuredIn(unguarded);
  console.log(
    `| ${mode} | ${wall.toFixed(3)} | ${bare.toFixed(3)} | ${(wall / bare).toFixed(2)} | ${measured.toFixed(4)} |`,
  );
  const verification_ms = (wallOf(verified) - wall) * SAMPLES;
  console.log(`| ${mode}, verification of one series | ${verification_ms.toFixed(1)} in all | | | |`);
}
await runner.close();

function take(mode: Mode, guarded: boolean, isVerified: boolean): Promise<SampleResult> {
  return runner.request(
    {
      op: 'sample',
      mode,
      count: SAMPLES,
      budget_ms: TIMEOUT_MS / 2,
      timing: 'blocked',
      guarded,
      ...(isVerified ? { verify: rules } : {}),
    },
    TIMEOUT_MS,
  );
}

function wallOf(results: readonly SampleResult[]): number {
  return median(results.map(({ wall_ms, samples_ms }) => wall_ms / samples_ms.length));
}

function measuredIn(results: readonly SampleResult[]): number {
  return median(results.map(({ samples_ms }) => median(samples_ms)));
}
