import { projectCacheDir } from '../../build/cache-dirs.ts';
import { kernelNames } from '../../config/plan-kernel.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { needsAcceptance, type JudgeAcceptance, type JudgeChange } from '../../model/judge/judge-change.ts';
import { findAuthor } from '../author.ts';
import { judgeChanges } from './judge-changes.ts';
import { fileChanges } from './file-changes.ts';
import { judgeFiles } from './judge-files.ts';
import { processContext, type ProcessContext, type RunContext } from '../../os/run-context.ts';

/** Who judges a change, and what the change would have made of its judge. */
export interface Ruling {
  /** The project by whose problems, oracles, cases and rules both sides are judged (see under-judge.ts). */
  readonly judge: LoadedConfig;
  readonly judge_changes: readonly JudgeChange[];
  readonly judge_accepted?: JudgeAcceptance;
}

export interface RulingOptions
  extends Pick<RunContext, 'signal'>, Partial<Pick<ProcessContext, 'now' | 'onProgress' | 'env'>> {
  /** The project that was asked, whose cache of builds is used. */
  readonly main: LoadedConfig;
  /** Only these kernels are judged. */
  readonly only?: readonly string[];
  /** A kernel that the others are measured against: it is the base's, too. */
  readonly reference?: string;
  /** A person says that the change's own judge is right. */
  readonly accept?: boolean;
  readonly gpuIndex?: number;
}

/**
 * A change is judged as its base has it. What it alters about that is listed, and its own judge takes over where a
 * person has accepted it.
 */
export async function ruleOnJudge(
  base: LoadedConfig,
  change: LoadedConfig,
  options: RulingOptions,
): Promise<Ruling> {
  const { main, only, reference, gpuIndex = 0 } = options;
  const { signal, now, onProgress, env } = processContext(options);
  const all = [...new Set([...kernelNames(base), ...kernelNames(change)])];
  const kernels = all.filter((name) => only?.includes(name) !== false);
  const known = kernels.filter((name) => kernelNames(base).includes(name));
  const files = await judgeFiles(
    base,
    { kernels: known, reference },
    {
      cacheDir: projectCacheDir(main.root, env),
      gpuIndex,
      signal,
      onProgress,
    },
  );
  const judge_changes = [
    ...judgeChanges(base, change, { kernels, reference }),
    ...(await fileChanges(files, base, change)),
  ];
  if (options.accept !== true || !judge_changes.some(needsAcceptance)) return { judge: base, judge_changes };
  const at = now().toISOString();
  return {
    judge: change,
    judge_changes,
    judge_accepted: { by: await findAuthor(main.root, env), at },
  };
}
