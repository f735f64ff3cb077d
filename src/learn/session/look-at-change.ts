import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

import type { Kernel } from '../../config/kernel-schema.ts';
import { judgeSources } from '../../config/judge-sources.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { planKernel } from '../../config/plan-kernel.ts';
import { configSchema } from '../../config/schema.ts';
import { readYaml } from '../../config/yaml-file.ts';
import { independentChanges, variablesIn, type ChangedPart } from './changed-part.ts';
import { configParts, variantParts } from './config-parts.ts';
import { sourceParts } from './source-parts.ts';
import { splitDiff } from './split-diff.ts';
import type { Try } from '../../model/learn/session.ts';
import type { Variant } from '../../model/problem/variant.ts';
import type { Snapshots } from './snapshots.ts';

/** A try is smaller than this; git has all of it. */
const MAX_DIFF_BYTES = 64 * 1024;
/** In a change of more files, functions are not looked for. */
const MAX_FILES = 200;

export interface LookedAtChange {
  readonly change: Try['change'];
  /** How many things changed independently of each other. */
  readonly changes: number;
}

/** What lies between two states, and what of it is a variable of the kernel. */
export async function lookAtChange(
  { loaded, kernel, set }: { readonly loaded: LoadedConfig; readonly kernel: string; readonly set: Variant },
  snapshots: Snapshots,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<LookedAtChange> {
  const { text, files } = await snapshots.diff(base, head);
  const root = await realpath(loaded.root);
  // git's top is a real path, and ours may go through a link.
  const place = (path: string) => relative(snapshots.top, resolve(root, relative(loaded.root, path)));
  const configPath = place(loaded.path);
  const foreign = foreignFiles(loaded, kernel, place);
  const parts: ChangedPart[] = [];
  for (const diff of splitDiff(text).slice(0, MAX_FILES)) {
    if (diff.path === configPath || foreign.has(diff.path)) continue;
    const before = diff.wasThere ? await snapshots.text(base, diff.path) : '';
    const after = diff.isThere ? await snapshots.text(head, diff.path) : '';
    parts.push(...sourceParts(diff, before, after));
  }
  const after = loaded.config.kernels[kernel];
  if (files.includes(configPath) && after !== undefined) {
    const before = kernelIn(await snapshots.text(base, configPath), kernel);
    if (before !== undefined) parts.push(...configParts(before, after));
  }
  const { variant } = planKernel(loaded, kernel);
  parts.push(...variantParts(variant, set));
  const bytes = Buffer.from(text);
  const truncated = bytes.length > MAX_DIFF_BYTES;
  return {
    change: {
      // Cut between characters: a replacement character would be somebody else's.
      diff: truncated
        ? bytes
            .subarray(0, MAX_DIFF_BYTES)
            .toString('utf8')
            .replace(/\uFFFD$/u, '')
        : text,
      truncated,
      files: [...files],
      ...(Object.keys(set).length === 0 ? {} : { variant: set }),
      variables: variablesIn(parts),
      base,
      head,
    },
    changes: independentChanges(parts),
  };
}

/** Files that belong to other kernels and oracles only: what changes in them changes nothing here. */
function foreignFiles(
  loaded: LoadedConfig,
  kernel: string,
  place: (path: string) => string,
): ReadonlySet<string> {
  const foreign = new Set<string>();
  const own = new Set<string>();
  for (const name of Object.keys(loaded.config.kernels)) {
    const plan = planKernel(loaded, name);
    const files = [...plan.sources, ...(plan.module === undefined ? [] : [plan.module])].map(place);
    for (const file of files) (name === kernel ? own : foreign).add(file);
    for (const file of judgeSources(plan)) foreign.add(place(file));
  }
  for (const file of own) foreign.delete(file);
  return foreign;
}

/** As the file described it then; undefined where that cannot be read any more. */
function kernelIn(text: string, kernel: string): Kernel | undefined {
  const yaml = readYaml(text);
  if (!yaml.usable) return undefined;
  return configSchema.safeParse(yaml.value).data?.kernels[kernel];
}
