/** Messages between workers and the holder of a study's ledger, as files of a folder that both see. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { writeDurably } from '../../os/write-durably.ts';
import { studyIdentitySchema, studySubjectSchema } from '../../model/tune/study-settings.ts';
import { confirmationSchema } from '../../model/tune/study-report.ts';
import { trialOutcomeSchema, trialSchema } from '../../model/tune/study.ts';

/** What lies where. A message is written under another name and then renamed, so it is whole or not there. */
export const PLACES = {
  requests: 'requests',
  answers: 'answers',
  told: 'told',
  read: 'read',
  refused: 'refused',
  beats: 'beats',
  trials: 'trials.json',
} as const;

const proposal = trialSchema.pick({ variant: true, phase: true });

/** What a worker may ask. */
export const requestSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('study') }),
  z.object({ op: z.literal('describe'), subject: studySubjectSchema, identity: studyIdentitySchema }),
  z.object({
    op: z.literal('join'),
    card: z.object({ worker: z.string(), host: z.string(), device: z.string().optional() }),
  }),
  z.object({ op: z.literal('leave'), worker: z.string(), refusal: z.string().optional() }),
  z.object({ op: z.literal('reclaim'), worker: z.string() }),
  z.object({ op: z.literal('propose'), proposal, worker: z.string() }),
  z.object({ op: z.literal('renew'), token: z.string(), trial: trialSchema }),
  z.object({ op: z.literal('endSearch'), by: z.string() }),
  z.object({ op: z.literal('confirmations') }),
  z.object({ op: z.literal('confirm'), confirmation: confirmationSchema }),
  z.object({ op: z.literal('endConfirmation') }),
]);
export type StoreRequest = z.infer<typeof requestSchema>;

export const answerSchema = z.union([
  z.object({ value: z.unknown() }),
  z.object({ error: z.object({ kind: z.string(), message: z.string(), hint: z.string().optional() }) }),
]);
export type StoreAnswer = z.infer<typeof answerSchema>;

export const toldSchema = z.object({
  token: z.string(),
  trial: trialSchema,
  outcome: trialOutcomeSchema,
  details: trialSchema.pick({
    resources: true,
    build_s: true,
    measure_s: true,
    device: true,
    binary: true,
    same_binary_as: true,
  }),
});
export type Told = z.infer<typeof toldSchema>;

export async function makeBox(folder: string): Promise<void> {
  const names = Object.values(PLACES).filter((name) => !name.endsWith('.json'));
  await Promise.all(names.map((name) => mkdir(join(folder, name), { recursive: true })));
}

/** Whole messages, oldest name first; what is still being written has another ending. */
export async function messagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith('.json')).sort();
}

/** Undefined where there is none (yet). On a network file system a file may go stale while it is read. */
export async function readMessage(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESTALE') return undefined;
    throw error;
  }
}

export async function writeMessage(path: string, value: unknown): Promise<void> {
  await writeDurably(path, `${JSON.stringify(value)}\n`);
}

export async function removeMessage(path: string): Promise<void> {
  await rm(path, { force: true });
}
