import { fileFailure } from '../model/file-failure.ts';
import { PawlError } from '../model/pawl-error.ts';
import { FAILURE_EXIT } from './exit-codes.ts';
import { fitLines } from '../report/terminal/fit-lines.ts';
import { sourcePlaces } from './source-places.ts';

/** Says what went wrong and what to do about it; returns the exit code, which never is that of a verdict. */
export function reportFailure(
  error: unknown,
  options: { readonly json?: boolean; readonly verbose?: boolean } = {},
): number {
  const failure = error instanceof PawlError ? error : (fileFailure(error) ?? bug(error));
  const { kind, message, hint } = failure;
  if (options.json === true) process.stdout.write(`${JSON.stringify({ error: { kind, message, hint } })}\n`);
  const text = `pawl: ${message}\n${hint === undefined ? '' : `  → ${hint}\n`}`;
  const { isTTY, columns } = process.stderr;
  process.stderr.write(isTTY ? fitLines(text, columns) : text);
  const wantsStack = options.verbose === true || Boolean(process.env['PAWL_DEBUG']);
  if (wantsStack && failure !== error && error instanceof Error) {
    process.stderr.write(`${sourcePlaces(error.stack ?? error.message)}\n`);
  }
  return FAILURE_EXIT[kind];
}

function bug(error: unknown): PawlError {
  return new PawlError(
    'internal',
    `Pawl has a bug: ${error instanceof Error ? error.message : String(error)}`,
    'Please report it, with the output of PAWL_DEBUG=1.',
  );
}
