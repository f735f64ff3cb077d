/**
 * Whether code that changed is ever taken for the same: plants changes in two kernels, builds each with the flags that
 * Pawl builds with, and compares digests of their code. A digest that stays the same is looked at by other means: both
 * are built once more without line information and build ids, and then have to be the same file, byte by byte.
 *
 *     node .bench/bench/same-code.js [--cuda 250] [--cpu 850] [--harmless 40] [--journal FILE]
 *
 * With a journal, a run that was ended goes on where it was; it is for one commit and one machine.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { codeDigestOf } from '../src/build/code-digest.ts';
import { changes, harmless, type Planted } from './same-code/plant.ts';

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    cuda: { type: 'string', default: '250' },
    cpu: { type: 'string', default: '850' },
    harmless: { type: 'string', default: '40' },
    journal: { type: 'string' },
  },
});

interface Language {
  readonly name: string;
  readonly file: string;
  readonly count: number;
  readonly command: readonly string[];
  readonly lines: string;
  readonly plain: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'CUDA (nvcc, sm_90)',
    file: 'kernel.cu',
    count: Number(values.cuda),
    command: [
      'nvcc',
      '-std=c++17',
      '-O3',
      '-Xcompiler',
      '-fPIC,-fvisibility=hidden',
      '-gencode',
      'arch=compute_90,code=sm_90',
      '--shared',
    ],
    lines: '-lineinfo',
    plain: ['-Xlinker', '--build-id=none'],
  },
  {
    name: 'C++ (g++)',
    file: 'kernel.cpp',
    count: Number(values.cpu),
    command: ['g++', '-std=c++17', '-O3', '-fPIC', '-fvisibility=hidden', '-shared'],
    lines: '-g',
    plain: ['-Wl,--build-id=none'],
  },
];
const AT_ONCE = 2;
const { journal } = values;
/** Digests by what was built; absent: it did not compile. */
interface Entry {
  readonly key: string;
  readonly digest?: string | undefined;
}
const known = new Map<string, Entry>();
if (journal !== undefined && existsSync(journal)) {
  // The last line may be half a line.
  for (const line of (await readFile(journal, 'utf8')).split('\n').slice(0, -1)) {
    const entry = JSON.parse(line) as Entry;
    known.set(entry.key, entry);
  }
}
const folder = await mkdtemp(join(tmpdir(), 'pawl-same-code-'));
let built = 0;

/** The library, or nothing where the change does not compile. Always under one name, as a checkout has it. */
async function build(
  language: Language,
  source: string,
  flags: readonly string[],
): Promise<string | undefined> {
  built += 1;
  const place = join(folder, String(built));
  await mkdir(place);
  await writeFile(join(place, language.file), source);
  const [command = '', ...args] = language.command;
  const made = await run(command, [...args, ...flags, '-o', 'kernel.so', language.file], { cwd: place }).then(
    () => true,
    () => false,
  );
  return made ? join(place, 'kernel.so') : undefined;
}

async function inTurns<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

const plainHash = async (language: Language, source: string): Promise<string> => {
  const library = await build(language, source, language.plain);
  return library === undefined
    ? ''
    : createHash('sha256')
        .update(await readFile(library))
        .digest('hex');
};

const rows: string[] = [];
let falseSkips = 0;
for (const language of LANGUAGES) {
  const source = await readFile(resolve('bench/same-code', language.file), 'utf8');
  const digest = async (text: string): Promise<string | undefined> => {
    const key = createHash('sha256')
      .update(`${language.command.join(' ')}\n${text}`)
      .digest('hex');
    const before = known.get(key);
    if (before !== undefined) return before.digest;
    const library = await build(language, text, [language.lines]);
    const found = library === undefined ? undefined : await codeDigestOf(library);
    if (library !== undefined) await rm(join(library, '..'), { recursive: true });
    if (journal !== undefined)
      await appendFile(journal, `${JSON.stringify({ key, digest: found } satisfies Entry)}\n`);
    return found;
  };
  const base = await digest(source);
  const plain = await plainHash(language, source);
  const planted = changes(source, language.count);
  const digests = await inTurns(planted, ({ source: text }) => digest(text));
  const same = planted.filter((_, at) => digests[at] === base);
  const wrong: Planted[] = [];
  for (const one of same) if ((await plainHash(language, one.source)) !== plain) wrong.push(one);
  falseSkips += wrong.length;
  for (const { what } of wrong) console.log(`FALSE SKIP ${language.name}: ${what}`);
  for (const { what } of same) console.log(`the same machine code, ${language.name}: ${what}`);
  const spared = harmless(source).slice(0, Number(values.harmless));
  const kept = await inTurns(spared, ({ source: text }) => digest(text));
  const compiled = digests.filter((one) => one !== undefined).length;
  rows.push(
    `| ${language.name} | ${planted.length} | ${planted.length - compiled} | ${compiled - same.length} | ${same.length - wrong.length} | ${wrong.length} | ${kept.filter((one) => one === base).length} of ${spared.length} |`,
  );
}
await rm(folder, { recursive: true });
console.log(`
| kernel | changes planted | did not compile | measured | the same machine code, byte by byte | false skips | harmless changes not measured |
|---|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}`);
if (falseSkips > 0) process.exitCode = 1;
