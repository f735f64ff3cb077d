import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { Judge, type BuiltCandidate } from '../runs/judge.ts';
import type { JudgeOptions } from '../runs/judge/judge-options.ts';
import { writtenSources } from '../../adopt/candidate/candidate-sources.ts';
import type { Judging } from '../../queue/shift.ts';

interface Built {
  readonly candidate: BuiltCandidate;
  readonly folder: string;
}

export interface OpenedJudging extends Judging<Built> {
  /** CPUs that are left for building beside the one that is measured on. */
  readonly parallelBuilds: number;
  close(): Promise<void>;
}

/** A warm judge of one problem, as a worker uses it. */
export async function openJudging(problem: string, options: JudgeOptions): Promise<OpenedJudging> {
  const judge = await Judge.open(problem, options);
  const used = judge.device === 'cpu' ? judge.threads : 1;
  return {
    offered: {
      problem: judge.problem,
      reference: judge.reference,
      device_class: await judge.deviceClass(),
      identity: await judge.identity(),
    },
    parallelBuilds: Math.max(1, availableParallelism() - used),
    build: async ({ files }) => {
      const folder = await mkdtemp(join(tmpdir(), 'pawl-submission-'));
      try {
        return { candidate: await judge.build(await writtenSources(files, folder)), folder };
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    },
    judge: (group, onJudged) =>
      judge.judgeTogether(
        group.map(({ candidate }) => candidate),
        onJudged,
      ),
    remove: async ({ candidate, folder }) => {
      await candidate.remove();
      await rm(folder, { recursive: true, force: true });
    },
    close: () => judge.close(),
  };
}
