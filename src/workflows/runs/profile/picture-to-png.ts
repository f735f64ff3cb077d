import { randomBytes } from 'node:crypto';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { defined } from '../../../model/defined.ts';
import { findProgram } from '../../../os/find-program.ts';
import { runCommand } from '../../../os/run-command.ts';
import { PawlError } from '../../../model/pawl-error.ts';

const BROWSERS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
/** A start on a loaded machine; the picture itself takes a second. */
const TIMEOUT_MS = 120_000;
/** Sharp on the screens that people have. */
const SCALE = 2;

interface PngOptions {
  /** PAWL_BROWSER names a browser that is not on the PATH. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** Has a browser draw an SVG as PNG. */
export async function pictureToPng(svg: string, out: string, { env, signal }: PngOptions): Promise<void> {
  const browser = await findBrowser(env);
  const size = /width="(?<width>[\d.]+)" height="(?<height>[\d.]+)"/u.exec(svg)?.groups;
  const [width, height] = [Math.ceil(Number(size?.['width'])), Math.ceil(Number(size?.['height']))];
  const folder = await mkdtemp(join(tmpdir(), 'pawl-picture-'));
  // Beside the target, so that the finished picture can be moved there in one step.
  const unfinished = join(dirname(out), `.${randomBytes(6).toString('hex')}.png`);
  try {
    const page = join(folder, 'picture.html');
    await writeFile(page, `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>${svg}`);
    const run = await runCommand(
      browser,
      [
        '--headless=new',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--hide-scrollbars',
        '--no-first-run',
        `--user-data-dir=${join(folder, 'profile')}`,
        `--force-device-scale-factor=${SCALE}`,
        `--window-size=${width},${height}`,
        `--screenshot=${unfinished}`,
        // Chromium's sandbox refuses to run for root; what it opens is our own picture, without scripts.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        pathToFileURL(page).href,
      ],
      { env, timeout_ms: TIMEOUT_MS, ...defined({ signal }) },
    );
    if (run.status === 'cancelled') throw new PawlError('try-again', 'Stopped before the image was drawn.');
    if (!(await exists(unfinished))) {
      throw new PawlError(
        'unavailable',
        `${browser} did not draw the image.`,
        'Write it as .svg, which needs no browser, or set another browser in PAWL_BROWSER.',
      );
    }
    await rename(unfinished, out);
  } finally {
    await rm(unfinished, { force: true });
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function findBrowser(env: NodeJS.ProcessEnv): Promise<string> {
  const named = env['PAWL_BROWSER'];
  for (const name of named === undefined || named === '' ? BROWSERS : [named]) {
    const found = await findProgram(name, env);
    if (found !== undefined) return found;
  }
  throw new PawlError(
    'unavailable',
    'A PNG needs a browser, and no Chromium or Chrome was found.',
    'Write it as .svg, which needs no browser; or put Chromium on the PATH, or set PAWL_BROWSER.',
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
