import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ports that nobody listens on, a row of them. */
export async function freePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const first = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
  throw new Error('there are no free ports');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Installs packages where that is possible. */
export function aptInstall(...packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0) return false;
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  return install() || (apt('update') && install());
}

const VERSIONS = '/usr/lib/postgresql';

function programs(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** Why there can be no PostgreSQL here; undefined where there can. Installs it where it is missing. */
export function whyNoPostgres(): string | undefined {
  if (programs() !== undefined) return undefined;
  return aptInstall('postgresql') && programs() !== undefined
    ? undefined
    : 'PostgreSQL is not installed, and cannot be installed without root';
}

/** A real PostgreSQL in a folder and on a port of its own. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  readonly #owner: { readonly uid: number; readonly gid: number } | undefined;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'pawl-postgres-'));
    // It refuses to run as root.
    this.#owner = process.getuid?.() === 0 ? idsOf('postgres') : undefined;
    if (this.#owner !== undefined) chownSync(this.#folder, this.#owner.uid, this.#owner.gid);
  }

  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer(await freePorts(1));
    const args = ['-D', server.#data, '-A', 'trust', '-U', 'pawl', '-E', 'UTF8', '--no-locale', '--no-sync'];
    execFileSync(join(programs()!, 'initdb'), args, { stdio: 'ignore', cwd: '/', ...server.#owner });
    await server.up();
    return server;
  }

  get url(): string {
    return `postgresql://pawl@127.0.0.1:${this.#port}/postgres`;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async up(): Promise<void> {
    this.#process = spawn(
      join(programs()!, 'postgres'),
      ['-D', this.#data, '-p', String(this.#port), '-h', '127.0.0.1', '-k', this.#folder],
      { stdio: 'ignore', cwd: '/', ...this.#owner },
    );
    for (let tries = 0; tries < 600; tries++) {
      const ready = spawnSync(join(programs()!, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(this.#port)]);
      if (ready.status === 0) return;
      await sleep(100);
    }
    throw new Error('PostgreSQL did not come up within a minute');
  }

  /** `now`: connections are cut, as a restart for an upgrade does; `crash`: as a power cut would. */
  async down(how: 'now' | 'crash'): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // Its manual: SIGINT is the fast shut-down, SIGQUIT the immediate one.
    child.kill(how === 'now' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  async stop(): Promise<void> {
    await this.down('crash');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}
