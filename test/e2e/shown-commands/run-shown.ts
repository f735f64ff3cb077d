import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import type { CliRun } from '../pawl-cli.ts';
import { PROJECTS, QUICK, type ProjectName } from './projects.ts';
import { INSTEAD } from './table.ts';

const BIN = resolve(import.meta.dirname, '../../../bin');

export interface Place {
  readonly home: string;
  readonly folder: string;
  readonly project: ProjectName;
  /** Who runs it, by number, where that is not who runs the tests. */
  readonly user?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Where a person would type it: nothing of this checkout's but `pawl` on the PATH, and a home of its own. */
export function environmentOf({ home, env = {} }: Place): NodeJS.ProcessEnv {
  const { PAWL_CACHE_DIR, PAWL_LOCK_NAMESPACE, PAWL_ACCEPT_LOAD } = process.env;
  return {
    HOME: home,
    PAWL_CACHE_DIR,
    PAWL_LOCK_NAMESPACE,
    PAWL_ACCEPT_LOAD,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'origin/main',
    PAWL_BASELINE_KEY: 'a key for the baselines of tests, long enough',
    PAWL_WEBHOOK_SECRET: 'a secret of the webhook, for tests',
    ...env,
    PATH: [BIN, env['PATH'] ?? process.env.PATH].join(delimiter),
  };
}

/** With what the test has in place of what only the reader of a command has. */
export function ownWords(shown: string, project: ProjectName): string {
  const { kernels, cases } =
    project in PROJECTS ? PROJECTS[project as keyof typeof PROJECTS] : { kernels: [], cases: [] };
  const names = [
    ['KERNEL', kernels[0] ?? ''],
    ['CASE', cases[0] ?? ''],
  ] as const;
  return [...INSTEAD, ...names].reduce((command, [from, to]) => command.replaceAll(from, to), shown);
}

export async function runShell(command: string, place: Place): Promise<CliRun> {
  const { folder: cwd, user } = place;
  const options = {
    cwd,
    env: environmentOf(place),
    maxBuffer: 1 << 26,
    ...(user === undefined ? {} : { uid: user, gid: user }),
  };
  return new Promise<CliRun>((done) => {
    const child = execFile('bash', ['-c', command], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** The commands that an output tells its reader to run next. */
export function hintsIn({ stdout, stderr }: CliRun): string[] {
  const lines = `${stdout}\n${stderr}`.split('\n');
  const bare = lines.flatMap((line) => {
    const [, command] =
      /(?:^\s*|→ |: )((?:cd \S+ && )?(?:pawl [a-z-]+(?= |$)|git add ).*)$/u.exec(line) ?? [];
    return command === undefined || command.includes('`') ? [] : [command.replace(/[.)]+$/u, '')];
  });
  // In a sentence, `pawl compare` alone is the command's name.
  const quoted = lines.flatMap((line) =>
    [...line.matchAll(/`(pawl [^`]*)`/gu)].flatMap(([, command = '']) =>
      /^[a-z -]+$/u.test(command) && !command.includes(' -') ? [] : [command],
    ),
  );
  return [...bare, ...quoted];
}

/** Hints of one kind differ by commits, seeds and numbers. */
export function kindOf(hint: string): string {
  return hint.replaceAll(/\b[0-9a-f]{7,40}\b|\d+(?:\.\d+)?/gu, '0');
}

/** Runs a hint in a copy of the folder, so that what follows there finds it as it was. */
export async function runInCopy(command: string, place: Place): Promise<CliRun> {
  const copy = await mkdtemp(join(tmpdir(), 'pawl-hint-'));
  try {
    await cp(place.folder, copy, { recursive: true, verbatimSymlinks: true });
    await measureLittle(copy);
    return await runShell(command.replaceAll(place.folder, copy), { ...place, folder: copy });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** In each project of a folder and of those in it: what `pawl init` and `pawl adopt` write asks for many processes and cases. */
async function measureLittle(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  for (const config of [folder, ...folders].map((one) => join(one, 'pawl.yaml'))) {
    const text = await readFile(config, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const oneCase = text.replaceAll(/^ +(?:wide|ragged):.*\n/gmu, '');
    await writeFile(config, `${oneCase.replace(/^measure:.*$/mu, '')}\n${QUICK}`);
  }
}
