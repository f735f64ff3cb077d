import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { candidateEnvironment } from '../device/candidate-environment.ts';
import { runCommand } from '../os/run-command.ts';
import type { BuildLanguage } from './build-job.ts';
import type { CompilerCommand } from './find-compiler.ts';
import { hashText } from '../os/file-hasher.ts';
import { writeDurably } from '../os/write-durably.ts';

export interface FlagQuestion {
  readonly compiler: CompilerCommand;
  /** CompilerRegistry's: another compiler is another question. */
  readonly identity: string;
  readonly language: BuildLanguage;
  readonly flag: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cacheDir: string;
  /** Whether the answer may be written down. */
  readonly persist: boolean;
}

/** Long enough for a slow disk, short enough for a broken compiler. */
const PROBE_TIMEOUT_MS = 60_000;

/** Whether a compiler can compile and link with a flag: clang takes -fopenmp and then may lack the library. */
export async function supportsFlag(question: FlagQuestion): Promise<boolean> {
  const { compiler, identity, language, flag } = question;
  const folder = join(question.cacheDir, 'flags');
  const remembered = join(folder, hashText(JSON.stringify([identity, compiler.args, language, flag])));
  const answer = await readFile(remembered, 'utf8').catch(() => undefined);
  if (answer === 'yes' || answer === 'no') return answer === 'yes';
  const scratch = await mkdtemp(join(tmpdir(), 'pawl-probe-'));
  try {
    const extension = { c: 'c', 'c++': 'cpp', cuda: 'cu' }[language];
    const source = join(scratch, `probe.${extension}`);
    await writeFile(source, 'int main() { return 0; }\n');
    const result = await runCommand(
      compiler.path,
      [...compiler.args, flag, source, '-o', join(scratch, 'probe')],
      { env: { ...candidateEnvironment(question.env), TMPDIR: scratch }, timeout_ms: PROBE_TIMEOUT_MS },
    );
    const supported = result.status === 'exited' && result.code === 0;
    if (result.status === 'exited' && question.persist) {
      await mkdir(folder, { recursive: true });
      await writeDurably(remembered, supported ? 'yes' : 'no');
    }
    return supported;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
