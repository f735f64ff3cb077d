import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, normalize, relative, resolve } from 'node:path';

import type { SourceText } from './hot-lines.ts';

const MOST_BYTES = 8 * 1024 * 1024;
/** What is source by its name; a `#line` of a kernel may name any file of the machine, and its lines are shown. */
const SOURCE = /\.(?:cu|cuh|h|hh|hpp|hxx|inl|c|cc|cpp|cxx|py|pyx|ptx)$/u;
/** Where a revision is checked out (rig/worktrees.ts). */
const CHECKOUT = /\/pawl-[\w-]+\/tree\/(.*)$/u;
const READ_BY_ALL = 0o004;

/** The files that a kernel was compiled from, as they are while its project is checked out. */
export class SourceFiles implements SourceText {
  readonly #root: string;
  readonly #main: string;
  readonly #lines = new Map<string, readonly string[] | undefined>();

  /**
   * @param root the project's folder as it was checked out; files in it are named from there
   * @param main the project's folder where people work: what the cache has of a revision was often built there, and the
   * files that lie there now are of another revision
   */
  constructor(root: string, main: string = root) {
    this.#root = root;
    this.#main = main;
  }

  readonly nameOf = (file: string): string => {
    const inside = this.#inside(file);
    return inside ?? (file === '' ? '' : normalize(file));
  };

  readonly lineOf = (file: string, line: number): string | undefined => this.linesOf(file)?.[line - 1];

  /** Undefined for what is not there or not to be shown. */
  linesOf(file: string): readonly string[] | undefined {
    if (!this.#lines.has(file)) this.#lines.set(file, this.#read(file));
    return this.#lines.get(file);
  }

  /** From the project's folder; undefined for a file that is not of the project. */
  #inside(file: string): string | undefined {
    if (file === '') return undefined;
    for (const folder of [this.#root, this.#main]) {
      const path = relative(folder, resolve(this.#root, file));
      if (path !== '' && !path.startsWith('..') && !isAbsolute(path)) return path;
    }
    return this.#moved(file);
  }

  /**
   * A binary of the cache may have been built from the same file in another checkout, which is gone or is not ours:
   * then the end of its path names the file here.
   */
  #moved(file: string): string | undefined {
    const inCheckout = CHECKOUT.exec(file)?.[1];
    if (inCheckout === undefined && existsSync(file)) return undefined;
    const parts = (inCheckout ?? file).split('/').filter((part) => part !== '');
    if (parts.includes('..')) return undefined;
    for (let from = 0; from < parts.length; from += 1) {
      const rest = parts.slice(from).join('/');
      if (existsSync(resolve(this.#root, rest))) return rest;
    }
    return undefined;
  }

  #read(file: string): readonly string[] | undefined {
    if (!SOURCE.test(file)) return undefined;
    let descriptor: number | undefined;
    try {
      const path = realpathSync(resolve(this.#root, this.#inside(file) ?? file));
      if (!SOURCE.test(path)) return undefined;
      // A pipe must not make us wait.
      descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const { size, mode } = fstatSync(descriptor);
      const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
      const isOurs = this.#inside(path) !== undefined || (mode & READ_BY_ALL) !== 0;
      if (!isFile || !isOurs || size > MOST_BYTES) return undefined;
      return readFileSync(descriptor, 'utf8').split(/\r?\n/u);
    } catch {
      // Not on this machine: the line's number is still worth having.
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }
}
