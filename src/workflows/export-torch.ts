/** `pawl export --torch`: an operator for PyTorch of the best variants that are confirmed, with the proof of them. */
import { hostname } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { includeFiles } from '../build/include-files.ts';
import { usesCudaOracle } from '../build/kernel-jobs.ts';
import { pythonFiles } from '../build/python-files.ts';
import type { Built } from '../build/build-job.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { caseValues } from '../config/plan-case.ts';
import { kernelNames, planKernel, type KernelPlan } from '../config/plan-kernel.ts';
import { changedFiles, gitState } from '../device/environment.ts';
import { cpuIdentity } from '../device/host.ts';
import type { Baseline } from '../model/judge/baseline.ts';
import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';
import { studySchema, type Study } from '../model/tune/study-report.ts';
import {
  TORCH_DISPATCH_SCHEMA,
  TORCH_EXPORT_SCHEMA,
  TORCH_PROOF_SCHEMA,
  type ExportedVariant,
  type OracleFacts,
  type TorchDispatch,
  type TorchExportReport,
  type TorchProof,
} from '../model/reports/torch-export.ts';
import { variantText } from '../model/problem/variant.ts';
import { PAWL_VERSION } from '../model/version.ts';
import { askGit } from '../os/git/run-git.ts';
import { readIfThere } from '../os/read-if-there.ts';
import { runContext, type RunContext } from '../os/run-context.ts';
import { keyFrom, openBaseline } from '../ratchet/baseline-file.ts';
import { parseBaseline } from '../ratchet/parse-baseline.ts';
import { verifyBaseline } from '../ratchet/verify-baseline.ts';
import { buildVariants } from '../operator/build-variants.ts';
import { chooseRows, type ChosenRow } from '../operator/choose-rows.ts';
import { describeOperator, operatorNames, refuseUnsupported } from '../operator/describe-operator.ts';
import { proveVariants } from './export-torch/prove-variants.ts';
import { sameCode } from '../operator/same-code.ts';
import { PackageDraft, requirePlace } from '../operator/write-package.ts';

/** Which kernels to export, from which baseline and studies, and where the package goes. */
export interface ExportTorchOptions extends Partial<RunContext> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** Kernels of one problem, or the name of a problem: all of its kernels on one device that the baseline knows. */
  readonly kernels: readonly string[];
  /** The baseline; default: pawl-baseline.json beside pawl.yaml. */
  readonly baseline?: string;
  /** Studies of `pawl tune` whose confirmed winners are exported: their trials.json. */
  readonly studies?: readonly string[];
  /** Only these cases. */
  readonly cases?: readonly string[];
  /** Default: as pawl.yaml measures. */
  readonly mode?: Mode;
  /** The device whose times are used, if the baseline has several. */
  readonly device?: string;
  /** The folder of the package; default: its name, in the working directory. */
  readonly out?: string;
  /** The package's and the operator's name; default: `pawl_KERNEL` and the kernel's. */
  readonly name?: string;
  /** `module:function` that is called for shapes without a proof. */
  readonly fallback?: string;
  /** Generated cases to run for each variant; false: check no case at all. Default 100. */
  readonly fuzz?: number | false;
  /** Replace an earlier export. */
  readonly force?: boolean;
  readonly gpu?: number;
  readonly wait_s?: number;
}

const DEFAULT_CASES = 100;

/**
 * Writes a Python package with an operator for PyTorch: the fastest confirmed variant for each shape, with the proof.
 * Checks each variant against its oracle first, unless `fuzz` is false.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if a name is wrong or the
 * folder exists; `bad-data` if nothing is confirmed, or a variant is wrong; `does-not-build` if a variant does not
 * build
 */
