import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { SourceFiles } from '../../../src/profile/lines/source-text.ts';

describe('source of a hot line', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'pawl-source-'));
    mkdirSync(join(root, 'kernels'));
    writeFileSync(join(root, 'kernels/a.cu'), 'one\ntwo\n');
  });

  it('is that of the project, by a name from its folder', () => {
    const files = new SourceFiles(root);
    expect(files.nameOf(join(root, 'kernels/a.cu'))).toBe('kernels/a.cu');
    expect(files.lineOf(join(root, 'kernels/a.cu'), 2)).toBe('two');
    expect(files.lineOf(join(root, 'kernels/a.cu'), 9)).toBeUndefined();
  });

  it('is found although the binary was built in a checkout that is gone', () => {
    const files = new SourceFiles(root);
    expect(files.nameOf('/tmp/pawl-compare-abc/tree/kernels/a.cu')).toBe('kernels/a.cu');
    expect(files.lineOf('/tmp/pawl-compare-abc/tree/kernels/a.cu', 1)).toBe('one');
  });

  it('is that of its own revision where the binary was built in the folder that people work in', () => {
    const main = mkdtempSync(join(tmpdir(), 'pawl-main-'));
    mkdirSync(join(main, 'kernels'));
    writeFileSync(join(main, 'kernels/a.cu'), 'changed since\n');
    writeFileSync(join(main, 'kernels/new.cu'), 'new\n');
    const files = new SourceFiles(root, main);
    expect(files.nameOf(join(main, 'kernels/a.cu'))).toBe('kernels/a.cu');
    expect(files.lineOf(join(main, 'kernels/a.cu'), 1)).toBe('one');
    expect(files.lineOf(join(main, 'kernels/new.cu'), 1)).toBeUndefined();
  });

  it('is never that of a file that is not source, whatever a #line says', () => {
    writeFileSync(join(root, 'secret.txt'), 'secret\n');
    writeFileSync(join(root, '.env'), 'secret\n');
    symlinkSync(join(root, 'secret.txt'), join(root, 'link.cu'));
    const files = new SourceFiles(root);
    for (const name of ['/etc/passwd', 'secret.txt', '.env', 'link.cu', '/proc/self/environ', ''])
      expect(files.lineOf(name, 1)).toBeUndefined();
  });

  it('of another folder is shown only where everybody may read it', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'pawl-other-'));
    writeFileSync(join(elsewhere, 'open.hpp'), 'open\n', { mode: 0o644 });
    writeFileSync(join(elsewhere, 'closed.hpp'), 'closed\n', { mode: 0o600 });
    const files = new SourceFiles(root);
    expect(files.nameOf(join(elsewhere, 'open.hpp'))).toBe(join(elsewhere, 'open.hpp'));
    expect(files.lineOf(join(elsewhere, 'open.hpp'), 1)).toBe('open');
    expect(files.lineOf(join(elsewhere, 'closed.hpp'), 1)).toBeUndefined();
  });
});
