import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import { includeFiles } from '../../src/build/include-files.ts';
import { pythonFiles } from '../../src/build/python-files.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

async function pythonFilesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const root = await project(files);
  const found = await pythonFiles(join(root, 'py/oracle.py'), { root, top: root });
  return found.map((path) => relative(root, path)).filter((path) => path !== 'py/oracle.py');
}

describe('the files of a Python module', () => {
  it.each([
    ['import helpers', ['py/helpers.py']],
    ['import os, helpers as h, sys', ['py/helpers.py']],
    ['if True: import helpers', ['py/helpers.py']],
    ['import os; import helpers', ['py/helpers.py']],
    ['from helpers import twice', ['py/helpers.py']],
    ['from pkg import (\n  # parts\n  part,\n  other,\n)', ['py/pkg/__init__.py', 'py/pkg/part.py']],
    ['from pkg.part import x', ['py/pkg/__init__.py', 'py/pkg/part.py']],
    ['from . import helpers', ['py/helpers.py']],
    ['from .pkg import part', ['py/pkg/__init__.py', 'py/pkg/part.py']],
    ['import shared', ['shared.py']],
    ['import importlib\nx = importlib.import_module("helpers")', ['py/helpers.py']],
    ['exec("import helpers")', ['py/helpers.py']],
    ['open(os.path.join(HERE, "weights.bin"))', ['py/weights.bin']],
    ['load(name="x", sources=["py/ref.cpp"])', ['py/ref.cpp']],
    ['import numpy as np\nimport torch', []],
    ['# nothing at all', []],
  ])('%j reaches %j', async (text, expected) => {
    const found = await pythonFilesOf({
      'py/oracle.py': text,
      'py/helpers.py': '',
      'py/weights.bin': '',
      'py/ref.cpp': '',
      'py/pkg/__init__.py': '',
      'py/pkg/part.py': '',
      'shared.py': '',
      'py/kernel.py': '',
    });
    expect(found).toEqual(expected);
  });

  it('are found through other files, round in circles, and not outside', async () => {
    const root = await project({
      'py/oracle.py': 'import first',
      'py/first.py': 'import second',
      'py/second.py': 'import first\nopen("../../outside.py")',
    });
    const found = await pythonFiles(join(root, 'py/oracle.py'), { root, top: join(root, 'py') });
    expect(found.map((path) => relative(root, path))).toEqual([
      'py/first.py',
      'py/oracle.py',
      'py/second.py',
    ]);
  });
});

describe('the files that a source includes', () => {
  it('are found beside it and in the folders of headers, through other files, and not outside', async () => {
    const root = await project({
      'src/oracle.cu': '#include "near.h"\n#  include <far.h>\n#include <cuda_runtime.h>\n',
      'src/near.h': '#include "../src/deep.h"\n',
      'src/deep.h': '#include "near.h"\n',
      'include/far.h': '',
      'src/unused.h': '',
    });
    const found = await includeFiles([join(root, 'src/oracle.cu')], {
      includeDirs: [join(root, 'include')],
      top: root,
    });
    expect(found.map((path) => relative(root, path))).toEqual([
      'include/far.h',
      'src/deep.h',
      'src/near.h',
      'src/oracle.cu',
    ]);
  });
});
