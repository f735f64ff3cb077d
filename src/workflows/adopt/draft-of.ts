import { basename, relative, resolve } from 'node:path';

import { draftC, type PythonOracle } from '../../adopt/c/draft-c.ts';
import { readSources } from '../../adopt/c/read-sources.ts';
import type { Draft } from '../../adopt/draft.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { entranceOf } from './file-to-adopt.ts';

/** What a person said about the file. */
export interface Told {
  /** The function or class to adopt; needed where there are several. */
  readonly function?: string;
  /** Extents by tensor: `rows,cols`. */
  readonly shapes?: Readonly<Record<string, string>>;
  /** Tensors that are read and written. */
  readonly inout?: readonly string[];
  /** Sizes of the first case, by dimension. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** For the compiler. */
  readonly flags?: readonly string[];
  /** `FILE.py:NAME`: a Python function that says what is right. */
  readonly oracle?: string;
}

/**
 * What the project would be.
 *
 * @param out its folder; undefined: a temporary one, from which files are named by their whole paths
 */
export async function draftOf(file: string, out: string | undefined, told: Told): Promise<Draft> {
  const entrance = entranceOf(file);
  const common = {
    named: basename(file),
    path: pathFrom(out, file),
    function: told.function,
    shapes: told.shapes ?? {},
    inout: told.inout ?? [],
    sizes: told.sizes ?? {},
  };
  if (entrance === 'c') {
    return draftC({
      ...common,
      sources: await readSources(file),
      flags: told.flags,
      oracle: oracleOf(told, out),
    });
  }
  throw new PawlError('bad-data', `${file} is not a file that can be adopted.`);
}

function pathFrom(out: string | undefined, file: string): string {
  return out === undefined ? file : relative(out, file);
}

function oracleOf({ oracle }: Told, out: string | undefined): PythonOracle | undefined {
  if (oracle === undefined) return undefined;
  const colon = oracle.lastIndexOf(':');
  if (colon < 1 || colon === oracle.length - 1) {
    throw new PawlError(
      'usage',
      `--oracle ${oracle} does not say which function.`,
      'Say --oracle FILE.py:NAME',
    );
  }
  return { module: pathFrom(out, resolve(oracle.slice(0, colon))), function: oracle.slice(colon + 1) };
}
