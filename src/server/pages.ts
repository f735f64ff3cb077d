import type { Hono } from 'hono';
import { etag } from 'hono/etag';

import type { AccessControl } from './access.ts';
import { bodyOf } from './http/body-of.ts';
import type { HttpContext, HttpEnv } from './http/http-app.ts';
import { HttpProblem } from './http/http-problem.ts';
import { accepts } from './http/negotiate.ts';
import { REVALIDATED, type StaticFile } from './http/static-files.ts';
import { LOGIN_STYLE, loginPage, withoutDashboard } from './login-page.tsx';

export interface PagesOptions {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly access: AccessControl;
}

const LARGEST_FORM_BYTES = 4096;

/** Everything for browsers: the dashboard's files, and signing in and out. Takes every address that is left. */
export function addPages(app: Hono<HttpEnv>, { files, access }: PagesOptions): void {
  app.options('*', () => {
    throw nothingHere();
  });
  app.use(async (c, next) => {
    c.set('route', 'page');
    await next();
  });
  // Redirections are relative: the server may stand below any path.
  app.get('/login', (c) => (access.needsSignIn ? c.html(loginPage(false)) : c.redirect('./', 303)));
  app.post('/login', async (c) => {
    const cookie = access.signIn(await tokenIn(c), c);
    if (cookie === undefined) return c.html(loginPage(true), 401);
    c.header('set-cookie', cookie);
    return c.redirect('./', 303);
  });
  app.post('/logout', (c) => {
    c.header('set-cookie', access.signOut());
    return c.redirect('login', 303);
  });
  app.get('/logout', () => {
    throw wrongMethod('POST');
  });
  app.get('/login.css', etag({ weak: true }), (c) =>
    c.body(LOGIN_STYLE, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': REVALIDATED }),
  );
  app.all('*', etag({ weak: true }), (c) => {
    const { path } = c.req;
    const isReading = c.req.method !== 'POST';
    const file = files.get(path);
    const isThere = file !== undefined || path === '/';
    if (isThere && !isReading) throw wrongMethod('GET, HEAD');
    if (!access.mayRead(c)) {
      if (isReading && path === '/' && accepts(c.req.header('accept'), 'text/html')) {
        return c.redirect('login', 303);
      }
      access.require('read', c);
    }
    if (!isThere) throw nothingHere();
    return file === undefined ? c.html(withoutDashboard()) : c.body(file.body, 200, file.headers);
  });
}

async function tokenIn(c: HttpContext): Promise<string> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new HttpProblem(415, 'The form is sent as application/x-www-form-urlencoded.');
  }
  const body = await bodyOf(c, LARGEST_FORM_BYTES, 'The form is too large.');
  return (new URLSearchParams(body.toString('utf8')).get('token') ?? '').trim();
}

function nothingHere(): HttpProblem {
  return new HttpProblem(404, 'There is nothing under this address.');
}

function wrongMethod(allow: string): HttpProblem {
  return new HttpProblem(405, `Here one may ${allow}.`, { headers: { allow: `${allow}, OPTIONS` } });
}
