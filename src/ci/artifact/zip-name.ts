/** Names as long as file systems allow, and as deep as anybody has use for. */
const NAME_BYTES = 255;
const PATH_BYTES = 1024;
const DEPTH = 16;

/** Control and bidirectional characters, and what one system or another reads as a separator, drive or pattern. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}\\:*?"<>|]/u;

/**
 * What is wrong with the path of an entry, in words that hold nothing of the path itself; undefined where nothing is.
 * A folder ends in a slash.
 */
export function zipNameProblem(path: string): string | undefined {
  if (path === '') return 'a name is empty';
  if (Buffer.byteLength(path) > PATH_BYTES) return 'a name is too long';
  if (path.startsWith('/')) return 'a path is absolute';
  if (path.includes('\\')) return 'a path holds a backslash';
  if (/^[a-z]:/iu.test(path)) return 'a path names a drive';
  if (UNFIT.test(path)) return 'a name holds characters that no name needs';
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  if (parts.length > DEPTH) return 'folders are nested too deeply';
  for (const part of parts) {
    if (part === '..') return 'a path leads out of its folder';
    if (part === '' || part === '.') return 'a path has an empty part';
    if (Buffer.byteLength(part) > NAME_BYTES) return 'a name is too long';
    if (/^ |[ .]$/u.test(part)) return 'a name begins or ends in what some systems drop';
  }
  return undefined;
}

/** The same for names that some file system would take for the same. */
export function collidingName(path: string): string {
  return path.replace(/\/$/u, '').normalize('NFKC').toLowerCase();
}
