/** Plays a CI runner: the jobs of a workflow file, step by step, for an event. */
import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { holds, interpolate, type Contexts } from './expression.ts';
import { playStep, type StepResult } from './play-step.ts';

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly 'working-directory'?: string;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface PlayEvent {
  readonly name: string;
  readonly payload: object;
  readonly sha: string;
  readonly ref: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface Surroundings {
  /** `owner/name`, and where it is cloned from. */
  readonly repository: string;
  readonly remote: string;
  /** A checkout of our action. */
  readonly action: { readonly ref: string; readonly folder: string };
  readonly apiUrl: string;
  readonly token: string;
  /** Told before each job: what its token may do. */
  readonly onPermissions: (permissions: Readonly<Record<string, string>>) => void;
  /** For workspaces, temporary folders and artifacts. */
  readonly folder: string;
}

interface JobResult {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
  readonly steps: readonly StepResult[];
  /** What all steps printed. */
  readonly log: string;
  readonly summary: string;
}

export interface PlayedRun {
  readonly jobs: Readonly<Record<string, JobResult>>;
  /** A folder of artifacts by name. */
  readonly artifacts: string;
}

let runs = 0;

export async function playWorkflow(text: string, event: PlayEvent, around: Surroundings): Promise<PlayedRun> {
  const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, Job>> };
  const folder = await mkdtemp(join(around.folder, 'run-'));
  const artifacts = join(folder, 'artifacts');
  await mkdir(artifacts);
  const eventPath = join(folder, 'event.json');
  await writeFile(eventPath, JSON.stringify(event.payload));
  runs += 1;
  const github = {
    event_name: event.name,
    event: event.payload,
    repository: around.repository,
    sha: event.sha,
    ref: event.ref,
    ref_name: event.ref.replace(/^refs\/(heads|tags)\//, ''),
    token: around.token,
  };
  const done: Record<string, JobResult> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const needed = [job.needs ?? []].flat();
    const contexts: Contexts = {
      github,
      inputs: event.inputs ?? {},
      secrets: {},
      needs: Object.fromEntries(
        needed.map((each) => [each, { result: done[each]?.result, outputs: done[each]?.outputs }]),
      ),
    };
    const isFine = needed.every((each) => done[each]?.result === 'success');
    if (!holds(job.if, contexts, { status: isFine ? 'success' : 'failure' })) {
      done[name] = { result: 'skipped', outputs: {}, steps: [], log: '', summary: '' };
      continue;
    }
    around.onPermissions(job.permissions);
    const place = join(folder, name);
    done[name] = await playJob(job, contexts, { place, artifacts, eventPath, event, around });
  }
  return { jobs: done, artifacts };
}

export interface JobPlace {
  readonly place: string;
  readonly artifacts: string;
  readonly eventPath: string;
  readonly event: PlayEvent;
  readonly around: Surroundings;
}

async function playJob(job: Job, given: Contexts, where: JobPlace): Promise<JobResult> {
  const { place, around, event } = where;
  const [workspace, temp] = [join(place, 'workspace'), join(place, 'temp')];
  // A job that asks for a cache of its own builds Pawl's programs anew, by the contents of the action's folder: here it
  // finds what the tests built from the same contents.
  const cache = join(temp, 'pawl-cache');
  for (const each of [workspace, cache]) await mkdir(each, { recursive: true });
  await symlink(await realpath(join(process.env.PAWL_CACHE_DIR ?? '', 'build')), join(cache, 'build'));
  const files = ['output', 'env', 'path', 'summary'].map((name) => join(temp, `file-${name}`));
  const [output, envFile, pathFile, summary] = files as [string, string, string, string];
  for (const file of files) await writeFile(file, '');
  // Whatever CI runs these tests is not the one that is played. It has the tests' cache, locks and leave to measure.
  const { PAWL_CACHE_DIR, PAWL_LOCK_NAMESPACE, PAWL_ACCEPT_LOAD } = process.env;
  const own = Object.entries(process.env).filter(([name]) => !/^(GITHUB_|RUNNER_|INPUT_|PAWL_)/.test(name));
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(own),
    PAWL_CACHE_DIR,
    PAWL_LOCK_NAMESPACE,
    PAWL_ACCEPT_LOAD,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: where.eventPath,
    GITHUB_REPOSITORY: around.repository,
    GITHUB_SHA: event.sha,
    GITHUB_REF: event.ref,
    GITHUB_REF_NAME: event.ref.replace(/^refs\/(heads|tags)\//, ''),
    GITHUB_RUN_ID: String(runs),
    GITHUB_SERVER_URL: 'https://github.test',
    GITHUB_API_URL: around.apiUrl,
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: output,
    GITHUB_ENV: envFile,
    GITHUB_PATH: pathFile,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temp,
  };
  const steps: StepResult[] = [];
  const outputs: Record<string, { outputs: Record<string, string> }> = {};
  let status: 'success' | 'failure' = 'success';
  for (const step of job.steps) {
    const contexts = { ...given, steps: outputs, runner: { temp }, env: {} };
    if (!holds(step.if, contexts, { status })) continue;
    const text = (value: unknown) => interpolate(String(value), contexts, { status });
    const stepEnv = Object.entries(step.env ?? {}).map(([name, value]) => [name, text(value)]);
    const extra = (await readFile(pathFile, 'utf8')).split('\n').filter((line) => line !== '');
    const paths = [...extra.toReversed(), process.env['PATH'] ?? ''].join(':');
    await writeFile(output, '');
    const result = await playStep(step, text, {
      ...where,
      workspace,
      env: { ...env, PATH: paths, ...Object.fromEntries(stepEnv) },
    });
    steps.push(result);
    if (step.id !== undefined) outputs[step.id] = { outputs: outputsOf(await readFile(output, 'utf8')) };
    if (result.code !== 0) status = 'failure';
  }
  const contexts = { ...given, steps: outputs };
  const handed = Object.entries(job.outputs ?? {}).map(([name, value]) => [
    name,
    interpolate(value, contexts, { status }),
  ]);
  return {
    result: status,
    outputs: Object.fromEntries(handed) as Record<string, string>,
    steps,
    log: steps.map(({ label, log }) => `# ${label}\n${log}`).join('\n'),
    summary: await readFile(summary, 'utf8'),
  };
}

/** `name=value`, and `name<<end` with lines up to the end. */
function outputsOf(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const block = /^([\w-]+)<<(.+)$/.exec(lines[at]!);
    const plain = /^([\w-]+)=(.*)$/.exec(lines[at]!);
    if (block !== null) {
      const end = lines.indexOf(block[2]!, at + 1);
      outputs[block[1]!] = lines.slice(at + 1, end).join('\n');
      at = end;
    } else if (plain !== null) outputs[plain[1]!] = plain[2]!;
  }
  return outputs;
}
