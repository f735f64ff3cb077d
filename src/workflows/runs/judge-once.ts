import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Judgement } from '../../model/queue/judgement.ts';
import { Judge } from './judge.ts';
import {
  candidateSources,
  writtenSources,
  type CandidateSources,
} from '../../adopt/candidate/candidate-sources.ts';
import type { JudgeOptions } from './judge/judge-options.ts';

/** Judges one candidate of a problem: its files, or their texts by their names. */
export async function judgeOnce(
  problem: string,
  candidate: readonly string[] | Readonly<Record<string, string>> | 'reference',
  options: JudgeOptions,
): Promise<Judgement> {
  if (candidate === 'reference') return judgeSources(problem, candidate, options);
  if (isList(candidate)) return judgeSources(problem, await candidateSources(candidate), options);
  const folder = await mkdtemp(join(tmpdir(), 'pawl-sources-'));
  try {
    return await judgeSources(problem, await writtenSources(candidate, folder), options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isList(
  candidate: readonly string[] | Readonly<Record<string, string>>,
): candidate is readonly string[] {
  return Array.isArray(candidate);
}

async function judgeSources(
  problem: string,
  sources: CandidateSources | 'reference',
  options: JudgeOptions,
): Promise<Judgement> {
  const judge = await Judge.open(problem, options);
  try {
    const built = await judge.build(sources);
    try {
      return await judge.judge(built);
    } finally {
      await built.remove();
    }
  } finally {
    await judge.close();
  }
}
