import { caseValues, type CasePlan } from '../config/plan-case.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { planKernel, type KernelPlan } from '../config/plan-kernel.ts';
import type { Baseline, BaselineEntry } from '../model/judge/baseline.ts';
import { confirmedBest } from '../model/judge/confirmed-best.ts';
import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Study } from '../model/tune/study-report.ts';
import type { DispatchRow, RowOrigin } from '../model/reports/torch-export.ts';
import type { Variant } from '../model/problem/variant.ts';
import { variantText } from '../model/problem/variant.ts';
import { entryKeyText, toolchainText } from '../ratchet/entry-key.ts';
import { bootstrapMedian } from '../stats/bootstrap-median.ts';
import { hierarchicalBootstrapMedian } from '../stats/hierarchical-bootstrap.ts';

/** One shape, the variant that is the best known for it, and where that is known from. */
export interface ChosenRow {
  readonly plan: KernelPlan;
  readonly case: CasePlan;
  readonly device: string;
  readonly time: DispatchRow['time'];
  readonly origin: RowOrigin;
  /** SHA-256 of the library that was measured. */
  readonly binary: string | undefined;
  readonly commit: string | undefined;
  /** The work tree was not as the commit when it was measured. */
  readonly dirty: boolean;
  readonly others: DispatchRow['others'];
}

export interface RowChoice {
  readonly loaded: LoadedConfig;
  readonly kernels: readonly string[];
  readonly baseline: Baseline;
  readonly studies: readonly Study[];
  readonly mode: Mode;
  readonly cases: readonly string[] | undefined;
  /** The model of the device; undefined: the only one there is. */
  readonly device: string | undefined;
}

export interface ChosenRows {
  readonly rows: readonly ChosenRow[];
  readonly notes: readonly string[];
}

/** The best that is known of each shape: what a study confirmed, or else the fastest entry of the baseline. */
export function chooseRows(choice: RowChoice): ChosenRows {
  const notes: string[] = [];
  const found = [...fromBaseline(choice, notes), ...fromStudies(choice, notes)];
  if (found.length === 0) throw nothingConfirmed(choice, notes);
  const device = theDevice(found, choice);
  const byShape = new Map<string, ChosenRow[]>();
  for (const row of found) {
    if (row.device !== device) continue;
    const shape = JSON.stringify(caseValues(row.case));
    byShape.set(shape, [...(byShape.get(shape) ?? []), row]);
  }
  return { rows: [...byShape.values()].map(fastest), notes };
}

function* fromBaseline(choice: RowChoice, notes: string[]): Generator<ChosenRow> {
  const { baseline, kernels, mode, cases } = choice;
  for (const entry of baseline.entries) {
    const { key, provenance } = entry;
    if (key.kernel === undefined || !kernels.includes(key.kernel) || (key.mode ?? 'cold') !== mode) continue;
    if (cases !== undefined && !cases.includes(key.case)) continue;
    if (provenance.check !== 'passed') {
      notes.push(`${entryKeyText(key)} is left out: its results were never compared with an oracle.`);
      continue;
    }
    const planned = plannedCase(choice.loaded, key.kernel, key.variant, {
      name: key.case,
      values: entry.dims,
    });
    if ('why' in planned) {
      notes.push(`${entryKeyText(key)} is left out: ${planned.why}.`);
      continue;
    }
    const { how, time, commit, dirty, binary_sha256 } = provenance;
    yield {
      ...planned,
      device: key.device.name,
      time: timeOf(entry, mode),
      origin: {
        kind: 'baseline',
        how,
        time,
        toolchain: toolchainText(key.toolchain),
        ...defined({ commit, driver: key.device.driver, binary_sha256 }),
      },
      binary: binary_sha256,
      commit,
      dirty: dirty === true,
      others: [],
    };
  }
}

