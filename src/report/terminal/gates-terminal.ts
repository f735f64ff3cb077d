import { PHASES, type GateResult } from '../../model/learn/gate.ts';
import type { PreflightReport } from '../../model/reports/preflight-report.ts';
import { GATE_MARKS } from '../gate-marks.ts';
import { painter, type Paint } from './paint.ts';
import { plainText, wrap } from '../text/plain-text.ts';
import { phaseTitle, type TitledPhase } from '../text/session-text.ts';

export interface GatesTerminalOptions {
  readonly color?: boolean;
  readonly columns?: number;
  /** Also what was seen where a gate passed: the evidence's own lines. */
  readonly verbose?: boolean;
  /** What the method calls its phases. */
  readonly phases?: readonly TitledPhase[];
}

const STYLES: Readonly<Record<GateResult['state'], Parameters<Paint>[0]>> = {
  passed: 'green',
  warned: 'yellow',
  failed: 'red',
  unknown: 'red',
  overridden: 'yellow',
  skipped: 'dim',
  open: 'dim',
};

const INDENT = '    ';

/** A checklist: a line a gate, and below it why it does not pass and the command that comes next. */
export function gatesTerminal(gates: readonly GateResult[], options: GatesTerminalOptions = {}): string {
  const { color = false, columns = 100, verbose = false, phases = [] } = options;
  const paint = painter(color);
  const lines: string[] = [];
  const told = new Set<string>();
  for (const phase of PHASES) {
    const own = gates.filter((gate) => gate.phase === phase);
    if (own.length === 0) continue;
    if (lines.length > 0) lines.push('');
    lines.push(paint('bold', plainText(phaseTitle(phase, phases))));
    for (const gate of own) {
      const { evidence } = gate;
      // Gates of one kind share their evidence: it is told with the first of them.
      const seen = verbose && evidence !== undefined && !told.has(evidence.kind) ? evidence.lines : [];
      if (evidence !== undefined) told.add(evidence.kind);
      lines.push(...gateLines(gate, seen, { paint, columns }));
    }
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

export function preflightTerminal(report: PreflightReport, options: GatesTerminalOptions = {}): string {
  const paint = painter(options.color ?? false);
  const { kernel, case: name, reference, phase_title: title } = report;
  const against = reference.kernel ?? reference.commit?.slice(0, 10);
  const head = `${kernel}, ${name}${against === undefined ? '' : `, against ${against}`}`;
  const phases = [{ phase: 'pre-flight' as const, title }];
  const verdict = `${markOf(report.ready ? 'passed' : 'failed', paint)} ${paint('bold', plainText(report.summary))}`;
  return `${paint('bold', plainText(head))}\n\n${gatesTerminal(report.gates, { ...options, phases })}\n${verdict}\n`;
}

function markOf(state: GateResult['state'], paint: Paint): string {
  return paint(STYLES[state], GATE_MARKS[state]);
}

interface Rendering {
  readonly paint: Paint;
  readonly columns: number;
}

function gateLines(gate: GateResult, seen: readonly string[], { paint, columns }: Rendering): string[] {
  const title = plainText(gate.title);
  const head = `  ${markOf(gate.state, paint)} ${gate.state === 'open' || gate.state === 'skipped' ? paint('dim', title) : title}`;
  const below = (text: string) =>
    wrap(plainText(text), Math.max(40, columns - INDENT.length)).map((line) => INDENT + line);
  const evidence = seen.flatMap(below).map((line) => paint('dim', line));
  const reason = below(gate.reason);
  switch (gate.state) {
    case 'open':
      return [head];
    case 'skipped':
      return isExplained(gate) ? [head, ...reason.map((line) => paint('dim', line))] : [head];
    case 'passed':
      return [head, ...reason.map((line) => paint('dim', line)), ...evidence];
    case 'overridden': {
      const { reason: why = '', by = '' } = gate.override ?? {};
      return [head, ...reason, ...evidence, ...below(`overridden by ${by}: ${why}`)];
    }
    case 'failed':
    case 'unknown':
    case 'warned':
      break;
  }
  const next = gate.next === undefined ? [] : below(`→ ${gate.next}`).map((line) => paint('cyan', line));
  return [head, ...reason, ...evidence, ...next];
}

/** Most gates do not apply by a formula, which says little; some because something cannot be had here. */
function isExplained({ reason, evidence }: GateResult): boolean {
  return evidence?.missing?.some(({ why }) => why === reason) === true;
}
