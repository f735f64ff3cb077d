import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import { runCommand } from '../../os/run-command.ts';

/** Unpacks a package from the registry that npm uses here, below `scratch`; gives its folder. */
export async function fetchPackage(spec: string, scratch: string, signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(scratch, 'package-'));
  const packed = await runCommand('npm', ['pack', spec, '--silent', '--pack-destination', folder], {
    signal,
  });
  const [archive] = await readdir(folder);
  if (packed.status !== 'exited' || packed.code !== 0 || archive === undefined) {
    throw new PawlError(
      'unavailable',
      `npm could not fetch ${spec}.`,
      'A bundle for another platform needs npm and a registry with that package; --node FILE avoids fetching Node.',
    );
  }
  const unpacked = await runCommand('tar', ['-C', folder, '-xzf', join(folder, archive)], { signal });
  if (unpacked.status !== 'exited' || unpacked.code !== 0) {
    throw new PawlError('unavailable', `tar could not unpack ${spec}.`, 'Install tar and gzip.');
  }
  return join(folder, 'package');
}
