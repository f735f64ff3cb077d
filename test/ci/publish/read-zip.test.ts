import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readZip } from '../../../src/ci/artifact/read-zip.ts';
import { goodRun } from './hostile-runs.ts';
import { makeZip, type MadeEntry } from './make-zip.ts';

const REPORT = JSON.stringify(goodRun());
const REPORT_ENTRY: MadeEntry = { name: 'ci.json', data: REPORT };

describe('readZip', () => {
  it('reads what common tools write, to a file and to a pipe', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-zip-'));
    const script = `
import io, sys, zipfile
class Pipe(io.RawIOBase):
    def __init__(self, file): self.file = file
    def writable(self): return True
    def write(self, data): return self.file.write(data)
for name, wrap in (('file.zip', lambda f: f), ('pipe.zip', Pipe)):
    with open(sys.argv[1] + '/' + name, 'wb') as raw, zipfile.ZipFile(wrap(raw), 'w', zipfile.ZIP_DEFLATED) as z:
        z.writestr('ci.json', '{"größe": 1}' * 100)
        z.writestr('profiles/', '')
        z.writestr('profiles/größe.txt', 'x')
`;
    try {
      const { status, stderr } = spawnSync('python3', ['-c', script, folder], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      for (const name of ['file.zip', 'pipe.zip']) {
        const files = readZip(readFileSync(join(folder, name)), ['ci.json']);
        expect([...files.keys()]).toEqual(['ci.json']);
        expect(Buffer.from(files.get('ci.json')!).toString()).toBe('{"größe": 1}'.repeat(100));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('reads entries with sizes behind their data', () => {
    const zip = makeZip([{ ...REPORT_ENTRY, streamed: true }]);
    expect(Buffer.from(readZip(zip, ['ci.json']).get('ci.json')!).toString()).toBe(REPORT);
  });

  it('refuses or reads any mutation of an archive, and never reads another report', () => {
    const whole = makeZip([REPORT_ENTRY, { name: 'a/b.txt', data: 'hello', streamed: true }]);
    for (let at = 0; at < whole.length; at += 1) {
      // The report's own bytes are all alike; the records around them are tried one by one.
      if (at > 60 && at < whole.length - 400 && at % 97 !== 0) continue;
      for (const flip of [0x01, 0x80, 0xff]) {
        const bytes = Buffer.from(whole);
        bytes[at] = bytes[at]! ^ flip;
        try {
          const file = readZip(bytes, ['ci.json']).get('ci.json');
          if (file !== undefined) expect(Buffer.from(file).toString()).toBe(REPORT);
        } catch (error) {
          expect((error as Error).name, String(error)).toBe('PawlError');
        }
      }
    }
  });
});
