/**
 * Text that Pawl did not write (names from profiles and imports, what compilers and kernels printed, notes, lessons,
 * commit subjects) reaches an assistant as data in a wrapper that says so. The reader of a result can tell it from
 * Pawl's own words by its shape, whatever it says about itself.
 */
import { z } from 'zod';

import { clip, plainLines, plainText } from '../report/text/plain-text.ts';

/** What it means stands in the server's instructions and in every tool's description. */
export const untrustedSchema = z.object({ untrusted: z.literal(true), text: z.string() });
export type Untrusted = z.infer<typeof untrustedSchema>;

const LONGEST = 600;
const MOST_LINES = 30;

/** One line of what can be seen: no control, escape, bidirectional or invisible characters. */
export function untrusted(text: string, characters = LONGEST): Untrusted {
  return { untrusted: true, text: clip(plainText(text), characters) };
}

/** The last lines of longer text: what a compiler or a kernel says last is what it died of. */
export function untrustedLines(text: string, lines = MOST_LINES): Untrusted {
  const kept = plainLines(text, lines).map((line) => clip(line, 200));
  return { untrusted: true, text: kept.join('\n') };
}

/** As pawl.yaml allows names; they are given back to tools as they are. */
const NAME = /^[A-Za-z][\w.-]{0,79}$/;

/** A name as pawl.yaml allows it, which is too narrow for a sentence; any other name is text from elsewhere. */
export const nameSchema = z.union([z.string().regex(NAME), untrustedSchema]);

export function nameOf(text: string): z.infer<typeof nameSchema> {
  return NAME.test(text) ? text : untrusted(text, 200);
}

/** An identifier, a time, a metric: one word. */
const WORD = /^[\w.:/%+@#-]{1,160}$/;

/** One word as it is; anything else is text from elsewhere. */
export const wordSchema = z.union([z.string().regex(WORD), untrustedSchema]);

export function wordOf(text: string): z.infer<typeof wordSchema> {
  return WORD.test(text) ? text : untrusted(text, 200);
}

/** Pawl's own sentence, in which numbers and names stand. */
export function own(text: string, characters = LONGEST): string {
  return clip(plainText(text), characters);
}
