import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findPython } from '../../src/device/python.ts';
import { torchDispatchSchema, torchProofSchema } from '../../src/model/reports/torch-export.ts';
import { runCommand } from '../../src/os/run-command.ts';
import { renderTorchExport } from '../../src/report/terminal/export-torch-terminal.ts';
import { exportTorch } from '../../src/workflows/export-torch.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { studyOf } from '../report/study-of.ts';
import { hasTorch } from '../services/has-torch.ts';
import { enter, torchProject } from './torch-project.ts';

const NO_TORCH = 'SKIPPED: the Python of the tests has no PyTorch, so no exported operator is loaded';

/** Runs Python with the package's folder on the import path. */
async function python(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly text: string }> {
  const found = await findPython();
  if (found.status !== 'found') throw new Error('there is no Python');
  const run = await runCommand(found.path, args, {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', ...env },
    timeout_ms: 300_000,
  });
  if (run.status !== 'exited') throw new Error(run.status);
  return { code: run.code, text: `${run.stdout}${run.stderr}` };
}

/** Prints what a call raises, a line each. */
const CALLS = `
import sys, torch
package = __import__(sys.argv[1])
def right(x, w, twice, alpha=0.5):
    return alpha * (2 if twice else 1) * x.double() * w
x, w, acc = torch.randn(16, 24), torch.randn(24), torch.randn(16)
before = acc.clone()
y, total = package.op(x, w, acc, 1)
assert torch.allclose(y.double(), right(x, w, 1), atol=1e-6), "y"
assert torch.allclose(total, right(x, w, 1).sum(1)), "total"
assert torch.allclose(acc.double(), before + total, atol=1e-5), "acc"
assert y.dtype == torch.float32 and total.dtype == torch.float64
big = package.op(torch.ones(33, 70), torch.ones(70), torch.zeros(33), TWICE=0, ALPHA=0.5)
assert float(big[1][32]) == 35.0
fake = package.op(x.to("meta"), w.to("meta"), acc.to("meta"), 0)
assert [tuple(one.shape) for one in fake] == [(16, 24), (16,)] and fake[0].device.type == "meta"
def refused(call, exact=True):
    try:
        call()
        print("NOT REFUSED")
    except (RuntimeError, NotImplementedError) as error:
        print(str(error).splitlines()[0])
refused(lambda: package.op(torch.randn(17, 24), w, torch.randn(17), 0))
refused(lambda: package.op(x, w, acc, 7))
refused(lambda: package.op(x, w, acc, 0, 0.25))
refused(lambda: package.op(x.double(), w, acc, 0))
refused(lambda: package.op(torch.randn(24, 16).t(), w, acc, 0))
refused(lambda: package.op(x, torch.randn(25), acc, 0))
refused(lambda: package.op(torch.randn(24), w, acc, 0))
refused(lambda: package.op(x, w, torch.randn(17)[1:], 0))
refused(lambda: package.op(x.clone().requires_grad_(), w, acc, 0))
called = getattr(package, package.table.name)
refused(lambda: called(torch.randn(17, 24), w, torch.randn(17), 0))
package.use_fallback(lambda x, w, acc, TWICE, ALPHA=0.5: "fallback")
assert called(torch.randn(17, 24), w, torch.randn(17), 0) == "fallback"
assert torch.equal(called(x, w, acc.clone(), TWICE=1)[0], y)
assert package.covers(x, w, acc, 1) and not package.covers(x, w, acc, 2)
print(package.binding)
`;

/** The binding that is the default here, and torch.compile where PyTorch has it. Prints which, and what was skipped. */
const COMPILED = `
import sys, torch
package = __import__(sys.argv[1])
x, w = torch.randn(16, 24), torch.randn(24)
def model(x, w, acc):
    y, total = package.op(x * 2, w, acc, 1)
    return y + 1, total
wanted = model(x, w, torch.zeros(16))
print(package.binding, package.binding_problem)
if hasattr(torch, "compile"):
    torch.library.opcheck(package.op, (x, w, torch.zeros(16), 1, 0.5))
    acc = torch.zeros(16)
    found = torch.compile(model, fullgraph=True)(x, w, acc)
    assert all(torch.allclose(one, other, atol=1e-6) for one, other in zip(found, wanted)), "compiled"
    assert torch.allclose(acc.double(), found[1], atol=1e-5), "the inout of a compiled call"
    print("compiled")
else:
    print("SKIPPED: PyTorch", torch.__version__, "has no torch.compile")
`;

