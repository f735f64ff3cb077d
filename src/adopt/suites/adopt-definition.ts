import { access } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import type { Draft } from '../draft.ts';
import { pathFrom } from '../python/modules.ts';
import { textOf, type SuiteRequest } from './adopt-task.ts';
import { chooseAxes } from './choose-axes.ts';
import {
  parseDefinition,
  parseSolution,
  parseWorkloads,
  type Definition,
  type Workload,
} from './definition-file.ts';
import { draftDefinition, type DefinitionCase } from './draft-definition.ts';
import { supportText } from './support-file.ts';

/** A definition of FlashInfer-Bench in JSON, and where there are some its workloads and a solution. */
export async function adoptDefinition(request: SuiteRequest): Promise<Draft> {
  const { file, out, device, sizes } = request;
  const definition = parseDefinition(await textOf(file), file);
  if (!/^def run\(/mu.test(definition.reference)) {
    throw new PawlError('bad-data', `${definition.name}: its reference has no function run.`);
  }
  if (!/^[\w.-]+$/u.test(definition.name)) {
    throw new PawlError('bad-data', `${JSON.stringify(definition.name)} cannot be used as a file name.`);
  }
  const { workload } = request;
  const workloads = workload === undefined ? [] : parseWorkloads(await textOf(workload), workload);
  const solution =
    request.solution === undefined
      ? undefined
      : parseSolution(await textOf(request.solution), request.solution);
  const cases = casesOf(definition, workloads, sizes, device);
  const recorded = await Promise.all(
    cases.map((one) => recordedIn(one.workload, dirname(workload ?? file), out)),
  );
  const support = await supportText();
  return draftDefinition({ file, out, definition, cases, solution, device, recorded, support });
}

function casesOf(
  definition: Definition,
  workloads: readonly Workload[],
  sizes: Readonly<Record<string, number>>,
  device: 'cpu' | 'cuda',
): DefinitionCase[] {
  if (workloads.length === 0) {
    return [{ name: 'first', axes: chooseAxes(definition, sizes, device), workload: undefined }];
  }
  const seen = new Set<string>();
  return workloads.flatMap((workload, at) => {
    const axes = chooseAxes(definition, workload.axes, device);
    const key = JSON.stringify([
      axes,
      Object.values(workload.inputs).filter(({ type }) => type !== 'random'),
    ]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ name: `workload_${at + 1}`, axes, workload }];
  });
}

/** Recorded tensors whose file is there: beside the workloads, or below a folder above them. */
async function recordedIn(
  workload: Workload | undefined,
  folder: string,
  out: string | undefined,
): Promise<Record<string, readonly [string, string]>> {
  const found: Record<string, readonly [string, string]> = {};
  for (const [name, input] of Object.entries(workload?.inputs ?? {})) {
    if (input.type !== 'safetensors') continue;
    const path = await firstThere(input.path, folder);
    if (path !== undefined) found[name] = [pathFrom({ out }, path), input.tensor_key];
  }
  return found;
}

async function firstThere(path: string, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const whole = isAbsolute(path) ? path : join(at, path);
    const isThere = await access(whole).then(
      () => true,
      () => false,
    );
    if (isThere) return whole;
    if (at === dirname(at) || isAbsolute(path)) return undefined;
  }
}
