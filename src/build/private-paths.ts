import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where people keep keys and tokens. A source can `#include` any file, and an error message quotes it. */
const IN_HOME = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.docker',
  '.kube',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.huggingface',
  '.cache/huggingface/token',
];

/** Those of them that are there. */
export async function privatePaths(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const home = env.HOME ?? homedir();
  if (!isAbsolute(home)) return [];
  const paths = IN_HOME.map((name) => join(home, name));
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}