describe('an exported operator', () => {
  it(
    'computes what was proven, refuses the rest, and tests itself',
    { timeout: 300_000 },
    async ({ skip }) => {
      if (!hasTorch) return skip(NO_TORCH);
      const { config } = await torchProject(['scaled-cpu']);
      const out = join(await temporaryFolder(), 'pawl_scaled_cpu');
      const report = await exportTorch({ config, kernels: ['scaled-cpu'], out, fuzz: 5 });
      expect(report.operator).toBe('torch.ops.pawl_scaled_cpu.scaled_cpu');
      expect(report.dispatch.operator.schema).toBe(
        'scaled_cpu(Tensor x, Tensor w, Tensor(c!) acc, int TWICE, float ALPHA=0.5) -> (Tensor, Tensor)',
      );
      const folder = join(out, '..');
      const binding = { PAWL_TORCH_BINDING: 'python' };
      const called = await python(folder, ['-c', CALLS, 'pawl_scaled_cpu'], binding);
      expect(called.text).not.toContain('Traceback');
      expect(called).toMatchObject({ code: 0 });
      const lines = called.text.trim().split('\n');
      expect(lines).toEqual([
        expect.stringContaining('was not proven for N=17, M=24, TWICE=0, ALPHA=0.5. Proven shapes:'),
        expect.stringContaining('was not proven for N=16, M=24, TWICE=7'),
        expect.stringContaining('was not proven for N=16, M=24, TWICE=0, ALPHA=0.25'),
        'scaled_cpu: x is of torch.float64; it was proven with torch.float32',
        expect.stringContaining('x is not contiguous'),
        expect.stringContaining('w has shape [25]'),
        expect.stringContaining('was not proven for x [24]'),
        expect.stringContaining('the data of acc does not begin at a multiple of 64 bytes'),
        expect.stringContaining('has no backward pass, and x requires a gradient'),
        expect.stringContaining('was not proven for N=17'),
        'python',
      ]);
      const tested = await python(folder, ['-m', 'pawl_scaled_cpu.selftest'], binding);
      expect(tested.text).toContain('3 of 3 shapes are right');
      expect(tested.code).toBe(0);
      const compiled = await python(folder, ['-c', COMPILED, 'pawl_scaled_cpu']);
      expect(compiled.text).toMatch(/^(?:native None|python .*)\n(?:compiled|SKIPPED: .*)$/mu);
      expect(compiled.code).toBe(0);
      console.info(compiled.text.trim());
      // Libraries are for the processor that they were built on.
      const dispatch = join(out, 'dispatch.json');
      const text = await readFile(dispatch, 'utf8');
      await writeFile(dispatch, text.replace(/"cpu": ".*"/u, '"cpu": "model name: another"'));
      const elsewhere = await python(folder, ['-m', 'pawl_scaled_cpu.selftest'], binding);
      expect(elsewhere).toMatchObject({
        code: 1,
        text: expect.stringContaining('was proven and measured on'),
      });
      const allowed = { ...binding, PAWL_TORCH_OTHER_DEVICE: '1' };
      expect(await python(folder, ['-m', 'pawl_scaled_cpu.selftest'], allowed)).toMatchObject({ code: 0 });
      await writeFile(dispatch, text);
      // What is not the file that was proven is not loaded.
      const [library] = report.dispatch.variants.map((one) => one.library!.file);
      await writeFile(
        join(out, library!),
        Buffer.concat([await readFile(join(out, library!)), Buffer.from([0])]),
      );
      const changed = await python(folder, ['-m', 'pawl_scaled_cpu.selftest'], binding);
      expect(changed.code).toBe(1);
      expect(changed.text).toContain('is not the file that was exported and proven');
    },
  );

  it('has a self-test that finds a wrong kernel', { timeout: 300_000 }, async ({ skip }) => {
    if (!hasTorch) return skip(NO_TORCH);
    const { config } = await torchProject(['scaled-numpy']);
    const out = join(await temporaryFolder(), 'scaled');
    await exportTorch({ config, kernels: ['scaled-numpy'], out, name: 'scaled', fuzz: 3 });
    const folder = join(out, '..');
    const called = await python(folder, ['-c', CALLS, 'scaled']);
    expect(called.text).not.toContain('Traceback');
    expect(called).toMatchObject({ code: 0 });
    expect(called.text.trim().split('\n').at(-1)).toBe('source');
    expect(await python(folder, ['-m', 'scaled.selftest'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('3 of 3 shapes are right (binding: source'),
    });
    const helper = join(out, 'sources/src/helper.py');
    await writeFile(helper, 'def doubled(twice):\n    return 2.001 if twice else 1\n');
    const wrong = await python(folder, ['-m', 'scaled.selftest', '--seed', '4']);
    expect(wrong.code).toBe(1);
    expect(wrong.text).toMatch(/WRONG {2}N=16,M=24,TWICE=1,ALPHA=0.5 .* elements differ/u);
    expect(wrong.text).toContain('2 of 3 shapes are right');
  });
});

describe('exportTorch', () => {
  it('writes the table, the proof, the baseline and the sources', { timeout: 180_000 }, async () => {
    const { git, config, baseline } = await torchProject(['scaled-cpu']);
    const head = await git.git('rev-parse', 'HEAD');
    const out = join(git.root, 'out/pawl_scaled_cpu');
    const options = { config, kernels: ['scaled-cpu'], out, fuzz: 4, cases: ['plain', 'double'] };
    const report = await exportTorch(options);
    const dispatch = torchDispatchSchema.parse(
      JSON.parse(await readFile(join(out, 'dispatch.json'), 'utf8')),
    );
    expect(dispatch).toEqual(report.dispatch);
    expect(dispatch.rows.map((row) => [row.case, row.dims, row.scalars, row.time.mode])).toEqual(
      expect.arrayContaining([
        ['plain', { N: 16, M: 24, TWICE: 0 }, { ALPHA: 0.5 }, 'hot'],
        ['double', { N: 16, M: 24, TWICE: 1 }, { ALPHA: 0.5 }, 'hot'],
      ]),
    );
    expect(dispatch.rows).toHaveLength(2);
    expect(dispatch.variants).toMatchObject([
      { kernel: 'scaled-cpu', variant: { STEP: 1 }, same_code: 'machine-code' },
    ]);
    const proof = torchProofSchema.parse(JSON.parse(await readFile(join(out, 'proof.json'), 'utf8')));
    expect(proof).toMatchObject({ commit: head, changed: [], baseline: { file: 'pawl-baseline.json' } });
    expect(proof.fuzz?.[0]?.passed).toBeGreaterThanOrEqual(4);
    expect(proof.sources.map(({ from }) => from)).toEqual(['src/oracle.cpp', 'src/scaled.cpp']);
    expect(await readFile(join(out, 'baseline.json'), 'utf8')).toBe(await readFile(baseline, 'utf8'));
    expect(await readFile(join(out, 'table.hpp'), 'utf8')).toContain('{"TWICE", -1, 0}');
    expect(await readFile(join(out, 'README.md'), 'utf8')).toContain('python -m pawl_scaled_cpu.selftest');
    expect(renderTorchExport(report)).toContain('2 shapes on');
    // A second export replaces the first only where that is asked for; nothing else is ever replaced.
    await expect(exportTorch(options)).rejects.toMatchObject({ kind: 'usage' });
    await exportTorch({ ...options, fuzz: false, force: true });
    await rm(join(out, 'dispatch.json'));
    await expect(exportTorch({ ...options, force: true })).rejects.toMatchObject({ kind: 'usage' });
  });

  it(
    'takes what a study confirmed, and nothing of one that confirmed nothing',
    { timeout: 180_000 },
    async () => {
      const { git, config } = await torchProject([]);
      const commit = await git.git('rev-parse', 'HEAD');
      const study = studyOf(
        { 1: 2, 2: 1 },
        {
          kernel: 'scaled-cpu',
          case: 'plain',
          dims: { N: 16, M: 24, TWICE: 0, ALPHA: 0.5 },
          commit,
          confirmations: [
            {
              trial: 2,
              variant: { STEP: 2 },
              verdict: 'improved',
              reason: 'clear.',
              default_ms: 2,
              variant_ms: 1,
              speedup: 2,
              speedup_ci: [1.9, 2.1],
              processes: [6, 6],
              device_s: 1,
            },
          ],
        },
      );
      const file = join(git.root, '.pawl/trials.json');
      await git.write('.pawl/trials.json', JSON.stringify(study));
      const out = join(git.root, 'out/pawl_scaled_cpu');
      const options = { config, kernels: ['scaled-cpu'], out, studies: [file], fuzz: false as const };
      const { dispatch, proof } = await exportTorch(options);
      expect(dispatch.variants).toMatchObject([{ variant: { STEP: 2 }, same_code: 'sources' }]);
      expect(dispatch.rows[0]?.origin).toMatchObject({ kind: 'study', id: study.id });
      expect(proof.baseline).toBeUndefined();
      await git.write('.pawl/trials.json', JSON.stringify({ ...study, result: 'kept', confirmations: [] }));
      await expect(exportTorch({ ...options, force: true })).rejects.toMatchObject({
        kind: 'bad-data',
        message: expect.stringContaining('no variant of it was confirmed'),
      });
      await git.write('.pawl/trials.json', '{');
      await expect(exportTorch({ ...options, force: true })).rejects.toMatchObject({ kind: 'bad-data' });
    },
  );

  it('refuses what is not confirmed, not sound, or not what was measured', { timeout: 180_000 }, async () => {
    const { git, config, baseline } = await torchProject([]);
    const out = join(git.root, 'out/pawl_scaled_cpu');
    const options = { config, kernels: ['scaled-cpu'], out, fuzz: false as const };
    const refusal = (text: string) => ({ kind: 'bad-data', message: expect.stringContaining(text) });
    await expect(exportTorch(options)).rejects.toMatchObject(refusal('There is no pawl-baseline.json'));
    await enter(config, ['scaled-cpu']);
    await expect(exportTorch({ ...options, kernels: ['scaled-numpy'] })).rejects.toMatchObject(
      refusal('Nothing to export: scaled-numpy'),
    );
    await expect(exportTorch({ ...options, kernels: ['scaled-gpu'] })).rejects.toMatchObject({
      kind: 'usage',
    });
    await expect(exportTorch({ ...options, name: 'aten', out: join(out, '../aten') })).rejects.toMatchObject({
      kind: 'usage',
    });
    await expect(exportTorch({ ...options, fallback: 'import os' })).rejects.toMatchObject({ kind: 'usage' });
    const text = await readFile(baseline, 'utf8');
    await writeFile(baseline, text.replace('"check": "passed"', '"check": "not-checked"'));
    await expect(exportTorch(options)).rejects.toMatchObject(refusal('was edited by hand'));
    await writeFile(baseline, text);
    const source = join(git.root, 'src/scaled.cpp');
    const kernel = await readFile(source, 'utf8');
    await writeFile(source, kernel.replace('* (call->dims[2]', '* 1.0000001 * (call->dims[2]'));
    await expect(exportTorch(options)).rejects.toMatchObject(refusal('src/scaled.cpp changed since'));
    await writeFile(source, kernel);
    await exportTorch(options);
  });

  it('does not export a kernel that generated cases find wrong', { timeout: 180_000 }, async () => {
    const { git, config } = await torchProject([]);
    const source = join(git.root, 'src/scaled.cpp');
    const kernel = await readFile(source, 'utf8');
    await git.commit(
      'src/scaled.cpp',
      kernel.replace('j < m; ++j) {', 'j < (m % 2 == 1 ? m - 1 : m); ++j) {'),
    );
    await enter(config, ['scaled-cpu']);
    const out = join(git.root, 'out/pawl_scaled_cpu');
    await expect(exportTorch({ config, kernels: ['scaled-cpu'], out, fuzz: 60 })).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringContaining('is wrong, so it is not exported'),
    });
    await expect(readFile(join(out, 'dispatch.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
