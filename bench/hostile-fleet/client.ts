import { request } from 'node:http';

import type { SubmissionAnswer } from '../../src/model/queue/queue.ts';

export interface Reply {
  readonly status: number;
  readonly body: SubmissionAnswer | undefined;
}

/** A tenant's program: one address of the loopback each, so that the server's limits of one client are its own. */
export class Client {
  readonly #asked: { readonly port: number; readonly localAddress: string; readonly token: string };

  constructor(port: number, localAddress: string, token: string) {
    this.#asked = { port, localAddress, token };
  }

  submit(body: object): Promise<Reply> {
    return this.#send('POST', '/api/judge?wait_s=0', JSON.stringify(body));
  }

  find(id: string): Promise<Reply> {
    return this.#send('GET', `/api/judge/${id}?wait_s=20`);
  }

  #send(method: 'GET' | 'POST', path: string, text?: string): Promise<Reply> {
    const { port, localAddress, token } = this.#asked;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, localAddress }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const isAnswer = status === 200 || status === 202;
          const told = Buffer.concat(chunks).toString();
          resolve({ status, body: isAnswer ? (JSON.parse(told) as SubmissionAnswer) : undefined });
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }
}
