import { readFile } from 'node:fs/promises';

import { writeDurably } from '../../os/write-durably.ts';
import { loadConfig } from '../../config/load-config.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Study } from '../../model/tune/study-report.ts';
import type { TunableValue } from '../../model/problem/variant.ts';
import { showStudy } from './show-study.ts';
import { withTunableDefaults } from './yaml-defaults.ts';

export interface ApplyOptions {
  readonly config?: string;
  /** Its id or folder; default: the latest. */
  readonly id?: string;
  /** Apply a winner that was not confirmed. */
  readonly force?: boolean;
  /** Show what would change, and change nothing. */
  readonly dryRun?: boolean;
  readonly now?: () => Date;
}

interface Change {
  readonly tunable: string;
  readonly from: TunableValue;
  readonly to: TunableValue;
}

export interface AppliedStudy {
  readonly study: Study;
  readonly path: string;
  /** What differs from the file's defaults. */
  readonly changes: readonly Change[];
  /** The lines that change, `-` before the old and `+` before the new. */
  readonly diff: readonly string[];
  readonly written: boolean;
}

/**
 * Writes the winner of a study into pawl.yaml as the new default. With `dryRun` it only returns the diff.
 *
 * @throws {PawlError} of kind `usage` if there is no such study; `bad-data` if it has no confirmed winner, or pawl.yaml
 * no longer has that value
 */
export async function applyStudy(options: ApplyOptions = {}): Promise<AppliedStudy> {
  const loaded = await loadConfig(options.config);
  const study = await showStudy(options);
  if (study.best === undefined || (study.result !== 'improved' && options.force !== true)) {
    throw new PawlError(
      'bad-data',
      `Study ${study.id} has no confirmed winner: ${study.reason}`,
      study.best === undefined ? undefined : '--force applies its fastest variant anyway.',
    );
  }
  const changes = changesOf(loaded.config.kernels[study.kernel]?.tunables, study);
  const before = await readFile(loaded.path, 'utf8');
  const after = withTunableDefaults(
    before,
    study.kernel,
    Object.fromEntries(changes.map(({ tunable, to }) => [tunable, to])),
  );
  const written = options.dryRun !== true && changes.length > 0;
  if (written) await writeDurably(loaded.path, after);
  return { study, path: loaded.path, changes, diff: changedLines(before, after), written };
}

type Tunables = Readonly<
  Record<string, { readonly values: readonly TunableValue[]; readonly default: TunableValue }>
>;

function changesOf(tunables: Tunables | undefined, { kernel, best }: Study): Change[] {
  return Object.entries(best?.variant ?? {}).flatMap(([tunable, to]) => {
    const known = tunables !== undefined && Object.hasOwn(tunables, tunable) ? tunables[tunable] : undefined;
    if (known === undefined || !known.values.includes(to)) {
      throw new PawlError(
        'bad-data',
        `${tunable}=${String(to)} is no longer a value of ${kernel} in pawl.yaml.`,
        'Tune it again: the space has changed.',
      );
    }
    return known.default === to ? [] : [{ tunable, from: known.default, to }];
  });
}

/** Edits stay near each other, so the lines between the first and the last that differ are few. */
function changedLines(before: string, after: string): string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let first = 0;
  while (first < old.length && old[first] === now[first]) first++;
  let tail = 0;
  while (tail < old.length - first && tail < now.length - first && old.at(-1 - tail) === now.at(-1 - tail))
    tail++;
  const removed = old.slice(first, old.length - tail);
  const added = now.slice(first, now.length - tail);
  // Same number of lines: line by line reads better, and shows only what differs.
  if (removed.length === added.length) {
    return removed.flatMap((line, index) => (line === added[index] ? [] : [`-${line}`, `+${added[index]}`]));
  }
  return [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
}
