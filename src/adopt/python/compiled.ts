import { basename } from 'node:path';

import type { Assumption } from '../../model/reports/adopt-report.ts';
import type { DraftFile } from '../draft.ts';
import { importLines, type Names } from './modules.ts';

/** The kernel that is the adopted one under torch.compile, and its class where that is one. */
export const COMPILED = 'compiled';
export const COMPILED_CLASS = 'Compiled';

interface Versions {
  readonly versions: Readonly<Record<string, string>>;
}

/** torch.compile came with PyTorch 2. */
export function isCompiling({ versions }: Versions): boolean {
  return Number.parseInt(versions['torch'] ?? '0', 10) >= 2;
}

export function notCompiling({ versions }: Versions): Assumption {
  return {
    about: 'kernels',
    text: `no kernel for torch.compile, which needs PyTorch 2.0: this is ${versions['torch'] ?? ''}`,
  };
}

/** A class of a file with its `forward` compiled. */
export function compiledClass(names: Names, file: string, name: string, problem: string): DraftFile {
  return {
    path: `pawl_${problem}_compiled.py`,
    text: `"""Written by \`pawl adopt\` from ${basename(file)}: ${name} under torch.compile."""

${importLines(names, file, 'problem')}
import torch


class ${COMPILED_CLASS}(problem.${name}):
    forward = torch.compile(problem.${name}.forward)
`,
  };
}

/** A function of a file, compiled. It keeps its parameters: dimensions and scalars are passed to those it has. */
export function compiledFunction(names: Names, file: string, name: string, problem: string): DraftFile {
  return {
    path: `pawl_${problem}_compiled.py`,
    text: `"""Written by \`pawl adopt\` from ${basename(file)}: ${name} under torch.compile."""

import functools
${importLines(names, file, 'problem')}
import torch

_compiled = torch.compile(problem.${name})


@functools.wraps(problem.${name})
def ${name}(*given, **named):
    return _compiled(*given, **named)
`,
  };
}
