import { defined } from '../../model/defined.ts';
import { speedupOf } from '../../model/judge/comparison.ts';
import { addMoney, type Money, type RunCost } from '../../model/device/cost.ts';
import { PHASES, type GateResult, type PhaseId } from '../../model/learn/gate.ts';
import type { SessionRecord, StartedRecord } from '../../model/learn/session-record.ts';
import { SESSION_SCHEMA, type Session, type Try } from '../../model/learn/session.ts';
import { isGateDone, isStopping, isWithoutProfiler } from '../../model/learn/session-progress.ts';
import { nextCommand } from './next-command.ts';
import { PhaseClock } from './phase-clock.ts';
import { targetFacts } from './target-speedup.ts';

/** Phases that look at the kernel as it is: a change that is kept opens their gates again. */
const OF_CURRENT_STATE: readonly PhaseId[] = ['optimise', 'validate'];

/** What a session's records amount to. */
export function foldSession(records: readonly SessionRecord[]): Session {
  const [first, ...rest] = records;
  if (first?.type !== 'started') throw new Error('a session begins with its start');
  const fold = new SessionFold(first);
  for (const record of rest) fold.add(record);
  return fold.session(records.length);
}

/** The commit that the next try is compared with: of the last try that was kept, or the start. */
export function keptState(records: readonly SessionRecord[]): string {
  const states = records.flatMap((record) =>
    record.type === 'started' || record.type === 'kept' ? (record.state ?? []) : [],
  );
  const last = states.at(-1);
  if (last === undefined) throw new Error('a session begins with a state');
  return last;
}

/** The commit by whose judge tries are judged: the start, or the last try whose judge a person accepted. */
export function judgeState(records: readonly SessionRecord[]): string {
  const heads = new Map<number, string>();
  let state: string | undefined;
  for (const record of records) {
    if (record.type === 'started') state = record.state;
    if (record.type === 'tried' && record.try.change.head !== undefined) {
      heads.set(record.try.number, record.try.change.head);
    }
    if (record.type === 'measured' && record.measured?.judge_accepted !== undefined) {
      state = heads.get(record.number) ?? state;
    }
  }
  if (state === undefined) throw new Error('a session begins with a state');
  return state;
}

class SessionFold {
  readonly #start: StartedRecord;
  readonly #clock: PhaseClock;
  readonly #gates: GateResult[];
  /** Gates that hold the session up, by id. */
  readonly #blocking = new Set<string>();
  readonly #tries: Try[] = [];
  readonly #notes: Session['notes'] = [];
  readonly #annotations: Session['annotations'] = [];
  readonly #device_s = new Map<PhaseId, number>();
  readonly #costs: RunCost[] = [];
  #advice: Session['advice'];
  #ended: Extract<SessionRecord, { type: 'ended' }> | undefined;
  #firstSpeedup: number | undefined;
  #reference_ms: number | undefined;
  /** Of the full comparison, for as long as nothing is changed after it. */
  #validated: number | undefined;

  constructor(start: StartedRecord) {
    this.#start = start;
    this.#clock = new PhaseClock(start.at);
    this.#gates = start.gates.map((gate) => ({ ...gate, state: 'open', reason: 'not evaluated yet' }));
    this.#charge(start.cost, 'pre-flight');
    const { kernel, revision } = start.reference;
    if (kernel === undefined && revision === undefined) this.#firstSpeedup = 1;
  }

  add(record: SessionRecord): void {
    const cost = 'cost' in record ? record.cost : undefined;
    const phase = this.#phaseOf(record);
    const took_s = record.type === 'gate' ? record.result.took_s : undefined;
    const worked_s = Math.max(cost?.wall_s ?? 0, took_s ?? 0);
    this.#clock.tick(record.at, this.#phase(), { phase, worked_s });
    this.#charge(cost, phase);
    this.#apply(record);
  }

