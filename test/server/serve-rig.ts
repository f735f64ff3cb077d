import { mkdir } from 'node:fs/promises';
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import type { ServeEvent } from '../../src/model/server/serve-event.ts';
import { serve, type ServeOptions } from '../../src/server/serve.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

export const READ_TOKEN = 'the read token of the tests';
export const WRITE_TOKEN = 'the write token of the tests';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Unpacked. */
  readonly text: string;
  readonly wire_bytes: number;
  readonly json: unknown;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A real server on a real port, with a store and a project folder of its own. */
export class ServeRig {
  readonly folder: string;
  readonly store: string;
  readonly events: ServeEvent[] = [];
  url = '';
  port = 0;
  readonly #aborter = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  private constructor(folder: string, store: string) {
    this.folder = folder;
    this.store = store;
  }

  static async start(options: Partial<ServeOptions> = {}): Promise<ServeRig> {
    const folder = await temporaryFolder();
    const rig = new ServeRig(folder, options.store ?? join(folder, '.pawl', 'history.db'));
    await mkdir(join(folder, '.pawl'), { recursive: true });
    await new Promise<void>((resolve, reject) => {
      rig.#ended = serve({
        port: 0,
        store: rig.store,
        root: folder,
        files: join(folder, 'dashboard'),
        writeToken: WRITE_TOKEN,
        live_ms: 50,
        env: {},
        ...options,
        signal: rig.#aborter.signal,
        log: (event) => rig.events.push(event),
        onListening: ({ url, port }) => {
          rig.url = url;
          rig.port = port;
          resolve();
        },
      });
      rig.#ended.catch(reject);
    });
    return rig;
  }

  /** Over a connection of its own, with nothing added but `Host`. */
  async ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = ask(
        { host: '127.0.0.1', port: this.port, path, method, headers, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve(answerOf(response.statusCode!, response.headers, Buffer.concat(chunks))),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  upload(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask('/api/v1/runs', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${WRITE_TOKEN}`,
        ...headers,
      },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  }

  async stop(): Promise<void> {
    this.#aborter.abort();
    await this.#ended;
  }
}

function answerOf(status: number, headers: IncomingHttpHeaders, wire: Buffer): Answer {
  const encoding = headers['content-encoding'];
  const body =
    wire.length === 0
      ? wire
      : encoding === 'br'
        ? brotliDecompressSync(wire)
        : encoding === 'gzip'
          ? gunzipSync(wire)
          : wire;
  const text = body.toString('utf8');
  return {
    status,
    headers,
    text,
    wire_bytes: wire.length,
    get json(): unknown {
      return JSON.parse(text);
    },
  };
}
