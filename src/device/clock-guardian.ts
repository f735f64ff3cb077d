/**
 * The process that locks a GPU's clocks and undoes it. It is a shell of its own session that does everything
 * in order: write the journal, lock, tell the outcome, wait until its stdin ends, reset, remove the journal.
 * Its stdin is a pipe whose other end only the orchestrator holds, so that every way in which the
 * orchestrator can end (return, exception, signal, `kill -9`) reads as the end of input, with no handler that
 * could fail to run. It ignores the signals of Ctrl-C and of closed terminals, which are not meant for it.
 * Locking happens in the same process as resetting: a reset can then not overtake a lock still under way.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Socket } from 'node:net';

/** In its command line, so that a process number that was given to somebody else is not taken for it. */
export const GUARDIAN_NAME = 'pawl-clock-guardian';

/**
 * $1 UUID · $2 MHz · $3 journal file · $4 the journal's JSON up to the guardian's process number.
 * nvidia-smi ends with 0 also where a card cannot lock clocks ("not supported … treating as warning"), so the
 * words decide as well. After a refusal nothing is reset: the card's clocks are as somebody else set them.
 */
const SCRIPT = `
trap '' INT TERM HUP QUIT PIPE
printf '%s%s}\\n' "$4" "$$" >"$3.$$" && mv -f "$3.$$" "$3" || {
  rm -f "$3.$$"
  echo 'refused the journal cannot be written'
  exit 0
}
text=$(nvidia-smi -i "$1" -lgc "$2,$2" 2>&1 </dev/null)
case "$?:$text" in
  0:*'not supported'* | 0:*ermission* | 0:*'Treating as warning'*) verdict=refused ;;
  0:*) verdict=locked ;;
  *) verdict=refused ;;
esac
[ "$verdict" = locked ] || rm -f "$3"
printf '%s %s\\n' "$verdict" "$(printf '%s' "$text" | tr '\\n' ' ')"
[ "$verdict" = locked ] || exit 0
cat >/dev/null
text=$(nvidia-smi -i "$1" -rgc 2>&1 </dev/null) && { rm -f "$3"; exit 0; }
printf '%s\\n' "$text"
exit 1
`;

type Guardian = ChildProcessByStdio<Writable, Readable, null>;

export interface GuardianTask {
  readonly uuid: string;
  readonly mhz: number;
  readonly journalPath: string;
  /** The journal's JSON, open at its end for `<guardian's process number>}`. */
  readonly journalHead: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeout_ms: number;
}

export type LockOutcome =
  | { readonly status: 'locked'; undo(): Promise<UndoOutcome> }
  | { readonly status: 'refused'; readonly reason: string };
type UndoOutcome = { readonly status: 'undone' } | { readonly status: 'failed'; readonly reason: string };

export async function lockClocks(task: GuardianTask): Promise<LockOutcome> {
  const guardian = spawn(
    '/bin/sh',
    ['-c', SCRIPT, GUARDIAN_NAME, task.uuid, String(task.mhz), task.journalPath, task.journalHead],
    // At the root, so that it keeps no file system busy; the journal's path is absolute.
    { cwd: '/', env: { ...task.env, LC_ALL: 'C' }, detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  guardian.stdin.on('error', () => {});
  const lines = outputOf(guardian);
  const first = await lines.firstLine(task.timeout_ms);
  // From here on it must not keep the orchestrator alive: the orchestrator's end is what it waits for.
  unref(guardian);
  if (first?.startsWith('locked '))
    return { status: 'locked', undo: () => undo(guardian, lines, task.timeout_ms) };
  guardian.stdin.end();
  // Where nvidia-smi hangs in the driver, the guardian resets what it may still come to lock once it returns.
  const reason = first === undefined ? 'nvidia-smi did not answer in time' : first.replace(/^refused /, '');
  return { status: 'refused', reason: reason.trim() || 'nvidia-smi gave no reason' };
}

async function undo(guardian: Guardian, lines: GuardianOutput, timeout_ms: number): Promise<UndoOutcome> {
  guardian.ref();
  guardian.stdin.end();
  const code = await lines.exitCode(timeout_ms);
  if (code === 0) return { status: 'undone' };
  unref(guardian);
  if (code === undefined) return { status: 'failed', reason: 'nvidia-smi did not answer in time' };
  const said = lines.rest().trim();
  return { status: 'failed', reason: said || `the guardian ended with ${String(code)}` };
}

/** Its pipes are sockets of the event loop too. */
function unref(guardian: Guardian): void {
  guardian.unref();
  for (const stream of [guardian.stdin, guardian.stdout]) if (stream instanceof Socket) stream.unref();
}

interface GuardianOutput {
  firstLine(timeout_ms: number): Promise<string | undefined>;
  /** The exit code, the signal that ended it, or undefined when it still runs. */
  exitCode(timeout_ms: number): Promise<number | NodeJS.Signals | undefined>;
  rest(): string;
}

function outputOf(guardian: Guardian): GuardianOutput {
  let text = '';
  guardian.stdout.setEncoding('utf8');
  const line = new Promise<string | undefined>((resolve) => {
    guardian.stdout.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    guardian.once('error', (error) => resolve(`refused ${error.message}`));
    guardian.once('close', () => resolve(text === '' ? 'refused the guardian ended early' : text));
  });
  const end = new Promise<number | NodeJS.Signals>((resolve) => {
    guardian.once('exit', (code, signal) => resolve(code ?? signal ?? 0));
  });
  return {
    firstLine: (timeout_ms) => within(line, timeout_ms),
    exitCode: (timeout_ms) => within(end, timeout_ms),
    rest: () => text.slice(text.indexOf('\n') + 1),
  };
}

async function within<T>(promise: Promise<T>, timeout_ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeout_ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
