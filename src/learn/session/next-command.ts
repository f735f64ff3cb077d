import type { GateResult } from '../../model/learn/gate.ts';
import { needsBefore } from '../../model/old-words.ts';
import type { Session } from '../../model/learn/session.ts';
import { isStopping, isWithoutProfiler } from '../../model/learn/session-progress.ts';

/** What comes next in a session: always a command, so that there is no guessing. */
export function nextCommand(session: Omit<Session, 'next'>): string {
  const { id, state, phase, gates, tries, goal, speedup } = session;
  if (state === 'ended') return `pawl session show ${id}`;
  const blocking = gates.find(isStopping);
  if (state === 'stopped') return blocking === undefined ? 'pawl session check' : pastGate(blocking, gates);
  const last = tries.at(-1);
  if (last !== undefined && last.outcome === undefined) return tryCommand(last.hypothesis, last.rule);
  if (phase === 'validate')
    return hasOpen(gates, 'validate') ? 'pawl session check --validate' : 'pawl session end';
  if (phase !== 'optimise' || hasOpen(gates, 'optimise')) return 'pawl session check';
  // Without a try there is nothing to validate, whatever the kernel was before.
  if (tries.some(({ kept }) => kept === true) && (speedup.best ?? 0) >= goal.speedup)
    return 'pawl session end';
  return suggestedTry(session);
}

/** What the gate asks for; where that is a profile and none can be taken here, what helps instead. */
function pastGate(blocking: GateResult, gates: readonly GateResult[]): string {
  const { gate, next = 'pawl session check', needs = needsBefore(next), evidence } = blocking;
  const without = gates.find(isWithoutProfiler);
  // Of a CPU kernel the same command reads the compiled code.
  if (needs !== 'profiler' || without === undefined || hasCodeFindings(without)) return next;
  return evidence?.kind === 'tries'
    ? 'pawl session end'
    : `pawl session override ${gate} --reason "no profiler can run here"`;
}

function hasCodeFindings({ evidence }: GateResult): boolean {
  return evidence?.facts['code_findings'] !== undefined;
}

function suggestedTry({ advice, tries }: Pick<Session, 'advice' | 'tries'>): string {
  const spent = new Set(
    tries.filter(({ outcome }) => outcome !== 'improved' && outcome !== 'corrected').map(({ rule }) => rule),
  );
  const fix = advice?.fixes.find(({ rule }) => !spent.has(rule)) ?? advice?.fixes[0];
  return fix === undefined ? tryCommand('what you expect, and why') : tryCommand(fix.fix, fix.rule);
}

function tryCommand(hypothesis: string, rule?: string): string {
  const text = hypothesis.replaceAll(/["$`\\]|\p{C}/gu, ' ').slice(0, 120);
  return `pawl session try --hypothesis "${text}"${rule === undefined ? '' : ` --finding ${rule}`}`;
}

function hasOpen(gates: readonly GateResult[], phase: Session['phase']): boolean {
  return gates.some((gate) => gate.phase === phase && gate.state === 'open');
}
