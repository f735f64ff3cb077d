import { defined } from '../model/defined.ts';
import { caseValues } from '../config/plan-case.ts';
import { recordedContents } from '../model/problem/tensor.ts';
import type { CasePlan } from '../config/plan-kernel.ts';
import type { VerifyOutcome } from '../correctness/verify-target.ts';
import type { GitState } from '../device/environment.ts';
import type { SeriesRecord } from '../measure/measure.ts';
import type { RunJournal } from '../measure/run-journal.ts';
import { blindTolerance } from '../model/correctness/blind-tolerance.ts';
import type { Verification } from '../model/correctness/verification.ts';
import { faultOf, faultText } from '../model/measure/fault.ts';
import type { OnProgress } from '../model/measure/progress.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { Target } from '../runner/target.ts';

interface Context {
  readonly targets: readonly Target[];
  readonly modes: readonly Mode[];
  readonly git: GitState | undefined;
}

/** Where records go: a run's journal, or a samples file in the making. */
type Records = Pick<RunJournal, 'add'>;

/** Writes what happens in a run to its journal, each thing under the measurement it belongs to. */
export class BenchRecorder {
  readonly #journal: Records;
  readonly #keys = new Map<string, number>();

  constructor(journal: Records, context: Context) {
    this.#journal = journal;
    for (const target of context.targets) {
      for (const plan of target.plan.cases) {
        for (const mode of context.modes) this.#announce(target, plan, mode, context.git);
      }
    }
  }

  /** Records the check of a case. False when the case must not be timed: it is wrong, or it cannot run. */
  check(target: Target, plan: CasePlan, outcome: VerifyOutcome, onProgress: OnProgress): boolean {
    const keys = this.#keysOf(target, plan);
    const where = `${target.plan.name} ${plan.name}`;
    if (outcome.status === 'failed-to-run') {
      const { reason, message, output } = outcome;
      for (const key of keys) {
        this.#journal.add({
          type: 'lost',
          key,
          lost: {
            process: 1,
            reason,
            during: 'check',
            message,
            ...(output ? { output } : {}),
          },
        });
      }
      onProgress({
        type: 'note',
        level: 'warning',
        text: `${where}: not timed, its check could not run: ${message}`,
      });
      return false;
    }
    for (const key of keys) this.#journal.add({ type: 'check', key, check: outcome.result });
    const blind = blindTolerance(outcome.result);
    if (blind !== undefined) {
      onProgress({ type: 'note', level: 'warning', text: `${where}: ${blind.message}. ${blind.remedy}` });
    }
    if (outcome.result.passed) return true;
    onProgress({
      type: 'note',
      level: 'warning',
      text: `${where}: not timed, ${whatIsWrong(plan, outcome.result)}`,
    });
    return false;
  }

  series(record: SeriesRecord): void {
    const key = this.#keys.get(identity(record.target, record.case, record.mode));
    if (key === undefined) throw new Error('a series of a measurement that was never announced');
    if ('lost' in record.outcome) {
      this.#journal.add({ type: 'lost', key, lost: record.outcome.lost });
      return;
    }
    const { taken } = record.outcome;
    const { device, versions } = record.opened ?? {};
    const { floor } = record;
    this.#journal.add({
      type: 'series',
      key,
      series: taken,
      ...defined({ device, versions, floor }),
    });
  }

  #announce(target: Target, plan: CasePlan, mode: Mode, git: GitState | undefined): void {
    const key = this.#keys.size + 1;
    this.#keys.set(identity(target, plan, mode), key);
    this.#journal.add({
      type: 'measurement',
      key,
      measurement: {
        kernel: target.plan.name,
        problem: target.plan.problem,
        case: plan.name,
        variant: target.plan.variant,
        ...defined({ variant_requested: target.plan.variantRequested }),
        mode,
        dims: caseValues(plan),
        bytes: plan.bytes,
        ...defined({
          recorded: recordedContents(plan.tensors),
          prepared_of: target.plan.prepare && [...target.plan.prepare.of],
          operations: plan.operations,
          commit: git?.commit,
          dirty: git?.dirty,
          binary: target.binary,
        }),
      },
    });
  }

  #keysOf(target: Target, plan: CasePlan): number[] {
    const prefix = identity(target, plan);
    return [...this.#keys].filter(([name]) => name.startsWith(prefix)).map(([, key]) => key);
  }
}

function identity(target: Target, plan: CasePlan, mode?: Mode): string {
  return `${JSON.stringify([target.plan.name, plan.name])} ${mode ?? ''}`;
}

/** The first thing that is wrong with a result, in one clause. */
function whatIsWrong({ name }: CasePlan, check: Verification): string {
  const fault = faultOf({ case: name, check, series: [] });
  return fault === undefined ? 'its results are wrong' : faultText(fault);
}
