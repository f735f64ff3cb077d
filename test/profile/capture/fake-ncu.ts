/** The stand-in for ncu in test/fixtures/fake-ncu, in a folder of its own with what it is to do. */
import { copyFile, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');

export type Behaviour =
  | 'good'
  | 'late'
  | 'hang'
  | 'crash'
  | 'permission'
  | 'unsupported'
  | 'busy'
  | 'broken'
  | 'nothing'
  | 'unreadable'
  | 'lacking';

export class FakeNcu {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** `exports` name files of test/fixtures/ncu without their endings. */
  static async make(
    behaviour: Behaviour,
    exports: { readonly head?: string; readonly base?: string } = {},
  ): Promise<FakeNcu> {
    const fake = new FakeNcu(await mkdtemp(join(tmpdir(), 'pawl-fake-ncu-')));
    await copyFile(join(FIXTURES, 'fake-ncu/ncu'), join(fake.folder, 'ncu'));
    await symlink(join(FIXTURES, 'ncu'), join(fake.folder, 'exports'));
    await writeFile(join(fake.folder, 'behaviour'), behaviour);
    await writeFile(join(fake.folder, 'head'), exports.head ?? 'uncoalesced_load');
    await writeFile(join(fake.folder, 'base'), exports.base ?? 'copy_ok');
    return fake;
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, PAWL_NCU: join(this.folder, 'ncu') };
  }

  /** How it was called, one line each. */
  async calls(): Promise<string[]> {
    return (await readFile(join(this.folder, 'calls'), 'utf8')).trim().split('\n');
  }
}
