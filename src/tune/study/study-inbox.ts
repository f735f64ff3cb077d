import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { ClusterStore } from './cluster-store.ts';
import {
  PLACES,
  messagesIn,
  makeBox,
  readMessage,
  removeMessage,
  requestSchema,
  toldSchema,
  writeMessage,
  type StoreAnswer,
  type StoreRequest,
} from './message-files.ts';

const beatSchema = z.object({ worker: z.string(), beats: z.string() });

/**
 * The other side of `FilesStore`: reads workers' messages and does what they ask with the study's real ledger. It may
 * be ended at any moment: a message is taken away after it was answered, and to answer it again changes nothing.
 */
export class StudyInbox {
  readonly #folder: string;
  readonly #store: ClusterStore;
  readonly #beats = new Map<string, string>();
  #snapshot = '';

  constructor(folder: string, store: ClusterStore) {
    this.#folder = folder;
    this.#store = store;
  }

  /** Reads what lies there now. */
  async turn(): Promise<void> {
    await makeBox(this.#folder);
    // Outcomes first: what is told is not given to somebody else in the same turn.
    for (const name of await messagesIn(join(this.#folder, PLACES.told))) await this.#readTold(name);
    for (const name of await messagesIn(join(this.#folder, PLACES.beats))) await this.#readBeat(name);
    for (const name of await messagesIn(join(this.#folder, PLACES.requests))) await this.#answer(name);
    await this.#publish();
  }

  async #readTold(name: string): Promise<void> {
    const path = join(this.#folder, PLACES.told, name);
    const told = toldSchema.safeParse(await readMessage(path));
    const counts =
      told.success &&
      (await this.#store.tell(
        { trial: told.data.trial, token: told.data.token },
        told.data.outcome,
        told.data.details,
      ));
    await rename(path, join(this.#folder, counts ? PLACES.read : PLACES.refused, name)).catch(ifThere);
  }

  async #readBeat(name: string): Promise<void> {
    const beat = beatSchema.safeParse(await readMessage(join(this.#folder, PLACES.beats, name)));
    if (!beat.success || this.#beats.get(beat.data.worker) === beat.data.beats) return;
    const isNew = !this.#beats.has(beat.data.worker);
    this.#beats.set(beat.data.worker, beat.data.beats);
    // The first one that is seen may be a dead worker's last: only a change is a sign of life.
    if (!isNew) await this.#store.beat(beat.data.worker);
  }

  async #answer(name: string): Promise<void> {
    const path = join(this.#folder, PLACES.requests, name);
    const message = await readMessage(path);
    if (message === undefined) return;
    const answer = await this.#answerTo(message, name.slice(0, -'.json'.length));
    // What is asked next may depend on it: the trials are there before the answer is.
    await this.#publish();
    await writeMessage(join(this.#folder, PLACES.answers, name), answer);
    await removeMessage(path);
  }

  async #answerTo(message: unknown, token: string): Promise<StoreAnswer> {
    const request = requestSchema.safeParse(message);
    if (!request.success)
      return { error: { kind: 'bad-data', message: 'This is not a request of a study.' } };
    try {
      // Nothing is an answer, too; JSON would leave it out.
      return { value: (await this.#ask(request.data, token)) ?? null };
    } catch (error) {
      if (!(error instanceof PawlError)) throw error;
      const { kind, message, hint } = error;
      return { error: { kind, message, ...defined({ hint }) } };
    }
  }

  #ask(request: StoreRequest, token: string): Promise<unknown> {
    const store = this.#store;
    switch (request.op) {
      case 'study':
        return store.study();
      case 'describe':
        return store.describe(request);
      case 'join':
        return store.join({ ...request.card, device: request.card.device });
      case 'leave':
        return store.leave(request.worker, request.refusal);
      case 'reclaim':
        return store.reclaim(request.worker, token);
      case 'propose':
        return store.propose(request.proposal, request.worker, token);
      case 'renew':
        return store.renew(request);
      case 'endSearch':
        return store.endSearch(request.by);
      case 'confirmations':
        return store.confirmations();
      case 'confirm':
        return store.confirm(request.confirmation);
      case 'endConfirmation':
        return store.endConfirmation();
    }
  }

  async #publish(): Promise<void> {
    const trials = await this.#store.trials();
    const text = JSON.stringify(trials);
    if (text === this.#snapshot) return;
    await writeMessage(join(this.#folder, PLACES.trials), trials);
    this.#snapshot = text;
  }
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
