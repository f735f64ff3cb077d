import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { parse } from 'yaml';

import type { JobPlace, Step } from './play-workflow.ts';

export interface StepResult {
  readonly label: string;
  readonly code: number;
  readonly log: string;
}

interface StepPlace extends JobPlace {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
}

type Text = (value: unknown) => string;

/** One step, as the runner would do it. */
export async function playStep(step: Step, text: Text, place: StepPlace): Promise<StepResult> {
  const label = step.name ?? step.uses ?? 'run';
  const done = await (step.uses === undefined
    ? script(step, text, place)
    : action(step.uses, step, text, place));
  return { label, ...done };
}

async function script(step: Step, text: Text, place: StepPlace) {
  const path = join(place.place, 'script.sh');
  await writeFile(path, text(step.run));
  const cwd = resolve(place.workspace, text(step['working-directory'] ?? '.'));
  return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', path], cwd, place.env);
}

async function action(uses: string, step: Step, text: Text, place: StepPlace) {
  const input = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([name, value]) => [name, text(value)]),
  );
  if (uses === place.around.action.ref) return ourAction(input, place);
  switch (uses.replace(/@.*/, '')) {
    case 'actions/checkout':
      return checkout(input, place);
    case 'actions/upload-artifact':
      return upload(input, place);
    case 'actions/download-artifact':
      return download(input, place);
    default:
      throw new Error(`the played runner does not know ${uses}`);
  }
}

async function checkout(
  input: Readonly<Record<string, string>>,
  { workspace, event, around, env }: StepPlace,
) {
  const commit = input['ref'] || event.sha;
  const clone = await run('git', ['clone', '--quiet', '--no-checkout', around.remote, workspace], '.', env);
  if (clone.code !== 0) return clone;
  // What a fork's pull request holds is in its base's repository too.
  const fetch = await run(
    'git',
    ['fetch', '--quiet', 'origin', '+refs/*:refs/remotes/all/*'],
    workspace,
    env,
  );
  if (fetch.code !== 0) return fetch;
  return run('git', ['checkout', '--quiet', '--detach', commit], workspace, env);
}

async function upload(input: Readonly<Record<string, string>>, { workspace, artifacts }: StepPlace) {
  const target = join(artifacts, input['name']!);
  await mkdir(target, { recursive: true });
  const paths = input['path']!.split('\n').filter((line) => line.trim() !== '');
  for (const path of paths.map((each) => resolve(workspace, each.trim()))) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) continue;
    const isAlone = paths.length === 1 && found.isDirectory();
    await cp(path, isAlone ? target : join(target, basename(path)), { recursive: true });
  }
  return { code: 0, log: `uploaded ${input['name']}` };
}

async function download(input: Readonly<Record<string, string>>, { artifacts }: StepPlace) {
  const source = join(artifacts, input['name']!);
  if ((await stat(source).catch(() => undefined)) === undefined)
    return { code: 1, log: `no ${input['name']}` };
  await cp(source, input['path']!, { recursive: true });
  return { code: 0, log: `downloaded ${input['name']}` };
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly main: string };
}

async function ourAction(input: Readonly<Record<string, string>>, { around, workspace, env }: StepPlace) {
  const { folder } = around.action;
  const file = parse(await readFile(join(folder, 'action.yml'), 'utf8')) as ActionFile;
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(file.inputs, name));
  // GitHub only warns about these; in what we write ourselves they are mistakes.
  if (unknown.length > 0) return { code: 1, log: `the action has no input ${unknown.join(', ')}` };
  const values = Object.entries(file.inputs).map(([name, { default: fallback = '' }]) => [
    `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
    input[name] ?? fallback,
  ]);
  const main = join(folder, file.runs.main);
  return run(process.execPath, [main], workspace, { ...env, ...Object.fromEntries(values) });
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; log: string }>((done) => {
    execFile(command, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ code, log: `${stdout}${stderr}` });
    });
  });
}
