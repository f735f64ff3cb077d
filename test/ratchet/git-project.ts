import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryFolder } from '../device/temporary-folder.ts';

const run = promisify(execFile);

/** A real repository in a temporary folder, apart from the settings of whoever runs the tests. */
export class GitProject {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async create(): Promise<GitProject> {
    const project = new GitProject(await temporaryFolder());
    await project.git('init', '-q', '-b', 'main');
    await project.git('config', 'user.name', 'Grace');
    await project.git('config', 'user.email', 'grace@example.org');
    return project;
  }

  async git(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('git', ['-C', this.root, ...args]);
    return stdout.trim();
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.root, file)), { recursive: true });
    await writeFile(join(this.root, file), text);
  }

  async commit(file: string, text: string): Promise<string> {
    await this.write(file, text);
    await this.git('add', '-A');
    await this.git('commit', '-q', '-m', `change ${file}`);
    return this.git('rev-parse', 'HEAD');
  }
}
