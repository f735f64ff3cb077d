import { chmod, copyFile, cp, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { packageRoot } from '../build/package-root.ts';
import { isBelow } from '../os/below-folder.ts';
import { FileHasher } from '../os/file-hasher.ts';
import { makeFolder } from '../os/make-folder.ts';
import { readIfThere } from '../os/read-if-there.ts';
import { PawlError } from '../model/pawl-error.ts';
import {
  TORCH_DISPATCH_SCHEMA,
  type ExportedFile,
  type TorchDispatch,
  type TorchProof,
} from '../model/reports/torch-export.ts';
import { packageReadme } from './package-readme.ts';
import { tableHeader, type TableRow } from './table-header.ts';

/** A package that is being put together beside the place where it will be. */
export class PackageDraft {
  readonly #folder: string;
  readonly #out: string;
  readonly #hasher = new FileHasher();

  private constructor(folder: string, out: string) {
    this.#folder = folder;
    this.#out = out;
  }

  static async begin(out: string): Promise<PackageDraft> {
    await makeFolder(dirname(out));
    return new PackageDraft(await mkdtemp(join(dirname(out), `.${basename(out)}-`)), out);
  }

  /** A file of the project or of the build cache, under this name. */
  async add(from: string, file: string): Promise<ExportedFile> {
    const to = join(this.#folder, file);
    await makeFolder(dirname(to));
    await copyFile(from, to);
    return { file, sha256: (await this.#hasher.hash(to)) ?? '' };
  }

  async addText(file: string, text: string): Promise<ExportedFile> {
    const to = join(this.#folder, file);
    await makeFolder(dirname(to));
    await writeFile(to, text);
    return { file, sha256: (await this.#hasher.hash(to)) ?? '' };
  }

  /** Files of the project, at their places below its top. */
  async addSources(
    files: readonly string[],
    top: string,
  ): Promise<(ExportedFile & { readonly from: string })[]> {
    const own = [...new Set(files)].filter((file) => isBelow(top, file) && !isBelow(packageRuntime(), file));
    return Promise.all(
      own.toSorted().map(async (file) => {
        const from = relative(top, file);
        const added = await this.add(file, join('sources', from));
        return { file: added.file, sha256: added.sha256, from };
      }),
    );
  }

  async finish(dispatch: TorchDispatch, proof: TorchProof, rows: readonly TableRow[]): Promise<void> {
    const runtime = packageRuntime();
    for (const name of await readdir(runtime)) {
      if (name.endsWith('.py')) await this.add(join(runtime, name), name);
    }
    if (dispatch.operator.language === 'native') {
      await this.add(join(runtime, 'binding.cpp'), 'binding.cpp');
      await this.add(join(packageRoot(), 'runner', 'include', 'pawl_kernel.h'), 'pawl_kernel.h');
      const libraries = dispatch.variants.map(({ library }) => library!.file);
      await this.addText('table.hpp', tableHeader(dispatch.operator, rows, libraries));
    }
    if (dispatch.operator.language === 'python' || dispatch.oracle.language === 'python') {
      const from = join(packageRoot(), 'runner', 'python', 'pawl_candidate');
      await cp(from, join(this.#folder, '_pawl', 'pawl_candidate'), {
        recursive: true,
        filter: (path) => basename(path) !== '__pycache__',
      });
    }
    await this.addText('README.md', packageReadme(dispatch, proof));
    await this.addText('proof.json', `${JSON.stringify(proof, undefined, 2)}\n`);
    await this.addText('dispatch.json', `${JSON.stringify(dispatch, undefined, 2)}\n`);
    // Others may read it, as they may what Pawl writes elsewhere.
    await chmod(this.#folder, 0o755);
    await rm(this.#out, { recursive: true, force: true });
    await rename(this.#folder, this.#out);
  }

  async drop(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** What every package holds: Python and C++ that read dispatch.json. */
function packageRuntime(): string {
  return join(packageRoot(), 'runner', 'torch');
}

/** A folder is replaced only where it is an earlier export, and that was asked for. */
export async function requirePlace(out: string, force: boolean): Promise<void> {
  const found = await stat(out).catch(() => undefined);
  if (found === undefined) return;
  const isEmpty = found.isDirectory() && (await readdir(out)).length === 0;
  if (isEmpty) return;
  const isExport = found.isDirectory() && (await isExported(out));
  if (isExport && force) return;
  throw new PawlError(
    'usage',
    isExport ? `${out} already has an export.` : `${out} exists and is not an export of Pawl.`,
    isExport ? 'Replace it with --force.' : 'Choose another folder: --out FOLDER',
  );
}

async function isExported(folder: string): Promise<boolean> {
  const text = await readIfThere(join(folder, 'dispatch.json'));
  return text?.includes(TORCH_DISPATCH_SCHEMA) === true;
}
