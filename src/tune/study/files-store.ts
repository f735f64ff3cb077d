import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { FAILURE_KINDS, PawlError, type FailureKind } from '../../model/pawl-error.ts';
import type { Confirmation } from '../../model/tune/study-report.ts';
import { trialSchema, type Trial, type TrialDetails, type TrialOutcome } from '../../model/tune/study.ts';
import { variantText } from '../../model/problem/variant.ts';
import type { ClusterStore, ClusterStudy, StudyDescription, WorkerCard } from './cluster-store.ts';
import {
  answerSchema,
  PLACES,
  makeBox,
  readMessage,
  removeMessage,
  writeMessage,
  type StoreRequest,
  type Told,
} from './message-files.ts';
import type { Lease, Proposal } from './trial-ledger.ts';

const POLL_MS = 30;
const MOST_POLL_MS = 500;

/**
 * A study's store where only files reach it: a worker's side. Questions are messages that the holder of the ledger
 * answers; an outcome is a message that needs no answer, since its token says whether it counts.
 */
export class FilesStore implements ClusterStore {
  readonly #folder: string;
  readonly #patience_ms: number;
  /** Told of here and perhaps not yet read there, by token. */
  readonly #told = new Map<string, Trial>();
  #beats = 0;

  constructor(folder: string, { patience_s }: { readonly patience_s: number }) {
    this.#folder = folder;
    this.#patience_ms = 1000 * patience_s;
  }

  study(): Promise<ClusterStudy> {
    return this.#ask<ClusterStudy>({ op: 'study' });
  }

  describe({ subject, identity }: StudyDescription): Promise<StudyDescription> {
    return this.#ask<StudyDescription>({ op: 'describe', subject, identity });
  }

  async join({ worker, host, device }: WorkerCard): Promise<void> {
    await this.#ask({ op: 'join', card: { worker, host, ...defined({ device }) } });
  }

  /** A number that changes: whether it is on time is for the other side's clock to say. */
  async beat(worker: string): Promise<void> {
    this.#beats += 1;
    await makeBox(this.#folder);
    await writeMessage(join(this.#folder, PLACES.beats, `${fileName(worker)}.json`), {
      worker,
      beats: `${process.pid}.${this.#beats}`,
    });
  }

  async leave(worker: string, refusal?: string): Promise<void> {
    await this.#ask({ op: 'leave', worker, ...defined({ refusal }) });
  }

  async trials(): Promise<readonly Trial[]> {
    const snapshot = z.array(trialSchema).parse((await readMessage(join(this.#folder, PLACES.trials))) ?? []);
    const known = new Set(snapshot.flatMap(({ outcome, number }) => (outcome === undefined ? [] : [number])));
    const told = new Map<number, Trial>();
    for (const [token, trial] of this.#told) {
      if (known.has(trial.number)) this.#told.delete(token);
      else told.set(trial.number, trial);
    }
    return snapshot.map((trial) => told.get(trial.number) ?? trial);
  }

  reclaim(worker: string): Promise<Lease | undefined> {
    return this.#ask<Lease | undefined>({ op: 'reclaim', worker });
  }

  async propose(proposal: Proposal, worker: string): Promise<Lease | undefined> {
    // What the snapshot holds already needs no message.
    const key = variantText(proposal.variant);
    if ((await this.trials()).some(({ variant }) => variantText(variant) === key)) return undefined;
    return this.#ask<Lease | undefined>({ op: 'propose', proposal: { ...proposal }, worker });
  }

  renew({ token, trial }: Lease): Promise<boolean> {
    return this.#ask<boolean>({ op: 'renew', token, trial });
  }

  /** True: it is on its way. Whether it counts, the token decides when it is read. */
  async tell({ trial, token }: Lease, outcome: TrialOutcome, details: TrialDetails = {}): Promise<boolean> {
    const told: Told = { token, trial, outcome, details };
    await makeBox(this.#folder);
    await writeMessage(join(this.#folder, PLACES.told, `${token}.json`), told);
    this.#told.set(token, { ...trial, ...details, outcome });
    return true;
  }

  /** A message under a token that was lost meanwhile is refused: somebody else has that trial, and may not be done. */
  async settled(): Promise<void> {
    for (const token of this.#told.keys()) {
      const name = `${token}.json`;
      await this.#until(async () =>
        (await exists(join(this.#folder, PLACES.told, name))) ? undefined : true,
      );
      if (await exists(join(this.#folder, PLACES.refused, name))) this.#told.delete(token);
    }
  }

  async endSearch(by: string): Promise<void> {
    await this.#ask({ op: 'endSearch', by });
  }

  confirmations(): Promise<readonly Confirmation[]> {
    return this.#ask<readonly Confirmation[]>({ op: 'confirmations' });
  }

  async confirm(confirmation: Confirmation): Promise<void> {
    await this.#ask({ op: 'confirm', confirmation });
  }

  async endConfirmation(): Promise<void> {
    await this.#ask({ op: 'endConfirmation' });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #ask<Value>(request: StoreRequest): Promise<Value> {
    await makeBox(this.#folder);
    const name = `${randomUUID()}.json`;
    const answerPath = join(this.#folder, PLACES.answers, name);
    await writeMessage(join(this.#folder, PLACES.requests, name), request);
    const message = await this.#until(
      () => readMessage(answerPath),
      () => removeMessage(join(this.#folder, PLACES.requests, name)),
    );
    await removeMessage(answerPath);
    const answer = answerSchema.parse(message);
    if ('error' in answer) throw failureOf(answer.error);
    return (answer.value ?? undefined) as Value;
  }

  /** Looks until there is something, less and less often. */
  async #until<Value>(
    look: () => Promise<Value | undefined>,
    onNobody?: () => Promise<void>,
  ): Promise<Value> {
    const until_ms = performance.now() + this.#patience_ms;
    for (let wait_ms = POLL_MS; ; wait_ms = Math.min(MOST_POLL_MS, 1.5 * wait_ms)) {
      const found = await look();
      if (found !== undefined) return found;
      if (performance.now() > until_ms) {
        await onNobody?.();
        throw new PawlError(
          'unavailable',
          `No worker reads the study's messages in ${this.#folder}.`,
          'The command that began the study holds its ledger: go on with --resume.',
        );
      }
      await sleep(wait_ms);
    }
  }
}

function failureOf({
  kind,
  message,
  hint,
}: {
  readonly kind: string;
  readonly message: string;
  readonly hint?: string | undefined;
}): PawlError {
  const known: FailureKind = FAILURE_KINDS.find((each) => each === kind) ?? 'internal';
  return new PawlError(known, message, hint);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A worker's name as one of a file. */
function fileName(worker: string): string {
  return worker.replaceAll(/[^\w.-]/g, '_');
}
