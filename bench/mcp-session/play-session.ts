/**
 * An assistant without a model: it works on the example of `pawl_init` as the answers of the server tell it to, and
 * edits the kernel as an assistant would. It looks at nothing but answers, and runs nothing itself.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Answered {
  readonly isError: boolean;
  /** What stands first in the answer. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export type CallTool = (tool: string, given: Readonly<Record<string, unknown>>) => Promise<Answered>;

/** What was done, in order: a call with its answer, an edit, or a word on why. */
export type Step =
  | { readonly kind: 'call'; readonly tool: string; readonly given: object; readonly answered: Answered }
  | { readonly kind: 'edit'; readonly file: string; readonly why: string }
  | { readonly kind: 'word'; readonly text: string };

interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const KERNEL = 'kernels/softmax/softmax.cpp';
const GOAL = '1.5x on small';

/** Two to the power of x by a polynomial: no call, no branch, so that the compiler can vectorise it. */
const FAST_EXP = `// e to the power of x for x <= 0, with a relative error of about 5e-6: 2^n times a polynomial of the rest.
// Below 2^-126 it stays there. That limit is taken of the bits, because a comparison of floats may trap and is a branch.
inline float fast_exp(float x) {
  const float t = x * 1.44269504f;
  uint32_t bits;
  std::memcpy(&bits, &t, sizeof bits);
  bits = std::min<uint32_t>(bits, 0xC2FC0000u);
  float limited;
  std::memcpy(&limited, &bits, sizeof limited);
  const float shifted = limited + 12582912.0f;
  const float f = limited - (shifted - 12582912.0f);
  float p = 1.3333558e-3f;
  p = p * f + 9.6181291e-3f;
  p = p * f + 5.5504109e-2f;
  p = p * f + 2.4022651e-1f;
  p = p * f + 6.9314718e-1f;
  p = p * f + 1.0f;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits << 23) + (127u << 23);
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return p * scale;
}

`;

/** @param more what measuring calls are given besides: fewer processes, a longer wait */
export async function playSession(
  folder: string,
  callTool: CallTool,
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const call = async (tool: string, given: Readonly<Record<string, unknown>> = {}): Promise<Answered> => {
    const answered = await callTool(tool, given);
    steps.push({ kind: 'call', tool, given, answered });
    return answered;
  };
  const say = (text: string): void => void steps.push({ kind: 'word', text });
  const edit = async (why: string, change: (source: string) => string): Promise<void> => {
    const file = join(folder, KERNEL);
    const before = await readFile(file, 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`nothing to edit: ${why}`);
    await writeFile(file, after);
    steps.push({ kind: 'edit', file: KERNEL, why });
  };

  say('The folder is empty. The first call fails, and says which call mends that.');
  const refused = await call('pawl_session_start', { goal: GOAL });
  const mend = failureOf(refused).call;
  if (mend === undefined) throw new Error(`no call in ${refused.text}`);
  await call(mend.tool, { ...mend.arguments, template: 'cpu' });
  await call('pawl_doctor');
  await call('pawl_session_start', { goal: GOAL });

  say('The gates, each by a measurement, until one stops; then what it asks for.');
  await passGates(call, more);

  say(
    'A change by guess, which forgets what is left over at the end of a row: only the case `ragged` has such.',
  );
  const original = await readFile(join(folder, KERNEL), 'utf8');
  await edit('multiply by the reciprocal instead of dividing, sixteen columns at a time', (source) =>
    source.replace(
      '  for (int64_t col = 0; col < cols; col++) y[col] = std::exp(x[col] - shift) / sum;',
      '  const float scale = 1 / sum;\n  for (int64_t col = 0; col + 16 <= cols; col += 16)\n    for (int64_t at = col; at < col + 16; at++) y[at] = std::exp(x[at] - shift) * scale;',
    ),
  );
  await call('pawl_session_try', { hypothesis: 'A multiplication is cheaper than a division.', ...more });

  say('It is wrong, and was not kept. The files are put back, and the first finding is followed instead.');
  await writeFile(join(folder, KERNEL), original);
  steps.push({ kind: 'edit', file: KERNEL, why: 'as it was' });
  await call('pawl_advise', { kernel: 'softmax-cpu' });
  await edit('an exponential that the compiler can vectorise, in place of the library’s', withFastExp);
  await call('pawl_session_try', {
    hypothesis: 'A polynomial for the exponential is vectorised; calls of expf are not.',
    rule: 'math-calls',
    ...more,
  });
  await passGates(call, more);
  await call('pawl_session_end', { summary: 'The calls of expf were what limited.', wait_s: 600 });
  return steps;
}

function withFastExp(source: string): string {
  return source
    .replace('#include <cmath>\n', '#include <cmath>\n#include <cstdint>\n#include <cstring>\n')
    .replace('float largest_of(', `${FAST_EXP}float largest_of(`)
    .replaceAll('std::exp(x[', 'fast_exp(x[');
}

/** More stops than there are gates would be a loop. */
const MOST_STOPS = 12;

/** Evaluates gates, does what one asks for that stops, and goes on past it where that does not help. */
async function passGates(
  call: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<Answered>,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  const asked = new Set<string>();
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const { value } = await call('pawl_session_check', more);
    if (value['state'] !== 'stopped') return;
    const next = value['next'] as ToolCall;
    const wanted = JSON.stringify(next);
    if (!asked.has(wanted)) {
      asked.add(wanted);
      // The user was asked, and agrees: other work runs on this machine at all times.
      const agreed = next.tool === 'pawl_device' ? { accept_load: true, wait_s: 600 } : {};
      await call(next.tool, { ...next.arguments, ...agreed });
      continue;
    }
    const gates = (value['gates'] as { shown: { items: { gate: string; state: string }[] } }).shown.items;
    const stopping = gates.find(({ state }) => state === 'failed' || state === 'unknown');
    const reason = 'The user agrees: what it asks for was done and did not settle it on this busy machine.';
    await call('pawl_session_override', { gate: stopping?.gate, reason });
  }
  throw new Error('the gates never let the session go on');
}

function failureOf({ text }: Answered): { readonly call?: ToolCall } {
  return (JSON.parse(text) as { error: { call?: ToolCall } }).error;
}
