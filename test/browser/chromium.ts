/**
 * A real browser for tests, over its debugging pipe: no package stands between. Chromium is used where it is
 * installed, else Debian's is installed where we may do that; where neither works, tests are told so.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';

import { onTestFinished } from 'vitest';

import { aptInstall } from '../services/apt-install.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser's path, or undefined where none is and none can be installed. */
export function findChromium(): string | undefined {
  const named = process.env['PAWL_BROWSER'];
  const found = () =>
    [...(named === undefined ? [] : [named]), ...NAMES]
      .map((name) => spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).stdout.trim())
      .find((path) => path !== '');
  const installed = found();
  if (installed !== undefined) return installed;
  aptInstall('chromium', 'fonts-dejavu-core');
  return found();
}

/** A browser that does not answer is hung: a test fails then, and is not waited for until its own end. */
const PATIENCE_MS = 60_000;

type Json = Record<string, unknown>;
interface Answer {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly message: string };
}

/** One browser process; its profile is thrown away. */
export class Chromium {
  readonly #child: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'pawl-chromium-'));
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #listeners = new Set<(answer: Answer) => void>();
  readonly #exited: Promise<void>;
  #next = 1;
  #unread = '';

  constructor(path: string) {
    this.#child = spawn(
      path,
      [
        '--headless=new',
        '--remote-debugging-pipe',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--hide-scrollbars',
        // A process for each tab takes longer to start than most tabs are open.
        '--renderer-process-limit=1',
        `--user-data-dir=${this.#folder}`,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
    const output = this.#child.stdio[4] as Readable;
    output.setEncoding('utf8');
    output.on('data', (chunk: string) => this.#read(chunk));
  }

  #read(chunk: string): void {
    const messages = (this.#unread + chunk).split('\0');
    this.#unread = messages.pop() ?? '';
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer;
      if (answer.id === undefined) for (const listener of this.#listeners) listener(answer);
      else this.#waiting.get(answer.id)?.(answer);
    }
  }

  async send(method: string, params: Json = {}, sessionId?: string): Promise<Json> {
    const id = this.#next++;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    const request = JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) });
    (this.#child.stdio[3] as Writable).write(`${request}\0`);
    const gone = this.#exited.then((): Answer => ({ error: { message: 'the browser has ended' } }));
    const { result, error } = await withinPatience(Promise.race([answered, gone]), method).finally(() =>
      this.#waiting.delete(id),
    );
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /**
   * A tab at a given size that shows a page in a given scheme, and what it complained about. It is closed with its
   * test, also where that fails: a browser has six connections to a server, each page of the dashboard keeps one open
   * for news, and pages that nobody closed let no other load.
   */
  async open(url: string, view: TabView = {}): Promise<Tab> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(this, sessionId as string);
    const heard = (answer: Answer): void => {
      if (answer.sessionId === sessionId) tab.hear(answer.method ?? '', answer.params ?? {});
    };
    this.#listeners.add(heard);
    closeWithTest(async () => {
      this.#listeners.delete(heard);
      await this.send('Target.closeTarget', { targetId });
    });
    await tab.show(url, view);
    return tab;
  }

  async close(): Promise<void> {
    await this.send('Browser.close').catch(() => undefined);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await this.#exited;
    clearTimeout(timer);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Outside of tests, tabs are closed with their browser. */
function closeWithTest(close: () => Promise<unknown>): void {
  try {
    // It may have been closed by the test, or gone with the browser.
    onTestFinished(() => close().then(undefined, () => undefined));
  } catch {
    // There is no test now.
  }
}

async function withinPatience<Result>(promise: Promise<Result>, what: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing for ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface TabView {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** As on paper; a PDF is that anyway. */
  readonly media?: 'print';
}

export class Tab {
  readonly #browser: Chromium;
  readonly #session: string;
  readonly #loaded: Promise<void>;
  /** Errors and warnings of the console, uncaught exceptions, and everything that the page tried to fetch. */
  readonly complaints: string[] = [];
  readonly fetched: string[] = [];
  #onLoaded: () => void = () => undefined;

  constructor(browser: Chromium, session: string) {
    this.#browser = browser;
    this.#session = session;
    this.#loaded = new Promise((resolve) => {
      this.#onLoaded = resolve;
    });
  }

  hear(method: string, params: Json): void {
    if (method === 'Page.loadEventFired') this.#onLoaded();
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(JSON.stringify(params['exceptionDetails']));
    if (method === 'Log.entryAdded') this.complaints.push(JSON.stringify(params['entry']));
    if (method === 'Runtime.consoleAPICalled') this.complaints.push(JSON.stringify(params['args']));
    if (method === 'Network.requestWillBeSent') this.fetched.push((params['request'] as { url: string }).url);
  }

  send(method: string, params: Json = {}): Promise<Json> {
    return this.#browser.send(method, params, this.#session);
  }

  async show(url: string, view: TabView): Promise<void> {
    const { width = 1100, height = 900, scheme = 'light', media = '' } = view;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`);
    await this.resize(width, height);
    await this.send('Emulation.setEmulatedMedia', {
      media,
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
    await this.send('Page.navigate', { url });
    await withinPatience(this.#loaded, `loading ${url}`);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 500,
    });
  }

  /** The value of an expression in the page. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const answer = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']));
    return (answer['result'] as { value: Value }).value;
  }

  /** The whole page as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', {
      captureBeyondViewport: true,
      format: 'png',
    });
    return Buffer.from(data as string, 'base64');
  }

  async pdf(): Promise<Buffer> {
    const { data } = await this.send('Page.printToPDF', {
      preferCSSPageSize: true,
      printBackground: false,
      generateTaggedPDF: true,
    });
    return Buffer.from(data as string, 'base64');
  }
}
