import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { temporaryFolder } from '../device/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PLUGIN = join(ROOT, 'tools/lint-plugin.js');
const RULE = 'pawl(facts-in-fields)';

interface Finding {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/** Each of these decided something once. */
const READS = `
lost.find(({ reason, message }) => OWN.has(reason) && message.startsWith(IN_CHECK));
log.end('doctor', /better/u.test(summary) ? 'warned' : 'passed', summary);
isLesson && /^(?:tunable|change): /u.test(warning.matched);
if (!next.startsWith('pawl profile ')) finish();
report.notes.find((note) => note.startsWith('no profile'));
session.notes.filter(({ by, text }) => by === undefined && text.startsWith('held back ('));
error.message.trim().startsWith('git is not') || finish();
one.note.text === 'not broken down' && finish();
const step = STEP_OF_TITLE[progress.title];
faultText(fault).includes('crashed') && finish();
const { text } = note;
if (text.includes('by hand')) finish();
(fault?.message ?? '').endsWith('gone') && finish();
`.trim();

/** These read fields and codes, look at the layout of a text, or read what other programs wrote. */
const FIELDS = `
lost.find((one) => OWN.has(one.reason) && one.during === 'check');
log.end('doctor', checks.some(isAdvice) ? 'warned' : 'passed', summary);
if (skip.reason === 'no-profiler' || LASTING.includes(skip.reason)) finish();
const first = message.split('\\n', 1)[0];
if (message.includes('\\n')) finish();
const isVersion = (text: string) => text.startsWith('V') || /^v/.test(text);
if (lost.message === fault.message) finish();
const word = WORDS[lost.reason];
`.trim();

const FILES: Readonly<Record<string, string>> = {
  'src/model/example.ts': READS,
  'web/app/example.ts': READS,
  'src/model/fields.ts': FIELDS,
  'test/model/example.ts': READS,
  'src/model/old-words.ts': READS,
};

/** The lines that the rule complains about, by file. */
const complaints = new Map<string, number[]>();

beforeAll(async () => {
  const root = await temporaryFolder();
  for (const [path, code] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), code);
  }
  const config = join(root, '.oxlintrc.json');
  const rules = { 'pawl/facts-in-fields': 'error' };
  await writeFile(config, JSON.stringify({ jsPlugins: [PLUGIN], categories: { correctness: 'off' }, rules }));
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const args = [oxlint, '--config', config, '--format', 'json', ...Object.keys(FILES)];
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, args, { cwd: root }, (_, out) => done(out));
  });
  const { diagnostics } = JSON.parse(printed) as { readonly diagnostics: readonly Finding[] };
  for (const path of Object.keys(FILES)) {
    const lines = diagnostics
      .filter(({ code, filename }) => code === RULE && filename.endsWith(path))
      .map(({ labels }) => labels[0]!.span.line);
    complaints.set(
      path,
      lines.toSorted((one, other) => one - other),
    );
  }
});

describe('the lint rule that keeps facts in fields', () => {
  it.each(['src/model/example.ts', 'web/app/example.ts'])(
    'fails where something is decided by reading a sentence in %s',
    (path) => {
      const all = READS.split('\n').flatMap((line, at) =>
        line.startsWith('const { text }') ? [] : [at + 1],
      );
      expect(complaints.get(path)).toEqual(all);
    },
  );

  it('passes fields, codes and layout', () => {
    expect(complaints.get('src/model/fields.ts')).toEqual([]);
  });

  it('leaves alone what is not the program, and the one file that reads old documents', () => {
    expect(complaints.get('test/model/example.ts')).toEqual([]);
    expect(complaints.get('src/model/old-words.ts')).toEqual([]);
  });
});
