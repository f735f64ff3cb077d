/**
 * Whose words a gate's are. Projects write gates too, and sessions come from elsewhere: a title or a reason is Pawl's
 * own only where it is what the method that ships with Pawl says, with nothing but numbers and names filled in.
 */
import type { GateResult } from '../../model/learn/gate.ts';
import type { Said } from '../told.ts';

/** The texts of Pawl's own gates, by id. */
export type OwnGates = ReadonlyMap<string, { readonly title: string; readonly reasons: readonly RegExp[] }>;

let read: Promise<OwnGates> | undefined;

export function ownGates(): Promise<OwnGates> {
  read ??= readOwnGates();
  return read;
}

async function readOwnGates(): Promise<OwnGates> {
  const { shippedTexts } = await import('../../workflows/method.ts');
  const { gates, missing } = await shippedTexts();
  const always = missing.map(patternOf);
  return new Map(
    gates.map(({ id, title, texts }) => [
      id,
      { title, reasons: [...texts.map(patternOf), ...always].filter((one) => one !== undefined) },
    ]),
  );
}

export function ownWords(
  { gate, title, reason }: Pick<GateResult, 'gate' | 'title' | 'reason'>,
  own: OwnGates,
): { readonly title: Said; readonly reason: Said } {
  const known = own.get(gate);
  if (known === undefined || known.title !== title) return { title, reason };
  return {
    title: { own: title },
    // eslint-disable-next-line pawl/facts-in-fields -- whose words they are is asked, not what they say
    reason: known.reasons.some((one) => one.test(reason)) ? { own: reason } : reason,
  };
}

/** Names of pawl.yaml, commits, rules and devices. Everything else that is filled in has to be a number. */
const NAMES = new Set([
  'kernel',
  'case',
  'reference',
  'smallest',
  'device',
  'profiler',
  'limiter',
  'bound',
  'top_rule',
  'worst_case',
  'size_first',
  'size_last',
  'size_dim',
  'batch_first',
  'batch_last',
  'smem_case',
]);
/** Texts of these may hold what a compiler, a kernel or another program said, or what an assistant wrote. */
const FOREIGN = new Set([
  'missing_tools',
  'device_problem',
  'device_use',
  'rejection',
  'build_error',
  'launch_problem',
  'fault',
  'reference_problem',
  'summary',
  'idea',
  'fuzz_problem',
  'claim_problem',
  'message',
  'remedy',
]);
const NAME = '[A-Za-z0-9][\\w .@()/+-]{0,79}';
const NUMBER = '[-−+]?[0-9][0-9.,e+×-]*(?: ?(?:%|ms|µs|s))?';
const TIMES = '[0-9A-Za-z_ .,:µ()-]{0,200}';

/** What a text looks like once it is filled in; undefined where others' words may stand in it. */
function patternOf(template: string): RegExp | undefined {
  const parts = template.split(/(\{[a-z_]+%?\}(?: ms\b)?)/u);
  const places = parts.flatMap((part) => /^\{([a-z_]+)%?\}/u.exec(part)?.[1] ?? []);
  if (places.some((place) => FOREIGN.has(place))) return undefined;
  const pattern = parts.map((part) => {
    const place = /^\{([a-z_]+)%?\}/u.exec(part)?.[1];
    if (place === undefined) return part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
    if (place === 'reference_times' || place === 'profiler_state') return TIMES;
    return NAMES.has(place) ? NAME : NUMBER;
  });
  return new RegExp(`^${pattern.join('')}$`, 'u');
}
