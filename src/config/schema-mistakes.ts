import type { z } from 'zod';

import { didYouMean } from '../model/text/did-you-mean.ts';
import { showValue } from './mistake.ts';
import type { Mistake, Path } from './mistake.ts';

type Issue = z.core.$ZodIssue;

/** How the kinds that zod names are called in a sentence. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'null',
};

/** Everything in a value that the schema does not allow. */
export function schemaMistakes(schema: z.ZodType, value: unknown): Mistake[] {
  const parsed = schema.safeParse(value, { error: knownKeys, reportInput: true });
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => mistakesOf(issue, []));
}

/** A finished issue no longer knows its schema, so the message of an unknown key carries the known ones. */
function knownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape } = issue.inst as z.ZodObject;
  return Object.keys(shape).join(' ');
}

function mistakesOf(issue: Issue, above: Path): Mistake[] {
  const path = [...above, ...(issue.path as Path)];
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ');
    return issue.keys.map((key) => ({
      path: [...path, key],
      at: 'key',
      message: `unknown key${didYouMean(key, known) || `; known are ${known.join(', ')}`}`,
    }));
  }
  if (issue.code === 'invalid_key') {
    return issue.issues.map((inner) => ({ path, at: 'key', message: message(inner) }));
  }
  if (issue.code === 'invalid_union') {
    const [first, ...others] = issue.errors.filter((inner) => !inner.some(isOfAnotherKind));
    // Without the key that tells its kinds apart, a mapping may be another one whose keys are there.
    const meant = first?.some(hasNoKind) === true && others.find((inner) => !inner.some(lacksKey));
    const branch = meant || first;
    if (branch !== undefined) return branch.flatMap((inner) => mistakesOf(inner, path));
  }
  if (issue.input === undefined && issue.code !== 'custom') {
    return [{ path, at: 'key', message: `missing; expected ${expectation(issue)}` }];
  }
  const offset: unknown = issue.code === 'custom' ? issue.params?.['offset'] : undefined;
  return [{ path, message: message(issue), ...(typeof offset === 'number' && { offset }) }];
}

/** The branch of a union was not meant: it wants a list where a mapping stands, or the like. */
function isOfAnotherKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function hasNoKind(issue: Issue): boolean {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return false;
  return (issue.input as Readonly<Record<string, unknown>> | undefined)?.[issue.discriminator] === undefined;
}

function lacksKey(issue: Issue): boolean {
  return issue.path.length === 1 && issue.input === undefined && issue.code !== 'custom';
}

function message(issue: Issue): string {
  if (issue.input === null && issue.code !== 'custom') return `empty; expected ${expectation(issue)}`;
  const shown = showValue(issue.input);
  switch (issue.code) {
    case 'invalid_value': {
      const suggestion =
        typeof issue.input === 'string' ? didYouMean(issue.input, issue.values.map(String)) : '';
      return `${shown} is not ${expectation(issue)}${suggestion}`;
    }
    case 'invalid_type':
      return `${shown} is not ${expectation(issue)}`;
    case 'invalid_union': {
      const { discriminator, input } = issue as { discriminator?: string; input?: Record<string, unknown> };
      if (discriminator === undefined) return `${shown} is not ${expectation(issue)}`;
      const value = input?.[discriminator];
      return value === undefined
        ? `missing; expected ${expectation(issue)}`
        : `${showValue(value)} is not ${expectation(issue)}`;
    }
    case 'invalid_format':
      return `${shown} is not ${issue.message}`;
    case 'too_small':
      if (issue.origin === 'array') return 'the list is empty';
      if (issue.origin === 'string') return 'the text is empty';
      return `${shown} is too small; expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `${shown} is too large; expected at most ${issue.maximum}`;
    case 'custom':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
      break;
  }
  return issue.message;
}

/** What the schema wanted, as the end of a sentence. */
function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') {
    return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
  }
  if (issue.code === 'invalid_union') {
    const wanted = issue.errors.flatMap((branch) => branch.filter(isOfAnotherKind)).map(expectation);
    return wanted.length === 0 ? discriminatorValues(issue) : [...new Set(wanted)].join(' or ');
  }
  return 'a value';
}

function discriminatorValues(issue: z.core.$ZodIssueInvalidUnion): string {
  const options: unknown = 'options' in issue ? issue.options : undefined;
  return Array.isArray(options) ? `one of ${options.join(', ')}` : 'one of the kinds there are';
}
