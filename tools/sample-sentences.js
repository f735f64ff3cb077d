/**
 * Draws sentences that people read, to see how many of them a rewrite changed:
 *
 *   node tools/sample-sentences.js [--seed 27] [--count 200] [REVISION]
 *   node tools/sample-sentences.js 6cb3884 --against main
 *
 * A sentence has at least four words and stands in a string of src/ or web/app/, in docs/*.md, README.md, CHANGELOG.md
 * or action.yml. Comments, code blocks, recorded outputs and docs/results are left out. Which sentences are drawn
 * depends on the seed, their file and their line alone. It prints `file:line<TAB>sentence`; with `--against` each line
 * begins with what became of the sentence at the other revision: `same` (it is in that file), `moved` (it is in
 * another one) or `changed` (it is in none, word for word).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { argv, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';

import { parseAst } from 'rolldown/parseAst';
import { isScalar, parseDocument, visit } from 'yaml';

const PLACES = ['src', 'web/app', 'docs', 'README.md', 'CHANGELOG.md', 'action.yml'];
const READERS = [
  [/^(?:src|web\/app)\/.*\.tsx?$/u, stringsOfCode],
  [/^(?:docs\/[^/]+|README|CHANGELOG)\.md$/u, paragraphsOfMarkdown],
  [/^action\.yml$/u, descriptionsOfYaml],
];

const LEAST_WORDS = 4;
/** Of what is between spaces: the rest of a sentence may be numbers, names and options. */
const LEAST_SHARE_OF_WORDS = 0.6;
const WORD = /^[("'[*_]*\p{L}[\p{L}'’-]*[)"'\]*_.,;:!?…]*$/u;
const SENTENCE_END = /(?<=[.!?…]["')\]*]*)\s+(?=["'([*`]*[\p{Lu}`])/gu;
/** Stands for `${…}`: a sentence is the same when a variable in it has a new name. */
const HOLE = '${…}';
const NOT_PROSE = /^\s*(?:select|insert into|update|delete from|create|alter table|with \w+ as|--)\b/iu;
/** Attributes of elements that no one reads. */
const LAYOUT = new Set(['class', 'className', 'style', 'd', 'viewBox', 'points']);

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 29, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The texts of the files at a revision, by path. */
function textsAt(revision) {
  const listed = git('ls-tree', '-r', '-z', revision, '--', ...PLACES);
  const files = listed.split('\0').flatMap((line) => {
    const [facts, path] = line.split('\t');
    return path !== undefined && readerOf(path) !== undefined ? [{ path, blob: facts.split(' ')[2] }] : [];
  });
  const input = files.map(({ blob }) => `${blob}\n`).join('');
  const all = execFileSync('git', ['cat-file', '--batch'], { input, maxBuffer: 1 << 29 });
  const texts = new Map();
  let at = 0;
  for (const { path } of files) {
    const headEnd = all.indexOf('\n', at);
    const size = Number(all.subarray(at, headEnd).toString().split(' ')[2]);
    texts.set(path, all.subarray(headEnd + 1, headEnd + 1 + size).toString('utf8'));
    at = headEnd + size + 2;
  }
  return texts;
}

function readerOf(path) {
  return READERS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Pieces of text that may hold sentences, each with its place in the file. */
function stringsOfCode(text, path) {
  const pieces = [];
  const walk = (node) => {
    if (Array.isArray(node)) {
      for (const each of node) walk(each);
      return;
    }
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    if (/^(?:Import|Export)\w*Declaration$/u.test(node.type) && node.source) walk(node.declaration);
    else if (node.type === 'TSLiteralType' || node.type === 'TaggedTemplateExpression') return;
    else if (node.type === 'JSXAttribute' && LAYOUT.has(node.name.name)) return;
    else if (node.type === 'Literal' && typeof node.value === 'string')
      pieces.push({ at: node.start, text: node.value });
    else if (node.type === 'JSXText') pieces.push({ at: node.start, text: node.value, isMarkup: true });
    else {
      if (node.type === 'TemplateLiteral') {
        const quasis = node.quasis.map(({ value }) => value.cooked ?? value.raw);
        pieces.push({ at: node.start, text: quasis.join(HOLE) });
      }
      for (const value of Object.values(node)) walk(value);
    }
  };
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body);
  return pieces;
}

/** Without code blocks and comments. Lines of a paragraph belong together; cells of a table do not. */
function paragraphsOfMarkdown(text) {
  const pieces = [];
  let fence;
  let open;
  let at = 0;
  for (const line of text
    .replace(/<!--[\s\S]*?-->/gu, (hidden) => hidden.replace(/[^\n]/gu, ' '))
    .split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
    const isBreak = /^\s*$/u.test(line) || fence !== undefined || mark !== undefined;
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    if (isBreak) open = undefined;
    else if (/^\s*\|/u.test(line)) {
      open = undefined;
      let cell = at;
      for (const part of line.split('|')) {
        pieces.push({ at: cell, text: part });
        cell += part.length + 1;
      }
    } else {
      const begun = /^\s*(?:#{1,6}|[-*+]|\d+\.|>)\s+/u.exec(line)?.[0];
      if (open === undefined || begun !== undefined) {
        open = { at: at + (begun?.length ?? 0), text: line.slice(begun?.length ?? 0) };
        pieces.push(open);
        if (/^\s*#/u.test(line)) open = undefined;
      } else open.text += `\n${line}`;
    }
    at += line.length + 1;
  }
  return pieces;
}

function descriptionsOfYaml(text) {
  const pieces = [];
  visit(parseDocument(text), {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === 'description' && isScalar(value))
        pieces.push({ at: value.range[0], text: String(value.value) });
    },
  });
  return pieces;
}

/** `{ file, line, sentence }` of each, in the order of the file. */
function sentencesOf(path, text) {
  const found = [];
  for (const piece of readerOf(path)(text, path)) {
    let line = 1 + (text.slice(0, piece.at).match(/\n/gu)?.length ?? 0);
    if (NOT_PROSE.test(piece.text)) continue;
    // In code, a line of a string of several is a line of its own.
    const isWrapped = piece.isMarkup === true || path.endsWith('.md') || path.endsWith('.yml');
    for (const block of isWrapped ? [piece.text] : piece.text.split('\n')) {
      for (const part of block.split(SENTENCE_END)) {
        const before = /^\s*/u.exec(part)[0];
        const sentence = plain(part);
        if (isSentence(sentence)) found.push({ file: path, line: line + newlines(before), sentence });
        line += newlines(part);
      }
      if (!isWrapped && text.startsWith('`', piece.at)) line += 1;
    }
  }
  return found;
}

function newlines(text) {
  return text.match(/\n/gu)?.length ?? 0;
}

function plain(text) {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function isSentence(text) {
  const parts = text.split(' ');
  const words = parts.filter((part) => WORD.test(part));
  return words.length >= LEAST_WORDS && words.length >= LEAST_SHARE_OF_WORDS * parts.length;
}

/** The same seed draws the same sentences: those whose places have the smallest hashes. */
function draw(sentences, { seed, count }) {
  const seen = new Map();
  const ranked = sentences.map((one) => {
    const place = `${one.file}:${one.line}`;
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { one, rank: createHash('sha256').update(`${seed} ${place} ${nth}`).digest('hex') };
  });
  return ranked
    .toSorted((first, second) => (first.rank < second.rank ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one)
    .toSorted(byPlace);
}

function byPlace(first, second) {
  if (first.file !== second.file) return first.file < second.file ? -1 : 1;
  return first.line - second.line;
}

/** What a revision says, by file: its sentences, and its text for what is now a part of a longer one. */
class Said {
  #files = new Map();
  #anywhere = new Set();

  constructor(revision) {
    for (const [path, text] of textsAt(revision)) {
      const sentences = new Set(sentencesOf(path, text).map(({ sentence }) => sentence));
      this.#files.set(path, { sentences, text: plain(text) });
      for (const sentence of sentences) this.#anywhere.add(sentence);
    }
  }

  whatBecameOf({ file, sentence }) {
    const there = this.#files.get(file);
    if (there !== undefined && (there.sentences.has(sentence) || there.text.includes(sentence)))
      return 'same';
    return this.#anywhere.has(sentence) ? 'moved' : 'changed';
  }
}

function whole(name, text) {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  stderr.write(`--${name} must be a whole number, not "${text}".\n`);
  return exit(64);
}

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '27' },
    count: { type: 'string', default: '200' },
    against: { type: 'string' },
  },
});
const [revision = 'HEAD'] = positionals;
const all = [...textsAt(revision)].flatMap(([path, text]) => sentencesOf(path, text));
const drawn = draw(all, { seed: whole('seed', values.seed), count: whole('count', values.count) });
const lineOf = ({ file, line, sentence }) => `${file}:${line}\t${sentence}\n`;
if (values.against === undefined) {
  stdout.write(drawn.map(lineOf).join(''));
} else {
  const said = new Said(values.against);
  const counts = { same: 0, moved: 0, changed: 0 };
  for (const one of drawn) {
    const state = said.whatBecameOf(one);
    counts[state] += 1;
    stdout.write(`${state}\t${lineOf(one)}`);
  }
  stdout.write(
    `${drawn.length} of the ${all.length} sentences of ${revision}: ${counts.changed} changed by ${values.against}, ${counts.moved} moved, ${counts.same} as they were\n`,
  );
}
