import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { askServer, greetServer, isFree } from './shown-commands/ask-server.ts';
import { makeHome, makeProject } from './shown-commands/projects.ts';
import { ownWords, type Place } from './shown-commands/run-shown.ts';
import { ASSISTANTS, SERVERS } from './shown-commands/table.ts';

/** Where servers listen that are not told otherwise. */
const PORTS = { serve: 7557, mcp: 7558 };

let place: Place;
let opened: string;

beforeAll(async () => {
  const home = await makeHome();
  opened = join(home, 'opened');
  // A browser that writes down what it is shown.
  const browser = join(home, 'bin/xdg-open');
  await mkdir(join(home, 'bin'));
  await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`);
  await chmod(browser, 0o755);
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}` };
  place = { home, env, project: 'cpu', folder: await makeProject('cpu', home) };
});

describe('servers that are shown', () => {
  it.for(SERVERS)('$shown answers, and stops when it is told to', async ({ shown, ...page }, { skip }) => {
    for (const [name, port] of Object.entries(PORTS)) {
      if (shown.includes(`pawl ${name} `) && !shown.includes('--port') && !(await isFree(port))) {
        skip(`port ${port} is in use here`);
      }
    }
    const { status, code, text } = await askServer(ownWords(shown, 'cpu'), page.page, place);
    expect({ status, code }, text).toEqual({ status: page.status, code: 0 });
    if (shown.includes('--open')) {
      await expect.poll(() => readFile(opened, 'utf8')).toContain(`:${PORTS.serve}`);
    }
  });

  it.each(ASSISTANTS)('%s greets an assistant, and ends when it hangs up', async (shown) => {
    const { code, text } = await greetServer(ownWords(shown, 'cpu'), place);
    expect(code, text).toBe(0);
  });
});