function* fromStudies(choice: RowChoice, notes: string[]): Generator<ChosenRow> {
  for (const study of choice.studies) {
    const label = `study ${study.id} of ${study.kernel}/${study.case}`;
    if (!choice.kernels.includes(study.kernel) || study.mode !== choice.mode) {
      notes.push(`${label} is left out: it belongs to another kernel or mode.`);
      continue;
    }
    const winner = confirmedBest(study);
    if (winner?.variant_ms === undefined) {
      notes.push(`${label} is left out: no variant of it was confirmed (${study.result}).`);
      continue;
    }
    const { kernel, case: name, dims } = study;
    const planned = plannedCase(choice.loaded, kernel, winner.variant, { name, values: dims });
    if ('why' in planned) {
      notes.push(`${label} is left out: ${planned.why}.`);
      continue;
    }
    const trial = study.trials.find(({ number }) => number === winner.trial);
    const { default_ms, speedup, speedup_ci } = winner;
    yield {
      ...planned,
      device: study.device.name,
      time: { median_ms: winner.variant_ms, processes: winner.processes[1], mode: study.mode },
      origin: {
        kind: 'study',
        id: study.id,
        time: study.finished_at,
        ...defined({ commit: study.commit, default_ms, speedup, speedup_ci }),
      },
      // `SHA-256/threads`.
      binary: trial?.binary?.split('/')[0],
      commit: study.commit,
      dirty: study.dirty === true,
      others: [],
    };
  }
}

/** The case as pawl.yaml has it now, if it is still the one that was measured. */
function plannedCase(
  loaded: LoadedConfig,
  kernel: string,
  variant: Variant,
  measured: { readonly name: string; readonly values: Readonly<Record<string, number>> | undefined },
): { readonly plan: KernelPlan; readonly case: CasePlan } | { readonly why: string } {
  let plan: KernelPlan;
  try {
    plan = planKernel(loaded, kernel, { variant });
  } catch (error) {
    if (error instanceof PawlError) return { why: error.message.replace(/\.$/u, '') };
    throw error;
  }
  if (variantText(plan.variant) !== variantText(variant)) {
    return { why: 'pawl.yaml has other tunables now' };
  }
  const found = plan.cases.find(({ name }) => name === measured.name);
  if (found === undefined) return { why: `pawl.yaml has no case ${measured.name} of ${kernel} now` };
  const now = caseValues(found);
  const { values } = measured;
  const isSame =
    values === undefined ||
    (Object.keys(now).length === Object.keys(values).length &&
      Object.entries(now).every(([name, value]) => values[name] === value));
  return isSame ? { plan, case: found } : { why: `its case ${measured.name} has other dimensions now` };
}

function timeOf({ series }: BaselineEntry, mode: Mode): DispatchRow['time'] {
  const all = series.map(({ samples_ms }) => samples_ms);
  const { median, low, high } =
    all.length > 1 ? hierarchicalBootstrapMedian(all) : bootstrapMedian(all[0]!, { method: 'sampled' });
  return { median_ms: median, ci_ms: [low, high], processes: series.length, mode };
}

/** What a study confirmed was asked for by name; of entries the fastest. */
function fastest(rows: readonly ChosenRow[]): ChosenRow {
  const [best, ...others] = rows.toSorted(
    (one, other) =>
      Number(other.origin.kind === 'study') - Number(one.origin.kind === 'study') ||
      one.time.median_ms - other.time.median_ms,
  );
  return {
    ...best!,
    others: others.map(({ plan, time }) => ({
      kernel: plan.name,
      variant: plan.variant,
      median_ms: time.median_ms,
    })),
  };
}

function theDevice(rows: readonly ChosenRow[], { device }: RowChoice): string {
  const known = [...new Set(rows.map((row) => row.device))];
  if (device !== undefined && known.includes(device)) return device;
  const [only, another] = known;
  if (device === undefined && only !== undefined && another === undefined) return only;
  throw new PawlError(
    'usage',
    device === undefined
      ? `The baseline has times of several devices: ${known.join(', ')}.`
      : `The baseline has no times on ${device} for this.`,
    `Choose one: --device '${only}'`,
  );
}

function nothingConfirmed({ kernels, mode, cases }: RowChoice, notes: readonly string[]): PawlError {
  const names = kernels.join(', ');
  const of = cases === undefined ? '' : ` of ${cases.join(', ')}`;
  return new PawlError(
    'bad-data',
    [`Nothing to export: ${names} (mode ${mode}) has no confirmed times${of}.`, ...notes].join('\n'),
    `Write the kernels into the baseline (pawl check --update --only ${kernels.join(',')}), or give a study that confirmed a variant (--study tuning/trials.json).`,
  );
}
