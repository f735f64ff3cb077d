/**
 * Lint rule: nothing decides by reading a sentence. A verdict, a colour, an exit code or the next command hangs on a
 * field of the model, and the sentence is rendered from the same field. So in src/ and web/ no string test is made on
 * what is named like a sentence: `message.startsWith('…')`, `/…/.test(summary)`, `note === 'some words'`, `TABLE[title]`.
 * Names are all that a rule sees: a sentence under another name passes it, and is a mistake all the same.
 */

/** Fields of the model that hold sentences, and variables that are named after them. */
const SENTENCES = new Set([
  'cause',
  'detail',
  'hint',
  'matched',
  'message',
  'next',
  'note',
  'notes',
  'reason',
  'remedy',
  'sentence',
  'summary',
  'title',
  'warning',
  'warnings',
  'why',
]);
/** A sentence where it is a field (`note.text`, `({ text }) => …`); a variable of this name is mostly some tool's output. */
const SENTENCES_AS_FIELDS = new Set(['text']);
/** In some places these are codes (`reason: 'build-failed'`), and codes may be looked up. */
const ALSO_CODES = new Set(['reason', 'next']);

/** Functions whose names end so make sentences. */
const MAKES_SENTENCES = /(?:Message|Sentence|Summary|Text)$/;

const TESTS_OF_STRING = new Set([
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
  'startsWith',
]);
const TESTS_OF_PATTERN = new Set(['exec', 'test']);
/** What hands a string on: `message.trim().startsWith('…')`. */
const HANDS_ON = new Set([
  'at',
  'replace',
  'replaceAll',
  'slice',
  'toLowerCase',
  'toUpperCase',
  'trim',
  'trimEnd',
]);

/** Files that may, and why: one reads Pawl's own old sentences, the others read what other programs and people wrote. */
const ALLOWED = {
  'src/model/old-words.ts': 'fills in fields that documents of earlier versions have only in words',
  'src/adapters/csv-table.ts': "other tools' tables",
  'src/adapters/readers/nsys.ts': "a report of Nsight Systems'",
  'src/adapters/readers/triton.ts': "a file of Triton's",
  'src/adapters/readers/tritonbench.ts': "a file of tritonbench's",
  'src/build/compiler-message.ts': "compilers' messages",
  'src/ci/draft-pull-request.ts': "GitHub's message",
  'src/ci/github/retry.ts': "GitHub's message",
  'src/correctness/sanitizer-cpu-log.ts': "the sanitizers' messages",
  'src/correctness/sanitizer-tamper.ts': "the sanitizer's message",
  'src/os/postgres.ts': "the PostgreSQL client's message",
  'src/learn/session/source-parts.ts': "lines of a kernel's sources",
  'src/model/json-fault.ts': "V8's message",
  'src/profile/ncu/ncu-profile.ts': "ncu's output",
};

function nameOf(node) {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'MemberExpression') {
    if (!node.computed) return nameOf(node.property);
    return node.property.type === 'Literal' ? String(node.property.value) : undefined;
  }
  return undefined;
}

/** The expression that a string comes from. */
function sourceOf(node) {
  switch (node?.type) {
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return sourceOf(node.expression);
    case 'LogicalExpression':
      return sourceOf(node.left);
    case 'CallExpression':
      return node.callee.type === 'MemberExpression' && HANDS_ON.has(nameOf(node.callee) ?? '')
        ? sourceOf(node.callee.object)
        : node;
    default:
      return node;
  }
}

/** Whether the pattern that binds `name` takes it out of an object; undefined where it does not bind it. */
function bindsAsField(pattern, name, isInObject = false) {
  switch (pattern?.type) {
    case 'Identifier':
      return pattern.name === name ? isInObject : undefined;
    case 'AssignmentPattern':
      return bindsAsField(pattern.left, name, isInObject);
    case 'RestElement':
      return bindsAsField(pattern.argument, name);
    case 'ArrayPattern':
      return firstKnown(pattern.elements, (each) => bindsAsField(each, name));
    case 'ObjectPattern':
      return firstKnown(pattern.properties, (each) =>
        each.type === 'Property' ? bindsAsField(each.value, name, nameOf(each.key) === name) : undefined,
      );
    default:
      return undefined;
  }
}

function firstKnown(items, look) {
  for (const item of items) {
    const found = item === null ? undefined : look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a variable was taken out of an object where it is bound nearest. */
function isField({ name }, from) {
  for (let node = from; node; node = node.parent) {
    const declarations = [node.left, node.init, ...(Array.isArray(node.body) ? node.body : [])].filter(
      (each) => each?.type === 'VariableDeclaration',
    );
    const patterns = [
      ...(node.params ?? []),
      ...declarations.flatMap((each) => each.declarations.map(({ id }) => id)),
    ];
    const found = firstKnown(patterns, (pattern) => bindsAsField(pattern, name));
    if (found !== undefined) return found;
  }
  return false;
}

function isSentence(node) {
  const source = sourceOf(node);
  if (source?.type === 'CallExpression') return MAKES_SENTENCES.test(nameOf(source.callee) ?? '');
  const name = nameOf(source);
  if (name === undefined) return false;
  if (SENTENCES.has(name)) return true;
  return SENTENCES_AS_FIELDS.has(name) && (source.type === 'MemberExpression' || isField(source, source));
}

/** Line breaks and signs are layout, not words. */
function isLayout(node) {
  return node?.type === 'Literal' && typeof node.value === 'string' && !/\p{L}/u.test(node.value);
}

/** More than one word: a code has no spaces. */
function isWords(node) {
  return node.type === 'Literal' && typeof node.value === 'string' && /\S \S/.test(node.value);
}

export const factsInFields = {
  create(context) {
    const file = context.filename.replaceAll('\\', '/');
    const path = /(?:^|\/)((?:src|web\/app)\/.*)$/.exec(file)?.[1];
    if (path === undefined || Object.hasOwn(ALLOWED, path)) return {};
    const report = (node) =>
      context.report({
        node,
        message:
          'This decides by reading a sentence. Put the fact into a field, and render the sentence from it (tools/facts-in-fields.js).',
      });
    return {
      CallExpression(node) {
        const { callee, arguments: given } = node;
        if (callee.type !== 'MemberExpression') return;
        const method = nameOf(callee) ?? '';
        if (TESTS_OF_STRING.has(method) && !isLayout(given[0]) && isSentence(callee.object)) report(node);
        else if (TESTS_OF_PATTERN.has(method) && isSentence(given[0])) report(node);
      },
      BinaryExpression(node) {
        if (!/^[!=]==?$/.test(node.operator)) return;
        const { left, right } = node;
        if ((isWords(right) && isSentence(left)) || (isWords(left) && isSentence(right))) report(node);
      },
      SwitchStatement(node) {
        if (isSentence(node.discriminant) && node.cases.some(({ test }) => test && isWords(test)))
          report(node);
      },
      MemberExpression(node) {
        if (!node.computed || ALSO_CODES.has(nameOf(sourceOf(node.property)) ?? '')) return;
        if (node.property.type !== 'Literal' && isSentence(node.property)) report(node);
      },
    };
  },
};
