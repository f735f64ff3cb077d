import { z } from 'zod';

import { PawlError } from '../pawl-error.ts';

export const SANDBOX_MODES = ['auto', 'require', 'off'] as const;
/** How much confinement is asked for: what the machine offers, all of it or nothing at all, or none. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** Where the mode is kept: compilers, runners and the programs that they start all see it. */
export const SANDBOX_VARIABLE = 'PAWL_SANDBOX';

/** Names of the protections that were in force around foreign code (docs/security.md). */
export const protectionsSchema = z.array(z.string());

/** What `--sandbox require` demands. A user namespace is a means to the others, which root does not need. */
const DEMANDED = [
  'no-new-privs',
  'landlock',
  'seccomp',
  'pidns',
  'netns',
  'mountns',
  'ipcns',
  'rlimits',
  'clean-env',
] as const;

export function sandboxMode(env: Readonly<Record<string, string | undefined>>): SandboxMode {
  const text = env[SANDBOX_VARIABLE] ?? '';
  if (text === '') return 'auto';
  const mode = SANDBOX_MODES.find((each) => each === text);
  if (mode !== undefined) return mode;
  throw new PawlError(
    'usage',
    `${SANDBOX_VARIABLE} is set to "${text}".`,
    `Set it to one of ${SANDBOX_MODES.join(', ')}, or unset it.`,
  );
}

/** Which of the demanded protections are not among these. `landlock-7` is Landlock, of ABI version 7. */
export function missingProtections(protections: readonly string[]): readonly string[] {
  const present = new Set(protections.map((name) => name.replace(/-\d+$/, '')));
  return DEMANDED.filter((name) => !present.has(name));
}

/** Refuses what is protected less than `--sandbox require` demands. */
export function demandProtections(protections: readonly string[], where: string): void {
  const missing = missingProtections(protections);
  if (missing.length === 0) return;
  throw new PawlError(
    'unavailable',
    `--sandbox require: ${where} lacks ${missing.join(', ')}.`,
    'Run `pawl doctor` to see what the machine lacks and how to get it, or use --sandbox auto.',
  );
}

/** What confined all of these processes; undefined where that is not known of each. */
export function commonProtections(
  series: readonly { readonly protections?: readonly string[] | undefined }[],
): string[] | undefined {
  const [first, ...others] = series.map(({ protections }) => protections);
  if (first === undefined || others.includes(undefined)) return undefined;
  return first.filter((name) => others.every((one) => one?.includes(name)));
}
