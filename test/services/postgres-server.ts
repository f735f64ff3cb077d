import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { aptInstall } from './apt-install.ts';
import { freePorts } from './free-ports.ts';

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
  #databases = 0;

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
    return this.#address('postgres');
  }

  #address(database: string): string {
    return `postgresql://pawl@127.0.0.1:${this.#port}/${database}`;
  }

  /** The address of a new, empty database. */
  async createDatabase(): Promise<string> {
    const name = `pawl_${process.pid}_${++this.#databases}`;
    const client = new Client(this.url);
    await client.connect();
    try {
      await client.query(`create database ${name}`);
    } finally {
      await client.end();
    }
    return this.#address(name);
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

  async restart(how: 'now' | 'crash'): Promise<void> {
    await this.down(how);
    await this.up();
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
