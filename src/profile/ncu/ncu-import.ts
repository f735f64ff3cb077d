import { defined } from '../../model/defined.ts';
import { candidateEnvironment } from '../../device/candidate-environment.ts';
import { runCommand } from '../../os/run-command.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { findNcu } from './find-ncu.ts';

/** A full set of a few launches takes ncu two seconds to print; a report of thousands, minutes. */
const IMPORT_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 400 * 1024 * 1024;

export interface NcuImportOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** Has ncu print both pages of a report, one after the other: the raw page has all metrics, the details page its rules. */
export async function importNcuReport(path: string, options: NcuImportOptions): Promise<string> {
  const ncu = await findNcu(options.env);
  if (ncu === undefined) {
    throw new PawlError(
      'unavailable',
      `${path} is a report of Nsight Compute. Reading it needs \`ncu\`, which was not found.`,
      'Add ncu to the PATH, or on a machine that has it run: ' +
        `ncu --import ${path} --page raw --csv --print-units base > profile.csv, and give profile.csv to pawl.`,
    );
  }
  const raw = await printNcuPage(ncu, path, 'raw', options);
  return `${raw}\n${await printNcuPage(ncu, path, 'details', options)}`;
}

/** One page of a report as CSV in base units. */
export async function printNcuPage(
  ncu: string,
  path: string,
  page: 'raw' | 'details',
  options: NcuImportOptions,
): Promise<string> {
  return printNcu(ncu, path, ['--page', page, '--csv', '--print-units', 'base'], options);
}

/** The source page by instruction, with kernels as the linker names them: so their lines are found. */
export async function printNcuSource(ncu: string, path: string, options: NcuImportOptions): Promise<string> {
  const page = ['--page', 'source', '--csv', '--print-source', 'sass', '--print-kernel-base', 'mangled'];
  return printNcu(ncu, path, page, options);
}

/** Undefined where nothing was sampled, or this ncu prints no such page. */
export async function printNcuSourceIfThere(
  path: string,
  options: NcuImportOptions,
): Promise<string | undefined> {
  const ncu = await findNcu(options.env);
  if (ncu === undefined) return undefined;
  try {
    const page = await printNcuSource(ncu, path, options);
    return page.trim() === '' ? undefined : page;
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return undefined;
  }
}

async function printNcu(
  ncu: string,
  path: string,
  page: readonly string[],
  options: NcuImportOptions,
): Promise<string> {
  const run = await runCommand(ncu, ['--import', path, ...page], {
    // Numbers as the C locale writes them: no thousands, no decimal commas.
    env: { ...candidateEnvironment(options.env), LC_ALL: 'C' },
    timeout_ms: IMPORT_TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...defined({ signal: options.signal }),
  });
  if (run.status === 'exited' && run.code === 0) return run.stdout;
  if (run.status === 'timed-out') {
    throw new PawlError('try-again', `ncu took too long to read ${path}.`, 'Export fewer launches (-k, -c).');
  }
  if (run.status === 'cancelled') throw new PawlError('try-again', 'Stopped before the report was read.');
  const said = run.status === 'missing' ? run.message : lastWords(`${run.stdout}\n${run.stderr}`);
  throw new PawlError(
    'bad-data',
    `ncu cannot read ${path}: ${said}`,
    'A report needs an ncu at least as new as the one that wrote it.',
  );
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => line.startsWith('==ERROR==')) ?? lines.at(-1) ?? 'it printed nothing').trim();
}
