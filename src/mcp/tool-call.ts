/**
 * Remedies are written as commands, for people. An assistant gets the same as a call of a tool: what a command is
 * called here, what its flags are, and what has to be filled in.
 */
import { z } from 'zod';

export const toolCallSchema = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** Arguments that the caller has to give. */
  fill: z.array(z.string()).optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** How a flag's value becomes a field's. */
type Kind = 'text' | 'texts' | 'number' | 'numbers' | 'flag' | 'percent';
type Fields = Readonly<Record<string, readonly [field: string, kind: Kind]>>;

interface Command {
  readonly tool: string;
  /** What stands without a flag. */
  readonly positional?: readonly [field: string, kind: Kind];
  readonly flags?: Fields;
  /** Fields that the tool cannot do without. */
  readonly required?: readonly string[];
}

const ONLY: Fields = { only: ['only', 'texts'], case: ['cases', 'texts'], mode: ['modes', 'texts'] };

/** Commands that gates and hints name. Those of several words stand before their first word alone. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'session start': {
    tool: 'pawl_session_start',
    required: ['goal'],
    flags: { goal: ['goal', 'text'], kernel: ['kernel', 'text'], reference: ['reference', 'text'] },
  },
  'session check': {
    tool: 'pawl_session_check',
    positional: ['gates', 'texts'],
    flags: { validate: ['validate', 'flag'] },
  },
  'session try': {
    tool: 'pawl_session_try',
    required: ['hypothesis'],
    flags: {
      hypothesis: ['hypothesis', 'text'],
      finding: ['rule', 'text'],
      idea: ['idea', 'text'],
      predict: ['predict', 'percent'],
    },
  },
  'session override': {
    tool: 'pawl_session_override',
    required: ['gate', 'reason'],
    positional: ['gate', 'text'],
    flags: { reason: ['reason', 'text'] },
  },
  'session note': { tool: 'pawl_session_note', positional: ['text', 'text'], required: ['text'] },
  'session end': { tool: 'pawl_session_end', flags: { session: ['session', 'text'] } },
  'session revert': { tool: 'pawl_session_revert' },
  'session list': { tool: 'pawl_session_list' },
  'session show': { tool: 'pawl_session_status', positional: ['session', 'text'] },
  'session status': { tool: 'pawl_session_status' },
  'ratchet verify': { tool: 'pawl_ratchet' },
  'ratchet log': { tool: 'pawl_ratchet' },
  'history prune': { tool: 'pawl_history_prune' },
  init: { tool: 'pawl_init', flags: { device: ['device', 'text'], template: ['template', 'text'] } },
  doctor: { tool: 'pawl_doctor', flags: { require: ['require', 'texts'], fix: ['', 'flag'] } },
  device: {
    tool: 'pawl_device',
    flags: {
      calibrate: ['calibrate', 'flag'],
      threads: ['threads', 'numbers'],
      only: ['only', 'text'],
      gpu: ['gpu', 'number'],
    },
  },
  preflight: {
    tool: 'pawl_preflight',
    positional: ['kernel', 'text'],
    flags: { kernel: ['kernel', 'text'], case: ['case', 'text'], reference: ['reference', 'text'] },
  },
  build: { tool: 'pawl_build', flags: { only: ['only', 'texts'] } },
  bench: { tool: 'pawl_bench', flags: ONLY },
  fuzz: {
    tool: 'pawl_fuzz',
    flags: {
      only: ['only', 'texts'],
      case: ['cases', 'texts'],
      count: ['count', 'number'],
      matrix: ['matrix', 'flag'],
    },
  },
  compare: {
    tool: 'pawl_compare',
    flags: { ...ONLY, base: ['base', 'text'], head: ['head', 'text'] },
  },
  check: { tool: 'pawl_check', flags: ONLY },
  profile: {
    tool: 'pawl_profile',
    required: ['kernel'],
    positional: ['kernel', 'text'],
    flags: { case: ['case', 'text'] },
  },
  advise: { tool: 'pawl_advise', positional: ['kernel', 'text'], flags: { case: ['case', 'text'] } },
  tune: {
    tool: 'pawl_tune',
    required: ['kernel'],
    positional: ['kernel', 'text'],
    flags: { case: ['cases', 'texts'] },
  },
  lessons: { tool: 'pawl_lessons' },
  trend: { tool: 'pawl_trend' },
  history: { tool: 'pawl_history' },
  ratchet: { tool: 'pawl_ratchet' },
};

/** There only where the server may change what others rely on. */
const NOT_ALWAYS: readonly string[] = ['pawl_session_revert', 'pawl_history_prune'];

/** A word, or what stands in quotes. */
const WORDS = /"([^"]*)"|'([^']*)'|(\S+)/gu;
/** What a person fills in: CASE, KERNEL_OR_COMMIT, "…". */
const PLACE = /^(?:[A-Z][A-Z_]+|…|what you expect, and why)$/u;

/**
 * The call that does what a command does; undefined where no tool that is offered does it.
 *
 * @param command as people type it: `pawl fuzz --only KERNEL --case small`, with or without `pawl`
 * @param offered names of tools; default: those that a server always has
 */
export function toolCall(command: string, offered?: readonly string[]): ToolCall | undefined {
  const words = [...command.matchAll(WORDS)].map(([, one, other, plain]) => one ?? other ?? plain ?? '');
  if (words[0] === 'pawl') words.shift();
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => Object.hasOwn(COMMANDS, one));
  const known = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || known === undefined) return undefined;
  const isOffered = offered === undefined ? !NOT_ALWAYS.includes(known.tool) : offered.includes(known.tool);
  if (!isOffered) return undefined;
  return withArguments(known, words.slice(name.split(' ').length));
}

function withArguments(
  { tool, positional, flags = {}, required = [] }: Command,
  words: readonly string[],
): ToolCall {
  const given: Record<string, unknown> = {};
  const fill: string[] = [];
  const rest = [...words];
  const put = ([field, kind]: readonly [string, Kind], value: string): void => {
    if (field === '') return;
    if (PLACE.test(value)) fill.push(field);
    else given[field] = valueOf(kind, value, given[field]);
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const flag = /^--([a-z-]+)$/u.exec(word)?.[1];
    const known = flag === undefined ? positional : flags[flag];
    if (known === undefined) {
      // A flag that the tool has no field for is told by the command only.
      if (flag !== undefined && rest[0]?.startsWith('--') === false) rest.shift();
      continue;
    }
    if (flag === undefined) put(known, word);
    else put(known, known[1] === 'flag' ? 'true' : (rest.shift() ?? '…'));
  }
  const missing = required.filter((field) => !Object.hasOwn(given, field));
  const open = [...new Set([...fill, ...missing])];
  return { tool, arguments: given, ...(open.length === 0 ? {} : { fill: open }) };
}

function valueOf(kind: Kind, value: string, before: unknown): unknown {
  const list = Array.isArray(before) ? (before as unknown[]) : [];
  switch (kind) {
    case 'text':
      return value;
    case 'texts':
      return [...list, value];
    case 'number':
      return Number(value);
    case 'percent':
      return Number(value.replace('%', ''));
    case 'numbers':
      return [...list, Number(value)];
    case 'flag':
      return true;
  }
}
