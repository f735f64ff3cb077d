/**
 * Where the time of one measured process goes, from what `judge-rate --trace` printed: `judge-trace FILE…`.
 *
 * A process is what lies between `open` and `close`. The reference is the side whose results are not compared: its
 * `verify` takes no longer than starting the next process does.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { median } from '../src/stats/quantile.ts';
import { table } from './gate-quality/markdown.ts';

interface Measured {
  readonly requests: Map<string, number>;
  /** Milliseconds of each request for samples; all but the last warm up. */
  readonly samples: number[];
  phases: Map<string, number>;
}

const REQUEST = /^\d+ (\w+) (\d+)(?: \((.*)\))?$/;
const COLUMNS = [
  'open',
  'prepare',
  'first call',
  'warm-up',
  'samples',
  "judge's clock",
  'remembering',
  'verify',
  'close',
];
/** Starting the next process, in ms: the reference's `verify` is nothing else. */
const STARTING_MS = 25;

function processesIn(text: string): Measured[] {
  const found: Measured[] = [];
  let now: Measured | undefined;
  for (const line of text.split('\n')) {
    const [, op, ms, inside = ''] = REQUEST.exec(line) ?? [];
    if (op === undefined) continue;
    if (op === 'open') now = { requests: new Map(), samples: [], phases: new Map() };
    if (now === undefined) continue;
    now.requests.set(op, (now.requests.get(op) ?? 0) + Number(ms));
    if (op === 'sample') {
      now.samples.push(Number(ms));
      now.phases = new Map(
        inside.split(', ').map((phase) => {
          const at = phase.lastIndexOf(' ');
          return [phase.slice(0, at), Number(phase.slice(at + 1))];
        }),
      );
    }
    if (op !== 'close') continue;
    if (now.samples.length > 0) found.push(now);
    now = undefined;
  }
  return found;
}

function columnsOf({ requests, samples, phases }: Measured): number[] {
  const of = (name: string): number => phases.get(name) ?? 0;
  const asked = (name: string): number => requests.get(name) ?? 0;
  const warmUp = samples.slice(0, -1).reduce((sum, ms) => sum + ms, 0);
  const taken = of('contents') + of('intervals') + of('results');
  const searched = [of("judge's clock"), of('remembering'), of('verify')];
  return [asked('open'), asked('prepare'), asked('call'), warmUp, taken, ...searched, asked('close')];
}

const rows = process.argv.slice(2).flatMap((file) => {
  const all = processesIn(readFileSync(file, 'utf8'));
  const isReference = ({ phases }: Measured): boolean => (phases.get('verify') ?? 0) <= STARTING_MS;
  return [true, false].flatMap((reference) => {
    const own = all.filter((one) => isReference(one) === reference);
    if (own.length === 0) return [];
    const columns = own.map(columnsOf);
    const medians = COLUMNS.map((_, at) => median(columns.map((one) => one[at]!)).toFixed(0));
    const whole = median(columns.map((one) => one.reduce((sum, ms) => sum + ms, 0))).toFixed(0);
    return [[basename(file), `${reference ? 'reference' : 'candidate'} (${own.length})`, ...medians, whole]];
  });
});
console.log(table(['trace', 'side', ...COLUMNS, 'all'], rows).join('\n'));
