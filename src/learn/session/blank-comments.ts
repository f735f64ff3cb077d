/** The way a language writes what its compiler does not read. */
export type Syntax = 'c' | 'python';

const C_FILE = /\.(?:c|cc|cpp|cxx|cu|cuh|h|hh|hpp|hxx|inl|ptx|metal|cl|hip)$/iu;

/** Undefined for files that no compiler of ours reads: notes, tables, baselines. */
export function syntaxOf(path: string): Syntax | undefined {
  if (C_FILE.test(path)) return 'c';
  return /\.pyx?$/iu.test(path) ? 'python' : undefined;
}

const C_TOKENS =
  /\/\/(?:[^\n\\]|\\.)*|\/\*[\s\S]*?(?:\*\/|$)|R"([^()\\\s]{0,16})\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gu;
const PYTHON_TOKENS =
  /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gu;

/** The same text with comments blanked, and strings where asked; lines stay where they are. */
export function blankComments(text: string, syntax: Syntax, strings = false): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/gu, ' ');
  if (syntax === 'c') {
    // Digit separators (1'000) are not quotes.
    return text
      .replaceAll(/(?<=\d)'(?=\d)/gu, '_')
      .replaceAll(C_TOKENS, (part) => (part.startsWith('/') || strings ? blank(part) : part));
  }
  return text.replaceAll(PYTHON_TOKENS, (part) => (part.startsWith('#') || strings ? blank(part) : part));
}
