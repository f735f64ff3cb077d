/**
 * A stand-in for nvidia-smi: no test may change a real card's settings. It records how it was called and
 * answers from files beside it, so that a test can change the answers while it runs.
 */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from './temporary-folder.ts';

const SCRIPT = `#!/bin/sh
here=$(dirname "$0")
case "$1" in
  --query-gpu=*) name=query-gpu ;;
  --query-compute-apps=*) name=query-compute-apps ;;
  -i) name=\${3#-} ;;
  *) name=header ;;
esac
[ -f "$here/$name.sh" ] && . "$here/$name.sh"
case "$name" in lgc | rgc) echo "$*" >>"$here/calls" ;; esac
[ -f "$here/$name.out" ] && cat "$here/$name.out"
[ -f "$here/$name.code" ] && exit "$(cat "$here/$name.code")"
exit 0
`;

export type Answer = 'query-gpu' | 'query-compute-apps' | 'header' | 'lgc' | 'rgc';

export class FakeNvidiaSmi {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async make(): Promise<FakeNvidiaSmi> {
    const fake = new FakeNvidiaSmi(await temporaryFolder());
    const program = join(fake.directory, 'nvidia-smi');
    await writeFile(program, SCRIPT);
    await chmod(program, 0o755);
    return fake;
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, PATH: `${this.directory}:${process.env['PATH']}` };
  }

  async answer(name: Answer, text: string, code = 0): Promise<void> {
    await writeFile(join(this.directory, `${name}.out`), text);
    await writeFile(join(this.directory, `${name}.code`), String(code));
  }

  /** Shell lines that run before the answer, with the arguments in `$@`. */
  async before(name: Answer, shell: string): Promise<void> {
    await writeFile(join(this.directory, `${name}.sh`), shell);
  }

  /** The calls that changed (or tried to change) clocks, in order. */
  async calls(): Promise<string[]> {
    const text = await readFile(join(this.directory, 'calls'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }
}
