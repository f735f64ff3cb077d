import { openProject, PawlError } from '../../../src/index.ts';

try {
  await openProject('no-such-folder');
} catch (error) {
  if (!(error instanceof PawlError)) throw error;
  console.log(error.kind, error.message, error.hint);
}
