/**
 * Whether a Python kernel may be timed in a copy of a warm process: `timed-copies FOLDER… [--kernel reference]
 * [--blocks 10] [--mode cold] [--kinds fresh,copy]`. Prints a line of JSON for each folder.
 *
 * FOLDER is a project (`pawl adopt FILE --out FOLDER`). In every block the kernel is timed once in a process that
 * imports everything by itself and once in a copy of one that has, in random order and on the same inputs. If copies
 * measured something else, their medians would differ; if they were not independent, their medians would scatter less.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';

import { loadConfig } from '../src/config/load-config.ts';
import { planKernel } from '../src/config/plan-kernel.ts';
import { Rounds, slotsOf } from '../src/measure/rounds.ts';
import { STOPPING_RULES } from '../src/measure/stopping-rules.ts';
import { MODES } from '../src/model/problem/mode.ts';
import { runContext } from '../src/os/run-context.ts';
import { benchSettings } from '../src/rig/bench-settings.ts';
import { prepareSide } from '../src/rig/prepared-side.ts';
import { KeptJudge } from '../src/runner/kept-judge.ts';
import { median } from '../src/stats/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kernel: { type: 'string', default: 'reference' },
    blocks: { type: 'string', default: '10' },
    mode: { type: 'string', default: 'cold' },
    kinds: { type: 'string', default: 'fresh,copy' },
  },
});
const ALL = ['fresh', 'copy'] as const;
type Kind = (typeof ALL)[number];
const KINDS = ALL.filter((kind) => values.kinds.split(',').includes(kind));
const SAMPLES = 20;
const judges = { fresh: new KeptJudge({ asCopy: false }), copy: new KeptJudge({ asCopy: true }) };
const context = runContext({});

interface Timed {
  readonly median_us: number;
  /** From the start of the process to the end of its series. */
  readonly took_s: number;
}

async function timesOf(folder: string): Promise<Record<Kind, Timed[]>> {
  const loaded = await loadConfig(folder);
  const plan = planKernel(loaded, values.kernel, {});
  const side = await prepareSide([plan], { ...context, loaded, git: undefined, main: loaded, gpuIndex: 0 });
  const modes = MODES.filter((mode) => mode === values.mode);
  const settings = benchSettings(loaded.config.measure, { modes, samples: SAMPLES, warmup: 3 });
  const [slot] = slotsOf(side.targets, modes);
  if (slot === undefined) throw new Error(`nothing to time: ${side.skipped[0]?.message ?? 'no case'}`);
  const found: Record<Kind, Timed[]> = { fresh: [], copy: [] };
  for (let block = 0; block <= Number(values.blocks); block += 1) {
    for (const kind of Math.random() < 0.5 ? KINDS : KINDS.toReversed()) {
      const started = performance.now();
      const rounds = new Rounds({
        ...context,
        ...settings,
        rule: STOPPING_RULES.fixed(SAMPLES),
        verified: false,
        seed: () => String(block),
        judge: judges[kind],
        onRecord: ({ outcome }) => {
          if ('lost' in outcome) throw new Error(outcome.lost.message);
          const median_us = 1000 * median(outcome.taken.samples_ms);
          // The first one fills caches.
          if (block > 0) found[kind].push({ median_us, took_s: (performance.now() - started) / 1000 });
        },
      });
      await rounds.take(slot.target, [slot], block + 1);
    }
  }
  return found;
}

const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
const spread = (numbers: readonly number[]): number =>
  Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean(numbers)) ** 2, 0) / (numbers.length - 1));

function described(found: Record<Kind, readonly Timed[]>): object {
  const medians = (kind: Kind) => found[kind].map(({ median_us }) => median_us);
  const each = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      {
        mean_us: mean(medians(kind)),
        spread_pct: (100 * spread(medians(kind))) / mean(medians(kind)),
        took_s: mean(found[kind].map(({ took_s }) => took_s)),
        medians_us: medians(kind),
      },
    ]),
  );
  const ratios = medians('fresh').map((one, at) => Math.log(medians('copy')[at]! / one));
  if (KINDS.length < ALL.length) return each;
  const standard_error_pct = (100 * spread(ratios)) / Math.sqrt(ratios.length);
  return { ...each, copy_over_fresh_pct: 100 * mean(ratios), standard_error_pct };
}

for (const folder of positionals) {
  const row = await timesOf(folder).then(described, (error: unknown) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify({ folder, mode: values.mode, ...row })}\n`);
}
for (const judge of Object.values(judges)) await judge.close();
