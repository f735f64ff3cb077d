import type { VNode } from 'preact';

import { markup } from '../report/markup.tsx';

/** The form that a browser tells the read token with. Nothing of the request is in it. */
export function loginPage(isWrong: boolean): string {
  return page(
    <form method="post" action="login">
      <label for="token">Read token</label>
      <input
        id="token"
        name="token"
        type="password"
        autocomplete="current-password"
        required
        autofocus
        aria-describedby="where"
      />
      <p id="where">
        It is in the file or the variable that <code>pawl serve</code> was started with.
      </p>
      {isWrong && <p role="alert">That is not the read token of this server.</p>}
      <button>Sign in</button>
    </form>,
  );
}

/** Where there is no dashboard to serve. */
export function withoutDashboard(): string {
  return page(
    <>
      <p>
        The dashboard is not built here: <code>make build</code> builds it.
      </p>
      <p>
        The API answers: <a href="api/v1/overview">overview</a>, <a href="api/v1/runs">runs</a>,{' '}
        <a href="api/v1/openapi.json">its description</a>.
      </p>
    </>,
  );
}

export const LOGIN_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; }
main { width: min(24rem, 90vw); }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
input, button { padding: 0.5rem; margin: 0.25rem 0 1rem; }
[role='alert'] { font-weight: 600; }
`;

function page(contents: VNode): string {
  const html = markup(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pawl</title>
        <link rel="stylesheet" href="login.css" />
      </head>
      <body>
        <main>
          <h1>Pawl</h1>
          {contents}
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>\n${html}`;
}
