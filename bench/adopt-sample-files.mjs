/** Where the suites' own solutions are, for `adopt-samples.mjs`: each with its problem. Nothing of a suite is kept here. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import process from 'node:process';

const python = process.env.PAWL_PYTHON ?? 'python3';
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

function filesBelow(root, isSample) {
  return readdirSync(root, { recursive: true })
    .filter((path) => isSample(path))
    .toSorted((a, b) => a.localeCompare(b))
    .map((path) => join(root, path));
}

/** Nearest folder above a file that has a file of this name. */
function above(file, name) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, name))) return folder;
  return undefined;
}

/** `model_new_ex_add_triton.py` solves `model_ex_add.py`; kernels of unit tests solve the problem that the tests name. */
function kernelbench(root) {
  const examples = filesBelow(root, (path) => /(^|\/)model_new_ex_\w+\.py$/u.test(path)).flatMap(
    (candidate) => {
      const name = basename(candidate, '.py').replace('model_new_', 'model_');
      const problem = [name, name.replace(/_[^_]+$/u, '')]
        .map((one) => join(dirname(candidate), `${one}.py`))
        .find((one) => existsSync(one));
      return problem === undefined ? [] : [{ candidate, problem: [problem] }];
    },
  );
  const square = join(root, 'KernelBench/level1/1_Square_matrix_multiplication_.py');
  const adversarial = filesBelow(root, (path) => /(^|\/)test_kernels\/\w+\.py$/u.test(path));
  return [...examples, ...adversarial.map((candidate) => ({ candidate, problem: [square] }))];
}

const TASK_SAMPLES =
  /(^|\/)((submission|cheat|wrong|template)[\w-]*\.(py|cu)|solutions\/(correct|wrong)\/[\w-]+\.py)$/u;

function tasks(root) {
  return filesBelow(root, (path) => TASK_SAMPLES.test(path)).flatMap((candidate) => {
    const folder = above(candidate, 'task.yml');
    if (folder === undefined) return [];
    // What cheats may do so in one size only.
    const firstCase = !basename(candidate).startsWith('cheat');
    return [{ candidate, problem: [join(folder, 'task.yml')], firstCase }];
  });
}

const LITERALS = `import ast, json, sys
names = {"_EVIL_DEFINITION_DICT": "definition", "_EVIL_WORKLOAD_DICTS": "workloads"}
tree = ast.parse(open(sys.argv[1]).read())
found = {names[one.targets[0].id]: ast.literal_eval(one.value) for one in tree.body
         if isinstance(one, ast.Assign) and getattr(one.targets[0], "id", "") in names}
print(json.dumps(found))`;

/** The definition that SOL-ExecBench's tests of hacks have in their code, written to files. */
function definitionInTests(root, scratch) {
  const tests = join(root, 'tests/sol_execbench/test_e2e.py');
  if (!existsSync(tests)) return [];
  const { definition, workloads } = JSON.parse(
    execFileSync(python, ['-c', LITERALS, tests], { encoding: 'utf8' }),
  );
  const folder = join(scratch, 'sol-hacks');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'definition.json'), JSON.stringify(definition));
  writeFileSync(join(folder, 'workload.jsonl'), workloads.map((one) => JSON.stringify(one)).join('\n'));
  return [join(folder, 'definition.json')];
}

/** A solution whose sources lie beside it instead of in it, with them in it, as the suite's tests read it. */
function whole(file, scratch) {
  const solution = json(file);
  if (solution.sources.every(({ content }) => content)) return file;
  const sources = solution.sources.map(({ path, content }) => ({
    path,
    content: content || readFileSync(join(dirname(file), path), 'utf8'),
  }));
  const folder = join(scratch, 'sol-whole', basename(dirname(file)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'solution.json'), JSON.stringify({ ...solution, sources }));
  return join(folder, 'solution.json');
}

/** Definitions, workloads and solutions in JSON; a hack may be a solution to another sample's definition. */
function definitions(root, scratch) {
  const isDefinition = (path) =>
    basename(path) === 'definition.json' || /(^|\/)definitions\/.*\.json$/u.test(path);
  const files = [...filesBelow(root, isDefinition), ...definitionInTests(root, scratch)];
  const byName = new Map(files.map((file) => [json(file).name, file]));
  const isSolution = (path) => /(^|\/)(solution\w*|solutions\/.*)\.json$/u.test(path);
  return filesBelow(root, isSolution).flatMap((source) => {
    const beside = join(dirname(source), 'definition.json');
    const definition = existsSync(beside) ? beside : byName.get(json(source).definition);
    if (definition === undefined) return [];
    const workload = [
      join(dirname(definition), 'workload.jsonl'),
      join(dirname(definition), '../workloads', `${basename(definition, '.json')}.jsonl`),
    ].find((one) => existsSync(one));
    const workloads = workload === undefined ? [] : ['--workload', workload];
    const candidate = whole(source, scratch);
    return [{ source, candidate, problem: [definition, ...workloads], firstCase: true }];
  });
}

const SUITES = { kernelbot: tasks, sol: definitions, flashinfer: definitions, kernelbench, gpumode: tasks };

/** All samples of the suites whose checkouts are given. What a suite says of a sample is in its path. */
export function samplesOf(checkouts, scratch) {
  return Object.entries(SUITES).flatMap(([suite, find]) => {
    if (checkouts[suite] === undefined) return [];
    const root = resolve(checkouts[suite]);
    return find(root, scratch).map(({ source, candidate, problem, firstCase }) => {
      const path = relative(root, source ?? candidate);
      const isRefused = /wrong|hack|evil|cheat|test_kernels|template/u.test(path);
      return { suite, path, expected: isRefused ? 'refused' : 'right', candidate, problem, firstCase };
    });
  });
}

const IMPORTS = `import ast, importlib.util, json, sys
def needed(text):
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for one in tree.body:
        if isinstance(one, ast.Import):
            yield from (name.name.split(".")[0] for name in one.names)
        elif isinstance(one, ast.ImportFrom) and not one.level:
            yield one.module.split(".")[0]
known = {}
def is_here(name):
    if name not in known:
        known[name] = importlib.util.find_spec(name) is not None
    return known[name]
print(json.dumps([sorted(name for name in set(needed(text)) if name not in own and not is_here(name))
                  for text, own in json.load(sys.stdin)]))`;

/** The Python modules that each sample imports and that are not installed; with them it cannot run anywhere here. */
export function missingModules(samples) {
  const asked = samples.map(({ candidate }) => {
    const isJson = extname(candidate) === '.json';
    const sources = isJson
      ? json(candidate).sources.filter(({ path }) => path.endsWith('.py'))
      : [{ path: candidate, content: extname(candidate) === '.py' ? readFileSync(candidate, 'utf8') : '' }];
    const beside = isJson ? sources.map(({ path }) => path) : readdirSync(dirname(candidate));
    // A task brings these along.
    const own = ['task', 'utils', 'reference', ...beside.map((file) => basename(file, '.py'))];
    return [sources.map(({ content }) => content).join('\n'), own];
  });
  return JSON.parse(
    execFileSync(python, ['-c', IMPORTS], { input: JSON.stringify(asked), encoding: 'utf8' }),
  );
}
