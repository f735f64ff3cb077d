/** `pawl claim`: a pull request's description held against what was measured. */
import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

import { defined } from '../model/defined.ts';
import { configSchema } from '../config/schema.ts';
import { findConfig } from '../config/find-config.ts';
import { loadConfig } from '../config/load-config.ts';
import { judgeClaim } from '../judge/judge-claim.ts';
import { compareSamples } from '../judge/compare-measurements.ts';
import { policyOf } from '../judge/judge-policy.ts';
import { parseClaim } from '../judge/parse-claim.ts';
import type { Claim, ClaimReport } from '../model/judge/claim.ts';
import type { Comparison } from '../model/judge/comparison.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Samples } from '../model/measure/samples.ts';
import { readComparison, readText } from '../judge/read-comparison.ts';
import { readSamples } from '../judge/read-samples.ts';

/** The description of a pull request, and the measurement to compare it with. */
export interface ClaimOptions {
  /** The description: a file, or the text itself. */
  readonly description: { readonly path: string } | { readonly text: string };
  /** A `pawl.comparison/1` or `pawl.check/1` file; without it the two samples files are compared. */
  readonly comparison?: string;
  /** A `pawl.samples/1` file per side. The candidate's also has the dimensions, and whether results were right. */
  readonly baseline?: string;
  readonly candidate?: string;
  /** Only this kernel's cases, where several kernels have cases of the same name. */
  readonly kernel?: string;
  /** The folder that must have the evidence files; without it, they are not looked for. */
  readonly root?: string;
  /** pawl.yaml or its folder, for `thresholds.claim_pct`; default: searched from `cwd` upwards. */
  readonly config?: string;
  readonly claim_pct?: number;
  readonly cwd?: string;
}

/**
 * Compares the speed-ups that a pull request claims with what was measured.
 *
 * @throws {PawlError} of kind `usage` if no measurement is named, or it does not have the kernel; `bad-data` if a file
 * is not what it should be
 */
export async function claim(options: ClaimOptions): Promise<ClaimReport> {
  const cwd = options.cwd ?? process.cwd();
  const { description } = options;
  const text = 'text' in description ? description.text : await readText(resolve(cwd, description.path));
  const stated = parseClaim(text);
  const [thresholds, candidate] = await Promise.all([
    thresholdsOf(options, cwd),
    options.candidate === undefined ? undefined : readSamples(resolve(cwd, options.candidate)),
  ]);
  const comparison = ofKernel(await comparisonOf(options, cwd, candidate), options.kernel);
  const there = options.root === undefined ? undefined : await filesThere(stated, resolve(cwd, options.root));
  return judgeClaim(
    stated,
    { comparison, ...defined({ candidate }) },
    {
      claimPct: options.claim_pct ?? thresholds.claim_pct,
      ...(there === undefined ? {} : { isThere: (file: string) => there.has(file) }),
    },
  );
}

async function thresholdsOf(options: ClaimOptions, cwd: string) {
  const config = options.config ?? (await findConfig(cwd));
  if (config !== undefined) return (await loadConfig(config, cwd)).config.thresholds;
  return configSchema.shape.thresholds.parse(undefined);
}

async function comparisonOf(
  options: ClaimOptions,
  cwd: string,
  candidate: Samples | undefined,
): Promise<Comparison> {
  if (options.comparison !== undefined) return readComparison(resolve(cwd, options.comparison));
  if (options.baseline === undefined || candidate === undefined) {
    throw new PawlError(
      'usage',
      'No measurement given to check the claim against.',
      'Give --comparison, or --baseline and --candidate.',
    );
  }
  const thresholds = await thresholdsOf(options, cwd);
  const policy = policyOf(thresholds);
  return compareSamples(await readSamples(resolve(cwd, options.baseline)), candidate, policy);
}

function ofKernel(comparison: Comparison, kernel: string | undefined): Comparison {
  if (kernel === undefined) return comparison;
  const cases = comparison.cases.filter((one) => one.kernel === kernel);
  if (cases.length > 0) return { ...comparison, cases };
  const known = [...new Set(comparison.cases.map((one) => one.kernel ?? 'a kernel without a name'))].join(
    ', ',
  );
  throw new PawlError('usage', `The comparison has no kernel "${kernel}".`, `Kernels: ${known}`);
}

/** Which evidence is a file below the root: what a description names must not lead out of the project. */
async function filesThere({ evidence }: Claim, root: string): Promise<Set<string>> {
  const there = new Set<string>();
  if (evidence?.state !== 'read') return there;
  const top = await realpath(root);
  for (const file of evidence.value) {
    if (file.includes('\0')) continue;
    const path = await realpath(resolve(top, file)).catch(() => undefined);
    if (path === undefined || !path.startsWith(top + sep)) continue;
    if ((await stat(path)).isFile()) there.add(file);
  }
  return there;
}
