import type { IncomingMessage } from 'node:http';

import type { AccessControl } from './access.ts';
import { HttpProblem } from './http/http-problem.ts';
import { accepts } from './http/negotiate.ts';
import { readBody } from './http/read-body.ts';
import type { Content } from './http/send.ts';
import { LOGIN_STYLE, loginPage, withoutDashboard } from './login-page.tsx';

export interface PagesOptions {
  readonly files: ReadonlyMap<string, Content>;
  readonly access: AccessControl;
}

interface PageRequest {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly client: string;
  readonly now: Date;
}

const LARGEST_FORM_BYTES = 4096;

/** Everything for browsers: the dashboard's files, and signing in and out. */
export class Pages {
  readonly #files: ReadonlyMap<string, Content>;
  readonly #access: AccessControl;

  constructor({ files, access }: PagesOptions) {
    this.#files = files;
    this.#access = access;
  }

  async answer({ request, path, client, now }: PageRequest): Promise<Content> {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/login' || path === '/logout') {
      if (request.method === 'POST') return this.#signing(request, path, client, now);
      if (path === '/logout' || !isReading) throw wrongMethod(path === '/login' ? 'GET, HEAD, POST' : 'POST');
      return this.#access.needsSignIn ? loginPage(false) : redirect('./');
    }
    if (path === '/login.css' && isReading) return LOGIN_STYLE;
    const file = this.#files.get(path) ?? (path === '/' ? withoutDashboard() : undefined);
    if (file !== undefined && !isReading) throw wrongMethod('GET, HEAD');
    if (!this.#access.mayRead(request, client, now)) {
      if (isReading && path === '/' && accepts(request.headers.accept, 'text/html')) return redirect('login');
      this.#access.require('read', request, client, now);
    }
    if (file === undefined) throw new HttpProblem(404, 'There is nothing under this address.');
    return file;
  }

  async #signing(request: IncomingMessage, path: string, client: string, now: Date): Promise<Content> {
    if (path === '/logout') {
      const cookie = this.#access.signOut();
      return redirect('login', cookie === undefined ? {} : { 'set-cookie': cookie });
    }
    if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
      throw new HttpProblem(415, 'The form is sent as application/x-www-form-urlencoded.');
    }
    const body = await readBody(request, LARGEST_FORM_BYTES);
    if (body === 'too-large') throw new HttpProblem(413, 'The form is too large.');
    if (body === 'cut-off') throw new HttpProblem(400, 'The form was cut off.');
    const token = new URLSearchParams(body.toString('utf8')).get('token') ?? '';
    const cookie = this.#access.signIn(token.trim(), client, now);
    return cookie === undefined ? loginPage(true) : redirect('./', { 'set-cookie': cookie });
  }
}

function wrongMethod(allow: string): HttpProblem {
  return new HttpProblem(405, `Here one may ${allow}.`, { headers: { allow: `${allow}, OPTIONS` } });
}

/** To an address of our own, relative: the server may stand below any path. */
function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Content {
  return {
    status: 303,
    type: 'text/plain; charset=utf-8',
    body: Buffer.from(''),
    headers: { location, ...headers },
  };
}
