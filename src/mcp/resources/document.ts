/** Whole documents for an assistant: as they are but for what cannot be seen, up to a limit. */

/** About 50,000 tokens: more would fill what an assistant can think with. */
const MOST_DOCUMENT_BYTES = 200 * 1024;

/** Control, format and invisible characters but line ends and tabs, which documents are made of. */
const UNSEEN = /(?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}⠀]/gu;

export function documentText(text: string, limit_bytes = MOST_DOCUMENT_BYTES): string {
  const seen = text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, '');
  const bytes = Buffer.byteLength(seen);
  if (bytes <= limit_bytes) return seen;
  const kept = new TextDecoder().decode(Buffer.from(seen).subarray(0, limit_bytes)).replace(/�$/u, '');
  return `${kept}\n… truncated: ${bytes - limit_bytes} of ${bytes} bytes are left out.\n`;
}
