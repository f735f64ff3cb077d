import { execFile } from 'node:child_process';
import { appendFile, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { FAILURE_KINDS } from '../../src/model/pawl-error.ts';
import { initProject } from '../../src/workflows/init.ts';
import { commitAll, git } from '../ci/main-branch.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { publicApi, REPOSITORY, type DocumentedExport } from './public-api.ts';

/** After what an example prints. */
const END = '--- end of the example';
const EXAMPLES = join(import.meta.dirname, 'examples');
/** What fails in them is in their answer. */
const NEVER_THROW = new Set(['applyFixes', 'recordCost', 'restoreClocks', 'runDoctor', 'tryProject']);

/** What programs call most. */
const MAIN = [
  'bench',
  'compare',
  'check',
  'judge',
  'judgeBatch',
  'tune',
  'profileKernel',
  'diagnoseFile',
  'race',
  'adopt',
  'startSession',
  'listRuns',
  'trend',
  'PawlError',
];

let api: readonly DocumentedExport[];
/** The checked files, as a program outside of this repository would write them; by name. */
const checked = new Map<string, string>();

beforeAll(async () => {
  api = publicApi();
  for (const file of await readdir(EXAMPLES)) {
    const text = await readFile(join(EXAMPLES, file), 'utf8');
    checked.set(basename(file, '.ts'), text.replace("'../../../src/index.ts'", "'pawl'").trimEnd());
  }
});

function tagsOf({ tags }: DocumentedExport, wanted: string): string[] {
  return tags.filter(({ name }) => name === wanted).map(({ text }) => text);
}

describe('every export of the package', () => {
  it('is looked at', () => {
    const names = api.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['bench', 'BenchOptions', 'Judge', 'PAWL_VERSION']));
    expect(names.length).toBeGreaterThan(150);
  });

  it('has a comment at its declaration that says what it is or does', () => {
    const short = api.filter(({ text }) => text.trim().split(/\s+/u).length < 4);
    expect(short.map(({ name }) => name)).toEqual([]);
  });

  it('says with which kinds of error it fails, if it is a function that can', () => {
    const names = new Set(api.map(({ name }) => name));
    const silent = api.filter((one) => {
      const [text = ''] = tagsOf(one, 'throws');
      const isKind = FAILURE_KINDS.some((kind) => text.includes(`\`${kind}\``));
      const [, like] = /^\{PawlError\} as `(\w+)` does/u.exec(text) ?? [];
      return one.isFunction && !NEVER_THROW.has(one.name) && !isKind && !(like && names.has(like));
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

describe('examples in comments', () => {
  it('are those that the compiler checks, and the other way round', () => {
    const shown = api.flatMap((one) => tagsOf(one, 'example'));
    const written = [...checked.values()].map((text) => `\`\`\`ts\n${text}\n\`\`\``);
    expect(shown.toSorted()).toEqual(written.toSorted());
  });

  it('are there for what programs call most', () => {
    const having = api.filter((one) => tagsOf(one, 'example').length > 0).map(({ name }) => name);
    expect(having).toEqual(expect.arrayContaining(MAIN));
  });
});

describe('examples that are run as a program that depends on the package would run them', () => {
  let project: string;

  beforeAll(async () => {
    project = await temporaryFolder();
    await initProject({ directory: project, device: 'cpu', force: false });
    const config = join(project, 'pawl.yaml');
    const text = await readFile(config, 'utf8');
    const quick = 'measure: { mode: hot, processes: 2, samples: 3, warmup: 1, stopping: fixed }';
    await writeFile(config, text.replace(/^measure: .*$/mu, quick));
    // What no commit holds is not a point of a trend.
    await appendFile(join(project, '.gitignore'), 'node_modules/\n*.mjs\n');
    await git(project, 'init', '--quiet');
    await commitAll(project, 'A first kernel');
    await mkdir(join(project, 'node_modules'));
    await symlink(REPOSITORY, join(project, 'node_modules/pawl'));
  });

  /** What each example prints. They share a process: loading the package takes longer than most of them. */
  async function run(...names: readonly string[]): Promise<string[][]> {
    for (const name of names) await writeFile(join(project, `${name}.mjs`), checked.get(name)!);
    const steps = names.map((name) => `await import('./${name}.mjs');\nconsole.log('${END}');\n`);
    await writeFile(join(project, 'all.mjs'), steps.join(''));
    const { stdout } = await promisify(execFile)(process.execPath, ['all.mjs'], { cwd: project });
    return stdout.split(`${END}\n`).map((text) => text.trimEnd().split('\n'));
  }

  it('measure a kernel, compare what was measured, and find it in the history', async () => {
    const [measured = []] = await run('bench');
    expect(measured.at(-1)).toBe('good');
    expect(measured.filter((line) => /^softmax-cpu \w+ [\d.e-]+ \[/u.test(line))).toHaveLength(3);

    const [taken] = await readdir(join(project, '.pawl/runs'));
    const samples = join(project, '.pawl/runs', taken!, 'samples.json');
    for (const side of ['before.json', 'after.json']) await copyFile(samples, join(project, side));
    const [compared, listed = [], trends = []] = await run('compare-files', 'list-runs', 'trend');
    expect(compared).toEqual([expect.stringMatching(/^(?:maintained|undecided)$/u)]);
    expect(listed[0]).toMatch(/^[0-9a-f]+ \S+Z 3$/u);
    expect(listed.at(-1)).toBe('3');
    expect(trends.toSorted()).toEqual(['ragged 1', 'small 1', 'wide 1']);
  });

  it('read a profile, adopt a file, and tell an expected failure from a bug', async () => {
    const profile = join(REPOSITORY, 'test/fixtures/ncu/bank_conflict_transpose.raw.csv');
    await copyFile(profile, join(project, 'rep.csv'));
    const source =
      'void scale(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n';
    await writeFile(join(project, 'scale.cpp'), source);
    const [diagnosed, adopted, failed] = await run('diagnose-file', 'adopt', 'pawl-error');
    expect(diagnosed![0]).toMatch(/transpose\S* \w+ .*\S/u);
    expect(adopted).toContain('pawl.yaml');
    expect(await readdir(join(project, 'scale'))).toContain('pawl.yaml');
    expect(failed![0]).toMatch(/^configuration There is no .*no-such-folder/u);
  });
});
