/** Lines of a compiler's or linker's output that say what is wrong. */
const ERROR_LINE =
  /(?:\berror\b|\bfatal\b|undefined reference|multiple definition|cannot find -l|ld returned|internal compiler error)/i;
const SHOWN_LINES = 3;

/** The compiler's first errors, one a line; its last words where nothing looks like an error. */
export function compilerMessage(log: string): string {
  const lines = log.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const errors = lines.filter((line) => ERROR_LINE.test(line) && !/^\d+ errors? /.test(line));
  return (errors.length > 0 ? errors.slice(0, SHOWN_LINES) : lines.slice(-SHOWN_LINES)).join('\n');
}

/** What to do about errors whose remedy lies in pawl.yaml or in the installation rather than in the source. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /No such file or directory|cannot open source file/i,
    'Add the folder of the missing file to include_dirs.',
  ],
  [
    /Unsupported gpu architecture|not defined for option 'gpu-architecture'/i,
    'Set arch to one that this nvcc knows (nvcc --list-gpu-arch).',
  ],
  [
    /undefined reference|cannot find -l/i,
    'Add the missing library to links, or the missing file to sources.',
  ],
  [
    /unsupported GNU version|unsupported clang version/i,
    'Choose a host compiler that this nvcc supports: flags: [-ccbin, g++-13].',
  ],
  [
    /Failed to preprocess host compiler|host compiler/i,
    'nvcc needs a C++ compiler: install g++, or set one with -ccbin.',
  ],
  [
    /unrecognized command.line option|unknown option|unknown argument/i,
    'The compiler does not know one of the flags in pawl.yaml.',
  ],
];

/** What compilers and linkers say when the machine fails them, whatever the source is. */
const LACKING: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded/i, 'The disk is full: free some space, and build again.'],
  [/File size limit exceeded|File too large/i, 'Raise the file size limit: ulimit -f'],
  [
    // g++ and nvcc name the part of them that was killed. Whole phrases: sources have messages of their own.
    /^Killed$|Killed signal terminated program|died due to signal (?:9|15)\b|cannot allocate memory|out of memory allocating|LLVM ERROR: out of memory|virtual memory exhausted/im,
    'The machine ran out of memory: build fewer at a time (--parallel 1).',
  ],
];

/** What to do where the machine lacks something that the compiler needs; undefined: the source is at fault. */
export function resourceHint(log: string): string | undefined {
  const errors = compilerMessage(log);
  return LACKING.find(([pattern]) => pattern.test(errors))?.[1];
}

export function compilerHint(message: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(message))?.[1];
}
