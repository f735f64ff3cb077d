import { open } from 'node:fs/promises';

import { PawlError } from '../../model/pawl-error.ts';
import type { Platform } from '../../model/platform.ts';

/** `e_machine` of an ELF file (System V ABI, and its supplements for the processors). */
const ELF_MACHINE: Readonly<Record<number, Platform>> = { 62: 'linux-x64', 183: 'linux-arm64' };
const ELF_MAGIC = 0x7f_45_4c_46;

/** Refuses a Node that would not start where the bundle goes. */
export async function validateNode(file: string, platform: Platform): Promise<void> {
  const found = await platformOfProgram(file);
  if (found === platform) return;
  throw new PawlError(
    'usage',
    `${file} is not a Node for ${platform}${found === undefined ? '' : `, but for ${found}`}.`,
    `Unpack Node.js for ${platform} and give its bin/node, or remove --node: npm fetches one.`,
  );
}

async function platformOfProgram(file: string): Promise<Platform | undefined> {
  const header = Buffer.alloc(20);
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new PawlError('usage', `There is no ${file}.`);
    throw error;
  });
  try {
    await handle.read(header, 0, header.length, 0);
  } finally {
    await handle.close();
  }
  return header.readUInt32BE(0) === ELF_MAGIC ? ELF_MACHINE[header.readUInt16LE(18)] : undefined;
}
