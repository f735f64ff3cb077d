import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL of its own, on a port of its own, in a folder that goes when it stops. */
export interface Postgres {
  readonly folder: string;
  /** A new, empty database. */
  createDatabase(): Promise<string>;
  /** `immediate`: without finishing anything, as a power cut would. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** Where Debian, Ubuntu and others put what is not for everybody's PATH. */
async function binaries(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? await readdir(root) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const folders = [
    ...(newest === undefined ? [] : [join(root, newest, 'bin')]),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

export async function hasPostgres(): Promise<boolean> {
  return (await binaries()) !== undefined;
}

export async function startPostgres(): Promise<Postgres> {
  const bin = await binaries();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = await mkdtemp(join(tmpdir(), 'pawl-postgres-'));
  const data = join(folder, 'data');
  // It refuses to run as root; where we are root, it runs as the user that its package made.
  const root = process.getuid?.() === 0;
  if (root) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chown(folder, Number(stdout), Number(stdout));
  }
  const as = async (program: string, args: readonly string[]): Promise<void> => {
    const [file, ...rest] = root
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', join(bin, program), ...args]
      : [join(bin, program), ...args];
    // Not `execFile`: a server that stays holds the pipes open.
    const child = spawn(file, rest, { stdio: 'ignore', cwd: folder });
    const code = await new Promise((resolve, reject) => {
      child.on('exit', resolve);
      child.on('error', reject);
    });
    if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
  };
  await as('initdb', ['-D', data, '-U', 'pawl', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']);
  const port = await freePort();
  await appendFile(
    join(data, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nmax_connections = 60\nshared_buffers = 256MB\n`,
  );
  const control = (args: readonly string[]) =>
    as('pg_ctl', ['-D', data, '-w', '-t', '120', '-l', join(folder, 'log'), ...args]);
  await control(['start']);
  const address = (name: string) => `postgres://pawl@127.0.0.1:${port}/${name}`;
  let databases = 0;
  return {
    folder,
    async createDatabase() {
      const name = `pawl_${process.pid}_${++databases}`;
      await run(join(bin, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'pawl', name]);
      return address(name);
    },
    restart: (mode) => control(['restart', '-m', mode]),
    async stop() {
      await control(['stop', '-m', 'immediate']);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
