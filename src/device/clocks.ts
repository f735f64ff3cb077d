/** The clock policy of a run: locking is opt-in, recorded, and undone on every way out. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { PawlError } from '../model/pawl-error.ts';
import type { Clocks } from '../model/measure/samples.ts';
import { lockClocks } from './clock-guardian.ts';
import {
  ensureStateDirectory,
  guardianLives,
  isOlderThanBoot,
  journalHead,
  journalIsOfThisBoot,
  journalPath,
  journalStands,
  readJournals,
  stateDirectory,
} from './clock-journal.ts';
import type { ClockJournal } from './clock-journal.ts';
import { NVIDIA_SMI_TIMEOUT_MS } from './gpus.ts';
import { isAlive } from '../os/process-identity.ts';
import { runCommand } from '../os/run-command.ts';
import { runContext, type ProcessContext } from '../os/run-context.ts';

export interface ClockOptions extends Partial<Pick<ProcessContext, 'now' | 'env'>> {
  /** Where the journal lies; default: `$XDG_STATE_HOME/pawl`. */
  readonly stateDir?: string;
  /** The SM clock to lock at; default: the card's highest. */
  readonly mhz?: number;
  readonly timeout_ms?: number;
}

export interface AppliedClocks {
  readonly clocks: Clocks;
  /** Undoes the lock; harmless to call twice. Not calling it is safe too: the end of the process undoes it. */
  release(): Promise<void>;
}

/** The card to lock, or undefined for a CPU. */
export type ClockedGpu =
  | { readonly uuid?: string | undefined; readonly sm_clock_max_mhz?: number | undefined }
  | undefined;

/**
 * Applies the policy. A lock that is refused is recorded and the run goes on. A lock that is granted is still
 * a wish: under a power cap the card runs slower than its locked clock, which is why every sample also carries
 * the clock it was taken at. The driver does not tell whether somebody had locked the clocks before; a lock of
 * theirs ends with ours.
 */
export async function applyClockPolicy(
  policy: Clocks['policy'],
  gpu: ClockedGpu,
  options: ClockOptions = {},
): Promise<AppliedClocks> {
  if (policy === 'as-is') return unlocked({ policy });
  if (gpu?.uuid === undefined)
    return unlocked({ policy, refused: 'only the clocks of an NVIDIA GPU can be locked' });
  const mhz = options.mhz ?? gpu.sm_clock_max_mhz;
  if (mhz === undefined)
    return unlocked({ policy, refused: 'the card does not report its highest SM clock' });

  const env = options.env ?? process.env;
  const stateDir = options.stateDir ?? stateDirectory(env);
  const timeout_ms = options.timeout_ms ?? NVIDIA_SMI_TIMEOUT_MS;
  const left = (await recoverClocks(options)).find(
    (lock) => lock.uuid === gpu.uuid && lock.status !== 'undone',
  );
  if (left !== undefined) return unlocked({ policy, refused: left.message });
  try {
    await ensureStateDirectory(stateDir);
  } catch (error) {
    return unlocked({ policy, refused: `without a journal no clock is locked: ${(error as Error).message}` });
  }
  const outcome = await lockClocks({
    uuid: gpu.uuid,
    mhz,
    journalPath: journalPath(stateDir, gpu.uuid),
    journalHead: await journalHead(gpu.uuid, mhz, runContext(options).now()),
    env,
    timeout_ms,
  });
  if (outcome.status === 'refused') return unlocked({ policy, refused: outcome.reason });
  const { uuid } = gpu;
  let released: Promise<void> | undefined;
  return {
    clocks: { policy, locked_mhz: mhz },
    release() {
      released ??= outcome.undo().then((end) => {
        if (end.status === 'undone') return;
        throw new PawlError(
          'internal',
          `The clocks of ${uuid} are still locked at ${mhz} MHz: ${end.reason}.`,
          `Undo it with \`nvidia-smi -i ${uuid} -rgc\` or \`pawl doctor --fix\`.`,
        );
      });
      return released;
    },
  };
}

function unlocked(clocks: Clocks): AppliedClocks {
  return { clocks, release: () => Promise.resolve() };
}

