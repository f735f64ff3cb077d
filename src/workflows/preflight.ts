/** `pawl preflight`: the gates before any work on a kernel, without a session. */
import { defined } from '../model/defined.ts';
import { loadConfig } from '../config/load-config.ts';
import { planKernel } from '../config/plan-kernel.ts';
import { loadMethod } from '../learn/method/load-method.ts';
import type { GateResult } from '../model/learn/gate.ts';
import { isStopping } from '../model/learn/session-progress.ts';
import { PawlError } from '../model/pawl-error.ts';
import { PREFLIGHT_SCHEMA, type PreflightReport } from '../model/reports/preflight-report.ts';
import { onlyKernel } from './project.ts';
import { defaultReference, namedReference } from '../learn/session/default-reference.ts';
import { evaluateInOrder } from '../learn/session/evaluate-in-order.ts';
import { collectEvidence, type EvidenceContext } from './session/evidence/collect-evidence.ts';
import { runContext } from '../os/run-context.ts';

/** The kernel that is to be worked on, and its reference. */
export interface PreflightOptions extends Pick<
  EvidenceContext,
  'processes' | 'gpu' | 'wait_s' | 'env' | 'signal' | 'onProgress' | 'now'
> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** Default: the only one. */
  readonly kernel?: string;
  /** Default: the kernel's first. */
  readonly case?: string;
  /** A kernel of the same problem, or a commit. Default: such a kernel, or the last commit. */
  readonly reference?: string;
}

/**
 * Runs the gates that come before any work on a kernel, without a session, and returns whether work can begin.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if the kernel, case or
 * reference does not exist; `try-again` if it was interrupted or the device is in use
 */
export async function preflight(options: PreflightOptions = {}): Promise<PreflightReport> {
  const { config, kernel: named, case: caseNamed, reference: referenceNamed, ...working } = options;
  const { now } = runContext(working);
  const started = now().getTime();
  const loaded = await loadConfig(config);
  const method = await loadMethod(loaded);
  const kernel = named ?? onlyKernel(loaded);
  const plan = planKernel(loaded, kernel, caseNamed === undefined ? {} : { cases: [caseNamed] });
  const caseName = plan.cases[0]?.name;
  if (caseName === undefined) throw new PawlError('configuration', `Kernel ${kernel} has no case.`);
  const subject = { kernel, case: caseName };
  const reference =
    referenceNamed === undefined
      ? await defaultReference(loaded, subject)
      : await namedReference(loaded, subject, referenceNamed);
  const context = { ...working, ...subject, loaded, reference, target: method.settings['target'] ?? 1 };
  const gates = await evaluateInOrder({
    gates: method.gates.filter(({ phase }) => phase === 'pre-flight'),
    settings: method.settings,
    subject: { ...subject, reference },
    collect: async ({ evidence: kind }) => ({ evidence: await collectEvidence(kind, context) }),
    afterStop: 'cheap',
    signal: working.signal,
    now,
  });
  const title = method.phases.find(({ id }) => id === 'pre-flight')?.title;
  return {
    schema: PREFLIGHT_SCHEMA,
    ...subject,
    reference,
    ready: !gates.some(isStopping),
    summary: summaryOf(kernel, gates),
    gates,
    ...defined({ phase_title: title }),
    duration_s: (now().getTime() - started) / 1000,
  };
}

function summaryOf(kernel: string, results: readonly GateResult[]): string {
  const stopping = results.filter(isStopping);
  if (stopping.length > 0) {
    const gates = stopping.length === 1 ? 'a gate stops' : `${stopping.length} gates stop`;
    return `Not ready, ${gates}: ${stopping.map(({ title }) => `"${title}"`).join(', ')}.`;
  }
  const warned = results.filter(({ state }) => state === 'warned').length;
  const more = warned === 0 ? '' : ` ${warned} ${warned === 1 ? 'thing' : 'things'} could be better.`;
  return `Work on ${kernel} can begin.${more}`;
}
