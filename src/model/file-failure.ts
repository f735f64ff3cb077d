import { PawlError, type FailureKind } from './pawl-error.ts';

interface Reason {
  readonly kind: FailureKind;
  readonly why: string;
  readonly hint: string;
}

const DENIED = 'Check its owner and permissions, or choose another path.';
const IN_THE_WAY = 'Move it, or choose another path.';
const FULL = 'Free some space, or choose a path on another disk.';
const FILE_LIMIT = 'Raise the limit: ulimit -f';

/** What a person can fix, by error code. */
const REASONS: Readonly<Record<string, Reason>> = {
  EACCES: { kind: 'permission', why: 'permission denied', hint: DENIED },
  EPERM: { kind: 'permission', why: 'not permitted', hint: DENIED },
  EROFS: { kind: 'permission', why: 'the file system is read-only', hint: 'Choose another path.' },
  ENOENT: {
    kind: 'usage',
    why: 'there is no such file or folder',
    hint: 'Check the path, and that the folder exists.',
  },
  ENOTDIR: { kind: 'usage', why: 'a file is where a folder should be', hint: IN_THE_WAY },
  EEXIST: { kind: 'usage', why: 'something else with that name exists', hint: IN_THE_WAY },
  EISDIR: { kind: 'usage', why: 'a folder with that name exists', hint: IN_THE_WAY },
  ENOTEMPTY: { kind: 'usage', why: 'a folder with that name exists', hint: IN_THE_WAY },
  ENAMETOOLONG: { kind: 'usage', why: 'the name is too long', hint: 'Choose a shorter path.' },
  ELOOP: { kind: 'usage', why: 'symbolic links form a loop', hint: 'Choose another path.' },
  ENOSPC: { kind: 'unavailable', why: 'the disk is full', hint: FULL },
  EDQUOT: { kind: 'unavailable', why: 'the disk quota is used up', hint: FULL },
  EFBIG: { kind: 'unavailable', why: 'it would exceed the maximum file size', hint: FILE_LIMIT },
  EIO: {
    kind: 'unavailable',
    why: 'the disk reports an error',
    hint: 'Check dmesg, or choose another disk.',
  },
  EMFILE: { kind: 'try-again', why: 'too many files are open', hint: 'Raise the limit: ulimit -n' },
  ENFILE: { kind: 'try-again', why: 'too many files are open on this machine', hint: 'Try again.' },
};

/** What a file system answered, in a sentence with a remedy; undefined for any other error. */
export function fileFailure(error: unknown): PawlError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path, syscall = '' } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  // A program that is not there is no matter of the user's paths, nor is a socket.
  if (reason === undefined || /^(?:spawn|connect|listen)/u.test(syscall)) return undefined;
  const isWriting = /^(?:mkdir|rename|link|symlink|write|fsync|ftruncate|unlink|copyfile)/u.test(syscall);
  // What Node answers, for a folder in a folder, where the file system is read-only.
  if (code === 'ENOENT' && syscall === 'mkdir') {
    return new PawlError(
      'usage',
      `${path} cannot be written: no folder can be made there.`,
      'Check the path, and that its disk is not read-only.',
    );
  }
  const what = isWriting || isTemporary(path) ? 'written' : 'opened';
  return new PawlError(
    reason.kind,
    `${path === undefined ? 'A file' : path.replace(TEMPORARY, '')} cannot be ${what}: ${reason.why}.`,
    reason.hint,
  );
}

/** As `writeDurably` calls what it has not put into its place yet. */
const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/u;

function isTemporary(path: string | undefined): boolean {
  return path !== undefined && TEMPORARY.test(path);
}
