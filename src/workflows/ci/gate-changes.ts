/** What a change alters about its own gate, a sentence each. Nothing of it counts before somebody has read it. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { kernelCases } from '../../config/kernel-cases.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem-schema.ts';
import type { Config } from '../../config/schema.ts';
import { canonicalJson } from '../../ratchet/canonical-json.ts';

export async function gateChanges(base: LoadedConfig, head: LoadedConfig): Promise<string[]> {
  const [before, after] = [base.config, head.config];
  return [
    ...settings('thresholds', before.thresholds, after.thresholds),
    ...settings('measure', before.measure, after.measure),
    ...(await inPairs(before.problems, after.problems, 'problem', (name, one, other) =>
      problemChanges(name, [one, base.root], [other, head.root]),
    )),
    ...(await inPairs(before.kernels, after.kernels, 'kernel', async (name, one, other) =>
      kernelChanges(name, [one, before], [other, after]),
    )),
  ];
}

/** What both have is compared; what is gone is said; what is new answers to nothing yet. */
async function inPairs<Part>(
  before: Readonly<Record<string, Part>>,
  after: Readonly<Record<string, Part>>,
  what: string,
  compare: (name: string, one: Part, other: Part) => Promise<string[]>,
): Promise<string[]> {
  const changes: string[] = [];
  for (const [name, one] of Object.entries(before)) {
    const other = Object.hasOwn(after, name) ? after[name] : undefined;
    if (other === undefined) changes.push(`the ${what} ${name} is gone`);
    else changes.push(...(await compare(name, one, other)));
  }
  return changes;
}

/** Rules that the base decides: the change's own take effect once it is merged. */
function settings(where: string, before: object, after: object): string[] {
  return differences(before, after).map(
    ([name, one, other]) => `${where}.${name}: ${shown(one)} → ${shown(other)} (${shown(one)} was applied)`,
  );
}

async function problemChanges(
  name: string,
  [before, baseRoot]: readonly [Problem, string],
  [after, headRoot]: readonly [Problem, string],
): Promise<string[]> {
  const changes = settings(`tolerance of ${name}`, before.tolerance, after.tolerance);
  for (const part of ['dims', 'tensors', 'operations', 'bytes'] as const) {
    if (!isSame(before[part], after[part])) changes.push(`${part} of the problem ${name} changed`);
  }
  changes.push(...(await oracleChanges(name, [before, baseRoot], [after, headRoot])));
  changes.push(...fuzzChanges(`the problem ${name}`, before.fuzz, after.fuzz));
  return changes;
}

async function oracleChanges(
  name: string,
  [before, baseRoot]: readonly [Problem, string],
  [after, headRoot]: readonly [Problem, string],
): Promise<string[]> {
  if (before.oracle === undefined) return [];
  if (after.oracle === undefined) return [`the oracle of ${name} is gone: its results are not checked`];
  const changes = differences(before.oracle, after.oracle).map(
    ([key, one, other]) => `oracle of ${name}: ${key} ${shown(one)} → ${shown(other)}`,
  );
  for (const file of oracleFiles(after)) {
    const [one, other] = await Promise.all([textOf(baseRoot, file), textOf(headRoot, file)]);
    if (one !== undefined && one !== other) {
      changes.push(`the oracle of ${name} was edited: ${file} says what is right`);
    }
  }
  return changes;
}

function oracleFiles({ oracle }: Problem): string[] {
  if (oracle === undefined) return [];
  const files = 'module' in oracle ? [oracle.module] : [oracle.source, oracle.cuda];
  return files.filter((file) => file !== undefined);
}

async function textOf(root: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(resolve(root, file), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function kernelChanges(
  name: string,
  [before, beforeConfig]: readonly [Kernel, Config],
  [after, afterConfig]: readonly [Kernel, Config],
): string[] {
  const changes: string[] = [];
  for (const part of ['problem', 'device', 'dtype', 'dtypes'] as const) {
    if (isSame(before[part], after[part])) continue;
    changes.push(`${part} of the kernel ${name}: ${shown(before[part])} → ${shown(after[part])}`);
  }
  if (before.deterministic && !after.deterministic) {
    changes.push(
      `the kernel ${name} may now give different results for the same inputs (deterministic: false)`,
    );
  }
  changes.push(...caseChanges(name, casesOf(before, beforeConfig), casesOf(after, afterConfig)));
  changes.push(...fuzzChanges(`the kernel ${name}`, before.fuzz, after.fuzz));
  return changes;
}

type Cases = ReturnType<typeof kernelCases>;

function casesOf(kernel: Kernel, { problems }: Config): Cases {
  const problem = problems[kernel.problem];
  return problem === undefined ? new Map() : kernelCases(kernel, problem);
}

/** A case with other dimensions under the same name is another case, and nothing is known of it. */
function caseChanges(kernel: string, before: Cases, after: Cases): string[] {
  return [...before].flatMap(([name, dims]) => {
    const now = after.get(name);
    if (now === undefined) return [`the case ${name} of ${kernel} is gone`];
    return isSame(dims, now) ? [] : [`the case ${name} of ${kernel} has other dimensions: it starts anew`];
  });
}

function fuzzChanges(where: string, before: Problem['fuzz'], after: Problem['fuzz']): string[] {
  if (before !== undefined && after === undefined) return [`fuzz of ${where} is gone`];
  const changed = differences(before ?? {}, after ?? {}).map(([name]) => name);
  return changed.length === 0 ? [] : [`fuzz of ${where} draws from something else: ${changed.join(', ')}`];
}

function differences(before: object, after: object): [name: string, one: unknown, other: unknown][] {
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.flatMap((name): [string, unknown, unknown][] =>
    isSame(one.get(name), other.get(name)) ? [] : [[name, one.get(name), other.get(name)]],
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
