import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { CONFIG_FILE, findConfig } from '../config/find-config.ts';
import { defined } from '../model/defined.ts';
import { gitState } from '../device/environment.ts';
import { BASELINE_FILE, EMPTY_BASELINE, type Baseline } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import { findAuthor } from './author.ts';
import type { Audit } from './make-entry.ts';
import { parseBaseline } from './parse-baseline.ts';
import { readBaselineText, updateBaseline } from './update-baseline.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface RatchetOptions extends Partial<Pick<ProcessContext, 'now' | 'env'>> {
  /** pawl.yaml or its folder; default: searched from `cwd` upwards. */
  readonly config?: string;
  /** The baseline file; default: `pawl-baseline.json` beside pawl.yaml. */
  readonly baseline?: string;
  readonly cwd?: string;
  /** The repository that commit and author are read from; default: that of the baseline file. */
  readonly root?: string;
  /** False: write no signature, even if there is a key. Default true. */
  readonly signed?: boolean;
}

export interface ChangeOptions extends RatchetOptions {
  /** The author of the change; default: from git, the CI or the system. */
  readonly author?: string;
}

/** Where the baseline lies, absolute. pawl.yaml need not be sound, or be there at all if the file is named. */
export async function baselinePath(options: RatchetOptions = {}): Promise<string> {
  const cwd = options.cwd ?? process.cwd();
  if (options.baseline !== undefined) return resolve(cwd, options.baseline);
  const config = options.config === undefined ? await findConfig(cwd) : resolve(cwd, options.config);
  if (config === undefined) {
    throw new PawlError(
      'configuration',
      `No ${CONFIG_FILE} in ${cwd} or above it, so there is no baseline.`,
      'Name the baseline file, or run `pawl init`.',
    );
  }
  const isFolder = (await stat(config).catch(() => undefined))?.isDirectory() === true;
  return join(isFolder ? config : dirname(config), BASELINE_FILE);
}

export async function openBaseline(
  options: RatchetOptions,
): Promise<{ readonly path: string; readonly text: string | undefined; readonly baseline: Baseline }> {
  const path = await baselinePath(options);
  const text = await readBaselineText(path);
  const baseline = text === undefined ? EMPTY_BASELINE : parseBaseline(text, basename(path));
  return { path, text, baseline };
}

export async function changeBaseline(
  options: ChangeOptions,
  work: (baseline: Baseline, audit: Audit) => Baseline,
  update: { readonly repair?: boolean } = {},
): Promise<{ readonly path: string; readonly baseline: Baseline }> {
  const path = await baselinePath(options);
  const root = options.root ?? dirname(path);
  const env = options.env ?? process.env;
  const [author, git] = await Promise.all([options.author ?? findAuthor(root, env), gitState(root, { env })]);
  const audit: Audit = {
    author,
    time: timeOf(options),
    ...defined({ commit: git?.commit }),
  };
  const baseline = await updateBaseline(path, (before) => work(before, audit), {
    key: keyFrom(options),
    ...update,
  });
  return { path, baseline };
}

export function timeOf({ now }: RatchetOptions): Date {
  return now?.() ?? new Date();
}

/** An empty setting is none: a CI gives forks empty secrets. */
export function keyFrom({ env = process.env, signed = true }: RatchetOptions): string | undefined {
  return !signed ? undefined : env['PAWL_BASELINE_KEY'] || undefined;
}