export async function exportTorch(options: ExportTorchOptions): Promise<TorchExportReport> {
  const context = runContext(options);
  const loaded = await loadConfig(options.config);
  const { path, baseline, record } = await soundBaseline(options, loaded);
  const studies = await Promise.all((options.studies ?? []).map(readStudy));
  const kernels = namedKernels(loaded, options.kernels);
  const fallback = checkedFallback(options.fallback);
  const { rows, notes } = chooseRows({
    loaded,
    kernels,
    baseline,
    studies,
    mode: options.mode ?? loaded.config.measure.mode,
    cases: options.cases,
    device: options.device,
  });
  const problem = loaded.config.problems[rows[0]!.plan.problem]!;
  refuseUnsupported(problem, rows);
  const names = operatorNames(kernels.length === 1 ? kernels[0]! : rows[0]!.plan.problem, options.name);
  const cpu = rows[0]!.plan.device === 'cpu' ? await cpuIdentity() : undefined;
  const operator = { ...describeOperator(problem, rows, names), ...defined({ cpu }) };
  const out = resolve(options.out ?? names.namespace);
  requirePackageName(out, names.namespace);
  await requirePlace(out, options.force === true);

  const plans = distinctVariants(rows);
  const built = await buildVariants(
    plans.map(({ plan }) => plan),
    { root: loaded.root, ...context },
  );
  const top = (await askGit(loaded.root, ['rev-parse', '--show-toplevel'])) ?? loaded.root;
  const files = await Promise.all(
    plans.map(({ plan }, at) => filesOf(plan, built.kernels[at], { root: loaded.root, top })),
  );
  const sameOf = new Map<ChosenRow, ExportedVariant['same_code']>();
  for (const [at, { rows: own }] of plans.entries()) {
    for (const row of own)
      sameOf.set(row, await sameCode(row, { sha256: built.kernels[at]?.sha256, files: files[at]!, top }));
  }
  const fuzz =
    options.fuzz === false
      ? undefined
      : await proveVariants(
          plans.map(({ plan }) => plan),
          {
            ...context,
            config: loaded.path,
            count: options.fuzz ?? DEFAULT_CASES,
            ...defined({ gpu: options.gpu, wait_s: options.wait_s }),
          },
        );

  const draft = await PackageDraft.begin(out);
  try {
    const oracleFiles = await oracleFilesOf(plans[0]!.plan, built.oracle, { root: loaded.root, top });
    const sources = await draft.addSources([...files.flat(), ...oracleFiles], top);
    const variants = await Promise.all(
      plans.map(async ({ plan, rows: own }, at): Promise<ExportedVariant> => {
        const library = built.kernels[at];
        const shared = {
          kernel: plan.name,
          variant: plan.variant,
          same_code: own.every((row) => sameOf.get(row) === 'machine-code')
            ? ('machine-code' as const)
            : ('sources' as const),
        };
        if (library === undefined) {
          const file = await draft.add(plan.module!, join('sources', relative(top, plan.module!)));
          return { ...shared, module: { ...file, function: plan.function! } };
        }
        const file = await draft.add(library.artifact, `lib/${plan.name}-${at}.so`);
        const compiler = `${library.compiler.name} ${library.compiler.version}`;
        return {
          ...shared,
          library: { ...file, compiler, ...defined({ code_sha256: library.code_sha256 }) },
        };
      }),
    );
    const variantOf = (row: ChosenRow) => plans.findIndex(({ rows: own }) => own.includes(row));
    const dispatch: TorchDispatch = {
      schema: TORCH_DISPATCH_SCHEMA,
      operator,
      oracle: await oracleFacts(plans[0]!.plan, built.oracle, draft, top),
      variants,
      rows: rows.map((row) => {
        const values = caseValues(row.case);
        const isScalar = (name: string) => operator.scalars.some((scalar) => scalar.name === name);
        const pick = (wanted: boolean) =>
          Object.fromEntries(Object.entries(values).filter(([name]) => isScalar(name) === wanted));
        return {
          case: row.case.name,
          dims: pick(false),
          scalars: pick(true),
          variant: variantOf(row),
          tensors: [...row.case.tensors],
          tolerance: row.case.tolerance,
          time: row.time,
          origin: row.origin,
          others: row.others,
        };
      }),
      ...defined({ fallback }),
    };
    const [git, changed] = await Promise.all([gitState(loaded.root), changedFiles(loaded.root)]);
    const kept = record && (await draft.addText('baseline.json', record.text));
    const proof: TorchProof = {
      schema: TORCH_PROOF_SCHEMA,
      pawl: PAWL_VERSION,
      exported_at: context.now().toISOString(),
      host: hostname(),
      ...defined({ commit: git?.commit }),
      changed: changed.filter((file) => !join(top, file).startsWith(`${out}/`)),
      ...(record &&
        kept && {
          baseline: {
            file: basename(path),
            sha256: kept.sha256,
            integrity: record.integrity,
            signature: record.signature,
          },
        }),
      verified: rows.map((row) => ({ case: row.case.name, kernel: row.plan.name, check: 'passed' })),
      ...defined({ fuzz }),
      sources,
    };
    const tableRows = rows.map((row) => ({ case: row.case, library: variantOf(row) }));
    await draft.finish(dispatch, proof, tableRows);
    return {
      schema: TORCH_EXPORT_SCHEMA,
      folder: out,
      package: names.namespace,
      operator: `torch.ops.${names.namespace}.${names.name}`,
      dispatch,
      proof,
      notes: [...notes, ...environmentNotes(plans.map(({ plan }) => plan))],
    };
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

interface SoundBaseline {
  readonly path: string;
  readonly baseline: Baseline;
  /** Undefined where there is no file. */
  readonly record?: Pick<NonNullable<TorchProof['baseline']>, 'integrity' | 'signature'> & {
    readonly text: string;
  };
}

/** The baseline, where only Pawl has written it. */
async function soundBaseline(options: ExportTorchOptions, loaded: LoadedConfig): Promise<SoundBaseline> {
  const { path, text, baseline } = await openBaseline({
    config: loaded.path,
    ...defined({ baseline: options.baseline }),
  });
  if (text === undefined) {
    if ((options.studies ?? []).length > 0) return { path, baseline };
    throw new PawlError(
      'bad-data',
      `There is no ${basename(path)}, so nothing is confirmed.`,
      ownHint('Measure the kernels and write a baseline: pawl check --update', 'check'),
    );
  }
  const key = keyFrom({});
  const problems = verifyBaseline(text, { key, label: basename(path) });
  if (problems.length > 0) {
    throw new PawlError(
      'bad-data',
      `${basename(path)} is not valid, so nothing is exported: ${problems.join('; ')}.`,
      ownHint('For details: pawl ratchet verify', 'ratchet verify'),
    );
  }
  const { integrity } = parseBaseline(text, basename(path));
  const signature = key === undefined ? 'not-verified' : 'verified';
  return { path, baseline, record: { text, integrity, signature } };
}

async function readStudy(file: string): Promise<Study> {
  const text = await readIfThere(resolve(file));
  if (text === undefined) throw new PawlError('usage', `There is no file ${file}.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const study = studySchema.safeParse(value);
  if (study.success) return study.data;
  throw new PawlError(
    'bad-data',
    `${file} is not a study.`,
    'Give a trials.json that pawl tune wrote (schema pawl.study/1).',
  );
}

/** Kernels by their names; a problem stands for all kernels of it that are not in Python. */
function namedKernels(loaded: LoadedConfig, asked: readonly string[]): string[] {
  const { kernels, problems } = loaded.config;
  return [
    ...new Set(
      asked.flatMap((name) => {
        if (Object.hasOwn(kernels, name) || !Object.hasOwn(problems, name)) {
          // Refuses a name that the file does not have.
          return [planKernel(loaded, name).name];
        }
        return kernelNames(loaded).filter(
          (each) => kernels[each]!.problem === name && kernels[each]!.language !== 'python',
        );
      }),
    ),
  ];
}

function checkedFallback(text: string | undefined): string | undefined {
  if (text === undefined || /^[A-Za-z_][\w.]*:[A-Za-z_]\w*$/u.test(text)) return text;
  throw new PawlError(
    'usage',
    `${JSON.stringify(text)} does not name a function.`,
    'Write it as MODULE:FUNCTION, as in --fallback mymodel.attention:plain',
  );
}

/** `import pawl_attention` finds a folder of that name. */
function requirePackageName(out: string, namespace: string): void {
  if (basename(out) === namespace) return;
  throw new PawlError(
    'usage',
    `The folder of the package must be named ${namespace}, not ${basename(out)}.`,
    `Write it to ${join(dirname(out), namespace)}, or rename the package: --name ${basename(out)}`,
  );
}

interface PlannedVariant {
  readonly plan: KernelPlan;
  readonly rows: readonly ChosenRow[];
}

/** Each variant once, with the shapes that it is the best for. */
function distinctVariants(rows: readonly ChosenRow[]): PlannedVariant[] {
  const found = new Map<string, ChosenRow[]>();
  for (const row of rows) {
    const id = `${row.plan.name} ${variantText(row.plan.variant)}`;
    found.set(id, [...(found.get(id) ?? []), row]);
  }
  return [...found.values()].map((own) => ({ plan: own[0]!.plan, rows: own }));
}

interface Place {
  readonly root: string;
  readonly top: string;
}

/** What a kernel is made of, absolute: as the compiler read it, or as a reader finds it. */
async function filesOf(plan: KernelPlan, built: Built | undefined, place: Place): Promise<readonly string[]> {
  if (built !== undefined) return [...plan.sources, ...built.dependencies];
  return pythonFiles(plan.module!, place);
}

async function oracleFilesOf(
  { oracle, includeDirs }: KernelPlan,
  built: Built | undefined,
  place: Place,
): Promise<readonly string[]> {
  if (oracle === undefined) return [];
  if ('module' in oracle) return pythonFiles(oracle.module, place);
  const named = [oracle.source, oracle.cuda].filter((file) => file !== undefined);
  return [...(await includeFiles(named, { includeDirs, top: place.top })), ...(built?.dependencies ?? [])];
}

async function oracleFacts(
  plan: KernelPlan,
  built: Built | undefined,
  draft: PackageDraft,
  top: string,
): Promise<OracleFacts> {
  const { oracle } = plan;
  if (oracle !== undefined && 'module' in oracle) {
    const module = await draft.add(oracle.module, join('sources', relative(top, oracle.module)));
    const { function: name, reference, precision } = oracle;
    return { language: 'python', module, function: name, ...defined({ reference, precision }) };
  }
  const library = await draft.add(built!.artifact, 'lib/oracle.so');
  return { language: usesCudaOracle(plan, oracle ?? {}) ? 'cuda' : 'c++', library };
}

/** What the process of a kernel had that a process of PyTorch does not have by itself. */
function environmentNotes(plans: readonly KernelPlan[]): string[] {
  return plans.flatMap(({ name, env }) =>
    Object.entries(env ?? {}).map(
      ([variable, value]) => `${name} was measured with ${variable}=${value} set.`,
    ),
  );
}
