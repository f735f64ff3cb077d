/** What a reader does on a page of the dashboard. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Chromium, Tab, TabView } from './chromium.ts';

/** Nothing is loading any more, and the page has its heading. */
const IS_READY =
  'document.querySelector("h1, [role=alert]") !== null && document.querySelector(".loading") === null';

export class DashboardTab {
  readonly tab: Tab;

  private constructor(tab: Tab) {
    this.tab = tab;
  }

  static async open(browser: Chromium, url: string, view?: TabView): Promise<DashboardTab> {
    const opened = new DashboardTab(await browser.open(url, view));
    await opened.until(IS_READY);
    return opened;
  }

  /** Patient, since a loaded machine is slow. */
  async until(expression: string): Promise<void> {
    for (let waited = 0; waited < 300; waited++) {
      if (await this.tab.evaluate<boolean>(`Boolean(${expression})`)) return;
      await sleep(100);
    }
    const text = await this.tab.evaluate<string>('document.body.innerText.slice(0, 600)');
    throw new Error(`never came true: ${expression}\non the page: ${text}`);
  }

  ready(): Promise<void> {
    return this.until(IS_READY);
  }

  text(selector: string): Promise<string> {
    return this.tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  }

  /** Of a part of a picture, whose elements have no `innerText`. */
  drawn(selector: string): Promise<string> {
    return this.tab.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(`${selector} text`)})].map(({ textContent }) => textContent).join(' ')`,
    );
  }

  count(selector: string): Promise<number> {
    return this.tab.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  }

  hash(): Promise<string> {
    return this.tab.evaluate('location.hash');
  }

  click(selector: string): Promise<void> {
    return this.tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  /** A key as the keyboard sends it. */
  async press(key: string): Promise<void> {
    // Dialogs close, and links open, only by keys that have their old number too.
    const codes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27 };
    const code = codes[key] === undefined ? {} : { windowsVirtualKeyCode: codes[key] };
    const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
    for (const type of ['keyDown', 'keyUp'])
      await this.tab.send('Input.dispatchKeyEvent', {
        type,
        key,
        ...code,
        ...(type === 'keyDown' ? text : {}),
      });
  }

  async type(text: string): Promise<void> {
    await this.tab.send('Input.insertText', { text });
  }

  /** A press of the mouse at a share of an element's width and height. */
  async point(selector: string, right: number, down: number): Promise<void> {
    const [x, y] = await this.tab.evaluate<[number, number]>(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return [box.x + box.width * ${right}, box.y + box.height * ${down}];
    })()`);
    const mouse = (type: string, more: object = {}) =>
      this.tab.send('Input.dispatchMouseEvent', { type, x, y, ...more });
    await mouse('mouseMoved');
    await mouse('mousePressed', { button: 'left', clickCount: 1 });
    await mouse('mouseReleased', { button: 'left', clickCount: 1 });
  }

  async close(): Promise<void> {
    await this.tab.send('Page.close');
  }
}
