import { dirname, isAbsolute } from 'node:path';

import { pythonFiles } from '../../build/python-files.ts';
import type { KernelPlan } from '../../config/plan-kernel.ts';
import type { JudgePolicy } from '../judge-policy.ts';
import { PAWL_VERSION } from '../../model/version.ts';
import { hashOf } from '../../os/canonical-json.ts';
import { hashFile } from '../../os/file-hasher.ts';
import type { Target } from '../../runner/target.ts';

interface JudgedBy {
  /** Of the reference. */
  readonly plan: KernelPlan;
  readonly target: Target;
  /** The folder of the problem's files. */
  readonly root: string;
  /** The file that was not written for Pawl. */
  readonly adopted: string | undefined;
  readonly policy: JudgePolicy;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly device: { readonly class: string; readonly driver: string | undefined };
}

/**
 * What a judgement depends on besides the candidate, as one hash: the plan of the problem and of the reference (cases,
 * tensors, fills, tolerance, flags), what was compiled of reference, oracle, generator and checker, with every header,
 * or their Python files with all that they import, recorded inputs, policy, how it is measured, device, driver and
 * Pawl. Files count by their contents: where they lie is not part of it.
 */
export async function judgeIdentity({
  plan,
  target,
  root,
  adopted,
  policy,
  settings,
  device,
}: JudgedBy): Promise<string> {
  const { oracle, generator, checker, binary } = target;
  const { importTimeout_s: _, ...planned } = plan;
  const parts = { plan: planned, oracle, generator, checker, binary, adopted };
  return hashOf({
    pawl: PAWL_VERSION,
    policy,
    settings,
    device,
    parts: await byContents(JSON.parse(JSON.stringify(parts)), root),
  });
}

async function byContents(value: unknown, root: string): Promise<unknown> {
  if (typeof value === 'string') return isAbsolute(value) ? contentsOf(value, root) : value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => byContents(item, root)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, inner]) => [name, await byContents(inner, root)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** A folder, in which headers are looked for, counts by what was compiled. */
async function contentsOf(path: string, root: string): Promise<unknown> {
  if (!path.endsWith('.py')) return (await hashFile(path)) ?? 'folder';
  const files = await pythonFiles(path, { root, top: root.length > 1 ? root : dirname(path) });
  return Promise.all(files.map((file) => hashFile(file)));
}