  #apply(record: SessionRecord): void {
    switch (record.type) {
      case 'started':
        return;
      case 'gate':
        this.#setGate(record.result);
        if (record.stops && isStopping(record.result)) this.#blocking.add(record.result.gate);
        else this.#blocking.delete(record.result.gate);
        this.#learnSpeedup(record.result);
        return;
      case 'overridden': {
        const { gate, reason, by, at } = record;
        const before = this.#gates.find((each) => each.gate === gate);
        if (before !== undefined) {
          this.#setGate({ ...before, state: 'overridden', override: { reason, by, at } });
        }
        this.#blocking.delete(gate);
        // A kept change opens the gate again; that it was overridden once stays known.
        this.#notes.push({ at, by, text: `overrode ${gate}: ${reason}` });
        return;
      }
      case 'advised':
        this.#advice = record.advice;
        return;
      case 'noted': {
        const { type: _, ...note } = record;
        this.#notes.push(note);
        return;
      }
      case 'tried':
        this.#tries.push(record.try);
        return;
      case 'measured': {
        const { measured, outcome, share_of_predicted, warnings } = record;
        this.#changeTry(record.number, (one) => ({
          ...one,
          ...defined({ measured }),
          outcome,
          ...defined({ share_of_predicted }),
          warnings: [...one.warnings, ...warnings],
        }));
        if (this.#reference_ms !== undefined && measured?.before_ms !== undefined && this.#isUnchanged()) {
          this.#firstSpeedup ??= this.#reference_ms / measured.before_ms;
        }
        return;
      }
      case 'kept':
        this.#changeTry(record.number, (one) => ({ ...one, kept: record.kept }));
        if (record.kept) this.#reopen();
        return;
      case 'learnt':
        this.#changeTry(record.number, (one) => ({ ...one, learnt: record.text }));
        return;
      case 'annotated':
        this.#annotations.push(record.annotation);
        return;
      case 'ended':
        this.#ended = record;
    }
  }

  session(revision: number): Session {
    const { id, goal, kernel, kind, reference, device, by, at, prediction, warnings, phases } = this.#start;
    const state = this.#ended !== undefined ? 'ended' : this.#blocking.size > 0 ? 'stopped' : 'open';
    const folded: Omit<Session, 'next'> = {
      schema: SESSION_SCHEMA,
      id,
      revision,
      goal,
      kernel,
      kind,
      reference,
      ...defined({ device, by }),
      started_at: at,
      ...defined({ ended_at: this.#ended?.at, outcome: this.#ended?.outcome }),
      state,
      phase: this.#phase(),
      prediction,
      gates: this.#gates,
      tries: this.#tries,
      notes: this.#notes,
      phases: phases.map(({ phase, title, budget_s }) => ({
        phase,
        title,
        spent_s: this.#clock.spent_s(phase),
        device_s: this.#device_s.get(phase) ?? 0,
        budget_s,
      })),
      ...defined({ advice: this.#advice }),
      cost: sumOf(this.#costs),
      speedup: this.#speedup(),
      lessons: this.#ended?.lessons ?? [],
      annotations: this.#annotations,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    return { ...folded, next: nextCommand(folded) };
  }

  /** The first with a gate that is not done. Validating is begun on purpose: until then there is more to try. */
  #phase(): PhaseId {
    const open = PHASES.find(
      (phase) => phase !== 'validate' && this.#gatesOf(phase).some((gate) => !isGateDone(gate)),
    );
    if (open !== undefined) return open;
    return this.#gatesOf('validate').some(({ state }) => state !== 'open') ? 'validate' : 'optimise';
  }

  #phaseOf(record: SessionRecord): PhaseId {
    if (record.type === 'gate') return record.result.phase;
    if (record.type === 'tried' || record.type === 'measured') return 'optimise';
    return this.#phase();
  }

  #gatesOf(phase: PhaseId): readonly GateResult[] {
    return this.#gates.filter((gate) => gate.phase === phase);
  }

  #setGate(result: GateResult): void {
    const place = this.#gates.findIndex(({ gate }) => gate === result.gate);
    if (place < 0) this.#gates.push(result);
    else this.#gates[place] = result;
  }

  #learnSpeedup(result: GateResult): void {
    const { speedup, reference_ms } = targetFacts(result, this.#start.goal.case);
    this.#reference_ms = reference_ms ?? this.#reference_ms;
    if (this.#isUnchanged()) this.#firstSpeedup ??= speedup;
    if (result.phase === 'validate') this.#validated = speedup ?? this.#validated;
  }

  #isUnchanged(): boolean {
    return this.#tries.every(({ kept }) => kept !== true);
  }

  #reopen(): void {
    this.#validated = undefined;
    this.#gates.forEach((gate, place) => {
      if (!OF_CURRENT_STATE.includes(gate.phase) || gate.state === 'open') return;
      // Who goes on without a profile has said so for the session; who waived validation has done so for one state.
      if (gate.state === 'overridden' && gate.phase === 'optimise') return;
      if (isWithoutProfiler(gate)) return;
      this.#gates[place] = {
        gate: gate.gate,
        phase: gate.phase,
        title: gate.title,
        state: 'open',
        reason: 'the kernel changed since it was evaluated',
      };
      this.#blocking.delete(gate.gate);
    });
  }

  #changeTry(number: number, change: (one: Try) => Try): void {
    const place = this.#tries.findIndex((each) => each.number === number);
    const one = this.#tries[place];
    if (one === undefined) throw new Error(`the journal tells of try ${number}, which was never begun`);
    this.#tries[place] = change(one);
  }

  #charge(cost: RunCost | undefined, phase: PhaseId): void {
    if (cost === undefined) return;
    this.#costs.push(cost);
    this.#device_s.set(phase, (this.#device_s.get(phase) ?? 0) + (cost.device_s ?? 0));
  }

  /** At the start, and times what every kept try gained. */
  #speedup(): Session['speedup'] {
    const first = this.#firstSpeedup;
    if (this.#validated !== undefined) {
      return { ...defined({ first }), best: this.#validated };
    }
    if (first === undefined) return {};
    let best = first;
    for (const { kept, measured } of this.#tries) {
      if (kept === true && measured?.change_pct !== undefined) best *= speedupOf(measured.change_pct) ?? 1;
    }
    return { first, best };
  }
}

/** Amounts of one currency: a project has one. */
function sumOf(costs: readonly RunCost[]): RunCost {
  const [money] = addMoney(
    costs.flatMap(({ money }): readonly Money[] => (money === undefined ? [] : [money])),
  );
  return {
    wall_s: costs.reduce((sum, { wall_s }) => sum + wall_s, 0),
    device_s: costs.reduce((sum, { device_s = 0 }) => sum + device_s, 0),
    ...defined({ money }),
  };
}
