import { spawn, type ChildProcess } from 'node:child_process';

interface Writer {
  /** Ids of runs that it was told are stored. */
  readonly acknowledged: readonly string[];
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** Resolves when it was told of so many, or has ended. */
  acknowledges(count: number): Promise<void>;
  readonly ended: Promise<number | null>;
  readonly errors: () => string;
}

export interface WriterProgram {
  start(store: string, first: number, count: number, wrapper?: readonly string[]): Writer;
}

export function writerProgram(file: string): WriterProgram {
  return {
    start: (store, first, count, wrapper = []) => {
      const [program, ...args] = [...wrapper, process.execPath, file, store, String(first), String(count)];
      return follow(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    },
  };
}

function follow(child: ChildProcess): Writer {
  const acknowledged: string[] = [];
  let rest = '';
  let errors = '';
  let isReady = () => undefined as void;
  let onAcknowledged = () => undefined as void;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === 'ready') isReady();
      const id = /^stored \d+ ([0-9a-f]{40})$/.exec(line)?.[1];
      if (id === undefined) continue;
      acknowledged.push(id);
      onAcknowledged();
    }
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      isReady();
      resolve(code);
    });
  });
  const acknowledges = (count: number) => {
    const reached = new Promise<void>((resolve) => {
      onAcknowledged = () => {
        if (acknowledged.length >= count) resolve();
      };
      onAcknowledged();
    });
    return Promise.race([reached, ended.then(() => undefined)]);
  };
  return { acknowledged, child, ready, acknowledges, ended, errors: () => errors };
}

/** Kills writers at random moments of their work, `kills` times; returns what all of them were told is stored. */
export async function killWriters(
  program: WriterProgram,
  store: string,
  {
    kills,
    random,
    perWriter = 10_000,
  }: { readonly kills: number; readonly random: () => number; readonly perWriter?: number },
): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const writer = program.start(store, kill * perWriter, perWriter);
    await writer.ready;
    // From before the first write to somewhere in the fourth, however fast the machine is.
    await writer.acknowledges(Math.floor(4 * random()));
    await new Promise((resolve) => setTimeout(resolve, 30 * random()));
    writer.child.kill('SIGKILL');
    await writer.ended;
    acknowledged.push(...writer.acknowledged);
  }
  return acknowledged;
}