/** A clock lock found on disk, and what became of it. */
export interface FoundClockLock {
  readonly uuid: string;
  /** `held`: its run still goes on. `stale`: its run has ended without undoing it (only without `undo`). `failed`: it could not be undone. */
  readonly status: 'undone' | 'held' | 'stale' | 'failed';
  readonly message: string;
}

/**
 * Undoes locks whose run is gone and whose guardian was killed before it could. Called by `bench` and
 * `doctor` when they start.
 */
export async function recoverClocks(options: ClockOptions = {}): Promise<FoundClockLock[]> {
  return eachLock(options, (path, journal) => undoStale(path, journal, options));
}

/** What `recoverClocks` would find, touching nothing. */
export async function findClockLocks(options: ClockOptions = {}): Promise<FoundClockLock[]> {
  return eachLock(options, (_path, journal) => Promise.resolve(staleLock(journal)));
}

function staleLock(journal: ClockJournal): FoundClockLock {
  const message = `locked at ${journal.locked_mhz} MHz since ${journal.since} by a run that has ended`;
  return { uuid: journal.uuid, status: 'stale', message };
}

async function eachLock(
  options: ClockOptions,
  onStale: (path: string, journal: ClockJournal) => Promise<FoundClockLock>,
): Promise<FoundClockLock[]> {
  const stateDir = options.stateDir ?? stateDirectory(options.env);
  const timeout_ms = options.timeout_ms ?? NVIDIA_SMI_TIMEOUT_MS;
  const found: FoundClockLock[] = [];
  for (const { path, journal } of await readJournals(stateDir)) {
    // A locked clock does not survive a restart of the machine; only its journal does.
    const ofThisBoot =
      journal === undefined ? !(await isOlderThanBoot(path)) : await journalIsOfThisBoot(journal);
    if (!ofThisBoot) {
      await rm(path, { force: true });
    } else if (journal === undefined) {
      const uuid = /clock-lock-(.*)\.json$/.exec(path)?.[1] ?? path;
      const message = `${path} is not readable: run \`nvidia-smi -i ${uuid} -rgc\`, then remove it`;
      found.push({ uuid, status: 'failed', message });
    } else if (await isAlive(journal.owner)) {
      const message = `locked at ${journal.locked_mhz} MHz by process ${journal.owner.pid}, which is still running`;
      found.push({ uuid: journal.uuid, status: 'held', message });
    } else if (await guardianFinishes(journal, timeout_ms)) {
      if (await journalStands(path, journal)) found.push(await onStale(path, journal));
    } else {
      const message = `guardian ${journal.guardian_pid} is undoing a lock and has not ended yet`;
      found.push({ uuid: journal.uuid, status: 'held', message });
    }
  }
  return found;
}

/** A guardian at work is let finish: its late reset would otherwise undo a lock made after it. */
async function guardianFinishes(journal: ClockJournal, timeout_ms: number): Promise<boolean> {
  const deadline_ms = performance.now() + timeout_ms;
  while (await guardianLives(journal)) {
    if (performance.now() >= deadline_ms) return false;
    await sleep(50);
  }
  return true;
}

async function undoStale(
  path: string,
  journal: ClockJournal,
  options: ClockOptions,
): Promise<FoundClockLock> {
  const { uuid } = journal;
  const run = await runCommand('nvidia-smi', ['-i', uuid, '-rgc'], {
    timeout_ms: options.timeout_ms ?? NVIDIA_SMI_TIMEOUT_MS,
    env: { ...(options.env ?? process.env), LC_ALL: 'C' },
  });
  if (run.status === 'exited' && run.code === 0) {
    await rm(path, { force: true });
    return { uuid, status: 'undone', message: `clocks locked at ${journal.locked_mhz} MHz were reset` };
  }
  const why =
    run.status === 'exited' ? `${run.stdout} ${run.stderr}`.replaceAll(/\s+/g, ' ').trim() : run.status;
  return {
    uuid,
    status: 'failed',
    message: `clocks locked at ${journal.locked_mhz} MHz could not be reset: ${why}`,
  };
}
