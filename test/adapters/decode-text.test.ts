import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { decodeText } from '../../src/adapters/decode-text.ts';
import { importFiles } from '../../src/workflows/import.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

/** Pickles of every protocol of an object that makes a file when it is loaded. */
const MALICIOUS = `
import os, pickle, sys
class Bomb:
    def __reduce__(self):
        return (open, (sys.argv[2], "w"))
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    with open(os.path.join(sys.argv[1], f"{protocol}.pkl"), "wb") as file:
        pickle.dump({"times": [Bomb()]}, file, protocol)
`;

describe('pickles', () => {
  it('of every protocol are refused, and nothing in them runs', async () => {
    const folder = await temporaryFolder();
    const proof = join(folder, 'loaded');
    execFileSync('python3', ['-c', MALICIOUS, folder, proof]);
    for (let protocol = 0; protocol <= 5; protocol++) {
      const file = join(folder, `${protocol}.pkl`);
      await expect(
        importFiles({ files: [file], from: 'auto' }),
        `protocol ${protocol}`,
      ).rejects.toMatchObject({
        kind: 'bad-data',
        message:
          protocol < 2
            ? expect.stringMatching(/not in a format that Pawl reads|not a text file/u)
            : expect.stringContaining('is a pickle'),
      });
    }
    expect(existsSync(proof)).toBe(false);
    execFileSync('python3', [
      '-c',
      'import pickle, sys; pickle.load(open(sys.argv[1], "rb"))',
      join(folder, '4.pkl'),
    ]);
    expect(existsSync(proof)).toBe(true);
  });

  it.each([
    ['a NumPy array', Buffer.from('\u0093NUMPY\u0001\0', 'latin1')],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004rest', 'latin1')],
    ['compressed (gzip)', gzipSync('{}')],
    ['an HDF5 file', Buffer.from('\u0089HDF\r\n', 'latin1')],
    ['a program', readFileSync(process.execPath).subarray(0, 64)],
  ])('and what may hold one or hides what it holds is refused by its first bytes: %s', (what, bytes) => {
    expect(() => decodeText(bytes, 'x')).toThrow(`x is ${what}`);
  });
});

describe('limits', () => {
  it('refuse a name that is no benchmark’s', async () => {
    const file = join(await temporaryFolder(), 'x.json');
    writeFileSync(file, JSON.stringify({ results: [{ command: 'x'.repeat(5000), times: [1] }] }));
    await expect(importFiles({ files: [file], from: 'auto' })).rejects.toMatchObject({
      message: expect.stringContaining('names of more than 1000 characters'),
    });
  });
});
