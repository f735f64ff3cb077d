/** A line is looked at up to here; what poses as an answer shows itself early. */
const LOOKED_AT_CHARACTERS = 64 * 1024;

/** What an answer has and what a kernel has no reason to print: a signed body, or the fields of a result. */
const MARKS: readonly (readonly RegExp[])[] = [
  [/["']mac\\?["']\s*:/, /["']body\\?["']\s*:/],
  [/["']samples_ms\\?["']\s*:/],
  [/["']tampering\\?["']\s*:/, /["']passed\\?["']\s*:/],
];

/** Watches what a process prints for lines that pose as a runner's answer. */
export class PosedAnswers {
  #line = '';
  #found: string | undefined;

  push(chunk: Buffer): void {
    if (this.#found !== undefined) return;
    const lines = (this.#line + chunk.toString('latin1')).split('\n');
    this.#line = (lines.at(-1) ?? '').slice(0, LOOKED_AT_CHARACTERS);
    this.#found = lines.find(looksLikeAnswer)?.slice(0, SHOWN_CHARACTERS);
  }

  /** The beginning of the first such line. */
  get found(): string | undefined {
    return this.#found;
  }
}

const SHOWN_CHARACTERS = 80;

function looksLikeAnswer(line: string): boolean {
  return MARKS.some((marks) => marks.every((mark) => mark.test(line)));
}
