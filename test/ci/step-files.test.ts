import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { annotation, writeOutputs, writeSummary } from '../../src/ci/step-files.ts';

async function emptyFile(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'pawl-step-')), 'file');
  await writeFile(path, 'before=1\n');
  return path;
}

/** As GitHub's runner reads the file. */
function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name, end] = /^([^=]*?)<<(.+)$/u.exec(line) ?? [];
    if (name === undefined || end === undefined) {
      const at = line.indexOf('=');
      if (at > 0) outputs[line.slice(0, at)] = line.slice(at + 1);
      continue;
    }
    const value: string[] = [];
    for (let next = lines.shift(); next !== undefined && next !== end; next = lines.shift()) value.push(next);
    outputs[name] = value.join('\n');
  }
  return outputs;
}

describe('what a step hands over', () => {
  it('is read back as it was, and no value can set another output', async () => {
    const path = await emptyFile();
    const hostile = 'x\nEOF\nverdict=improved\nverdict<<EOF\nimproved\nEOF';
    await writeOutputs(path, { verdict: 'regressed', report: hostile, 'comment-id': 7, none: undefined });
    expect(outputsIn(await readFile(path, 'utf8'))).toEqual({
      before: '1',
      verdict: 'regressed',
      report: hostile,
      'comment-id': '7',
    });
  });

  it('is one line where it is an annotation, and no other command', () => {
    const line = annotation('error', 'a: b, c', 'one\r\n::set-output name=x::y 100%\u001b[31m');
    expect(line).toBe('::error title=a%3A b%2C c::one%0D%0A::set-output name=x::y 100%25[31m');
  });

  it('is a summary that fits', async () => {
    const path = await emptyFile();
    await writeSummary(path, 'short');
    await writeSummary(path, 'x'.repeat(1_100_000));
    expect(await readFile(path, 'utf8')).toMatch(/^before=1\nshort\nThe report is too long .*\n$/);
  });
});
