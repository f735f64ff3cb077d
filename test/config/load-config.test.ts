import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { tempProject } from './temp-project.ts';

const GOOD = `version: 1
problems:
  copy:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    cases:
      small: { N: 8 }
kernels:
  copy-cpu: { problem: copy, device: cpu, language: c, sources: [copy.c] }
`;

async function failure(loading: Promise<unknown>): Promise<PawlError> {
  const error: unknown = await loading.then(
    () => new Error('it loaded'),
    (reason: unknown) => reason,
  );
  if (error instanceof PawlError) return error;
  throw error;
}

/** The lines that loading this text fails with. */
async function mistakes(text: string | Uint8Array): Promise<string[]> {
  const error = await failure(loadConfig(undefined, await tempProject({ 'pawl.yaml': text, 'copy.c': '' })));
  expect(error.kind).toBe('configuration');
  return error.message.split('\n');
}

describe('loadConfig', () => {
  it('finds pawl.yaml above the folder it starts from', async () => {
    const root = await tempProject({ 'pawl.yaml': GOOD, 'copy.c': '', 'deep/er/x': '' });
    const loaded = await loadConfig(undefined, join(root, 'deep/er'));
    expect(loaded.path).toBe(join(root, 'pawl.yaml'));
    expect(loaded.root).toBe(root);
  });

  it('takes a file or a folder, relative to where it is', async () => {
    const root = await tempProject({
      'a/other.yaml': GOOD,
      'a/copy.c': '',
      'b/pawl.yaml': GOOD,
      'b/copy.c': '',
    });
    expect((await loadConfig('a/other.yaml', root)).root).toBe(join(root, 'a'));
    expect((await loadConfig('b', root)).path).toBe(join(root, 'b/pawl.yaml'));
  });

  it('takes thresholds of cases that there are', async () => {
    const own = (name: string): string =>
      `${GOOD}thresholds: { cases: { ${name}: { regression_pct: 8 } } }\n`;
    const root = await tempProject({ 'pawl.yaml': own('copy-cpu/small'), 'copy.c': '' });
    expect((await loadConfig(undefined, root)).config.thresholds.cases).toEqual({
      'copy-cpu/small': { regression_pct: 8 },
    });
    const [first] = await mistakes(own('copy-cpu/smal'));
    expect(first).toMatch(/there is no case "?copy-cpu\/smal"?.*did you mean .*copy-cpu\/small/u);
    expect((await mistakes(own('small')))[0]).toContain('there is no case');
  });

  it('fills in every default', async () => {
    const { config } = await loadConfig(undefined, await tempProject({ 'pawl.yaml': GOOD, 'copy.c': '' }));
    expect(config.measure).toEqual({
      mode: 'cold',
      processes: 5,
      samples: 100,
      warmup: 20,
      stopping: 'precision',
      timeout_s: 60,
      import_timeout_s: 300,
    });
    expect(config.thresholds).toEqual({
      regression_pct: 3,
      improvement_pct: 5,
      claim_pct: 10,
      cv_pct: 12,
      temperature_c: 80,
      cases: {},
    });
    const { atol, rtol } = config.problems['copy']!.tolerance;
    expect([atol.source, rtol.source]).toEqual(['0.002', '0.001']);
  });

  it('points to `pawl init` when there is no file', async () => {
    const root = await tempProject({});
    for (const path of [undefined, 'gone.yaml', '.']) {
      const error = await failure(loadConfig(path, root));
      expect(error.kind).toBe('configuration');
      expect(error.message).toContain(root);
      expect(error.hint).toContain('pawl init');
    }
  });

  it('tells every mistake of a file full of them, each with its place', async () => {
    const folder = new URL('../fixtures/config/mistakes/', import.meta.url).pathname;
    const error = await failure(loadConfig(undefined, folder));
    expect(`${error.message}\n`).toBe(await readFile(join(folder, 'mistakes.txt'), 'utf8'));
  });

  it('names the file by its path from where the command was given', async () => {
    const root = await tempProject({ 'a/pawl.yaml': '- version', 'b/x': '' });
    expect((await failure(loadConfig('a', root))).message).toMatch(/^a\/pawl\.yaml:1:1: /);
    const outside = await failure(loadConfig('../a', join(root, 'b')));
    expect(outside.message.startsWith(`${join(root, 'a/pawl.yaml')}:1:1: `)).toBe(true);
  });

  it.each([
    ['', 'pawl.yaml:1:1: the file is empty; expected `version: 1`, `problems` and `kernels`'],
    ['# nothing\n', 'pawl.yaml:1:1: the file is empty; expected `version: 1`, `problems` and `kernels`'],
    ['- a\n', 'pawl.yaml:1:1: the file is not a mapping; expected `version: 1`, `problems` and `kernels`'],
    ['a: 1\n\tb: 2\n', 'pawl.yaml:2:1: a tab indents this line; YAML is indented with spaces'],
    ['a: 1\n---\nb: 2\n', 'pawl.yaml:2:1: a second document begins here; a file must have one'],
    ['a: *b\n', 'pawl.yaml:1:4: `*b` refers to an anchor that is not above it'],
    ['a: !x or y\n', 'pawl.yaml:1:4: Unresolved tag: !x; text that begins with `!` needs quotes'],
    [`a: ${'['.repeat(100_000)}`, 'pawl.yaml:1:68: nested more than 64 deep'],
    [`${'- '.repeat(100_000)}a`, 'pawl.yaml:1:513: nested more than 64 deep'],
    [`${' '.repeat(300)}a: 1`, 'pawl.yaml:1:1: nested more than 64 deep'],
  ])('says what is wrong with a text that is no pawl.yaml (%#)', async (text, message) => {
    expect(await mistakes(text)).toEqual([message]);
  });

  it('refuses aliases that multiply', async () => {
    const lines = Array.from(
      { length: 9 },
      (_, level) =>
        `a${level}: &a${level} [${Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*a${level - 1}`)).join(', ')}]`,
    );
    expect((await mistakes(lines.join('\n')))[0]).toContain('Excessive alias count');
  });

  it('refuses what is not UTF-8, and a file that no person wrote', async () => {
    expect((await mistakes(Uint8Array.of(0x61, 0x3a, 0xff)))[0]).toBe('pawl.yaml is not UTF-8 text.');
    expect((await mistakes('#'.repeat(1_000_001)))[0]).toContain('has 1000001 bytes');
  });

  it('reads a file with a byte order mark and Windows line ends', async () => {
    const text = `\ufeff${GOOD.replaceAll('\n', '\r\n')}`;
    const root = await tempProject({ 'pawl.yaml': text, 'copy.c': '' });
    expect(Object.keys((await loadConfig(root)).config.kernels)).toEqual(['copy-cpu']);
  });

  it('lets aliases share a value, and points at the value when it is wrong', async () => {
    const shared = (value: string) => `${GOOD}    cases: { one: &dims { N: ${value} }, two: *dims }\n`;
    const text = (value: string) =>
      shared(value)
        .replace('{ problem: copy, device: cpu, language: c, sources: [copy.c] }', '')
        .replace(
          '    cases: {',
          '    problem: copy\n    device: cpu\n    language: c\n    sources: [copy.c]\n    cases: {',
        );
    const root = await tempProject({ 'pawl.yaml': text('4'), 'copy.c': '' });
    expect((await loadConfig(root)).config.kernels['copy-cpu']?.cases).toEqual({
      one: { N: 4 },
      two: { N: 4 },
    });
    expect(await mistakes(text('x'))).toEqual([
      'pawl.yaml:16:30: kernels.copy-cpu.cases.one.N: "x" is not a number',
      'pawl.yaml:16:30: kernels.copy-cpu.cases.two.N: "x" is not a number',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('treats the name %s like any other', async (name) => {
    const lines = await mistakes(
      GOOD.replace('problem: copy', `problem: ${name}`).replace('[N]\n', `[${name}]\n`),
    );
    expect(lines.join('\n')).toContain('kernels.copy-cpu.problem');
  });

  it('does not lose a key that is called __proto__', async () => {
    const lines = await mistakes(`${GOOD}  __proto__: { problem: copy }\n`);
    expect(lines).toEqual(['pawl.yaml:12:3: no key can be called `__proto__`']);
  });

  it('keeps control characters of the file out of its messages', async () => {
    const lines = await mistakes(GOOD.replace('language: c,', 'language: "\\e[31m\\u202e",'));
    // oxlint-disable-next-line no-control-regex
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(lines[0]).toContain('is not one of c, c++, cuda, python');
  });

  it('does not complain about what only follows from another mistake', async () => {
    const text = GOOD.replace(
      'sources: [copy.c] }',
      'source: [copy.c], tunabels: { A: [1] }, constraints: [A > 0], threads: A }',
    );
    expect(await mistakes(text)).toEqual([
      'pawl.yaml:11:56: kernels.copy-cpu.source: unknown key (did you mean `sources`?)',
      'pawl.yaml:11:74: kernels.copy-cpu.tunabels: unknown key (did you mean `tunables`?)',
    ]);
  });

  it('refuses a kernel without any case', async () => {
    expect(await mistakes(GOOD.replace('    cases:\n      small: { N: 8 }\n', ''))).toEqual([
      'pawl.yaml:9:3: kernels.copy-cpu: has no cases: neither it nor its problem names any',
    ]);
  });
});
