import { GATE_MARKS } from '../../../src/report/gate-marks.ts';
import { formatDuration, minutesText } from '../common/format.ts';
import { isStopping } from '../../../src/model/learn/session-progress.ts';
import type { ShownGate, ShownPhase } from '../common/session-gates.ts';

export interface TreeBox {
  readonly key: string;
  readonly kind: 'phase' | 'gate' | 'command';
  readonly tone: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** Below the lines, quieter. */
  readonly note: string;
  /** Whole, where the lines had to be cut. */
  readonly title: string;
}

interface TreeEdge {
  readonly key: string;
  readonly path: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  /** It was gone along; `overridden`: against what the gate said. */
  readonly how: 'taken' | 'overridden' | 'failed' | 'not-taken';
}

interface Tree {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly TreeBox[];
  readonly edges: readonly TreeEdge[];
}

/** Rough widths of letters at the sizes that the style sheet gives them. */
const [LETTER, CODE_LETTER, LINE] = [7, 7.3, 17];
const [TRUNK, GAP, WIDE] = [22, 26, 720];

/** From above to below: phases and their gates; a gate's failure leads aside, on narrow screens beneath it, to a command. */
export function treeLayout(phases: readonly ShownPhase[], width: number): Tree {
  const isWide = width >= WIDE;
  const gateWidth = isWide ? Math.min(440, Math.round(width * 0.5)) : width - 2;
  const boxes: TreeBox[] = [];
  const edges: TreeEdge[] = [];
  let y = 1;
  let before: { readonly bottom: number; readonly label: string; readonly how: TreeEdge['how'] } | undefined;
  const join = (key: string): void => {
    if (before === undefined) return;
    edges.push({
      key: `to ${key}`,
      path: `M${TRUNK} ${before.bottom}V${y}`,
      label: before.label,
      x: TRUNK + 8,
      y: y - 8,
      how: before.how,
    });
  };
  for (const phase of phases) {
    const head = phaseBox(phase, y, gateWidth);
    join(head.key);
    boxes.push(head);
    y += head.height;
    const reached = phase.gates.some(({ state }) => state !== 'open');
    before = { bottom: y, label: '', how: reached ? 'taken' : 'not-taken' };
    y += GAP - 10;
    for (const gate of phase.gates) {
      const box = gateBox(gate, y, gateWidth);
      join(box.key);
      boxes.push(box);
      const branch = isWide
        ? { x: gateWidth + 76, y: box.y, width: width - gateWidth - 78 }
        : { x: TRUNK + 40, y: box.y + box.height + 12, width: width - TRUNK - 42 };
      const command = gate.after === undefined ? undefined : commandBox(gate, gate.after, branch);
      if (command !== undefined) {
        boxes.push(command);
        edges.push(failEdge(gate, box, command, isWide));
      }
      const bottom = box.y + box.height;
      y = Math.max(bottom, command === undefined ? 0 : command.y + command.height) + GAP;
      before = { bottom, ...passEdge(gate) };
    }
  }
  return { width, height: Math.max(1, y - GAP + 2), boxes, edges };
}

function phaseBox({ id, title, time }: ShownPhase, y: number, width: number): TreeBox {
  const note =
    time === undefined ? '' : `${minutesText(time.spent_s / 60)} of ${minutesText(time.budget_s / 60)}`;
  const tone = time !== undefined && time.spent_s > time.budget_s ? 'over' : '';
  // Bold and larger than other lines.
  const isTight = (title.length + note.length + 4) * (LETTER + 1) > width - 28;
  const height = isTight && note !== '' ? 34 + LINE : 34;
  return { key: `phase ${id}`, kind: 'phase', tone, x: 1, y, width, height, lines: [title], note, title };
}

function gateBox(gate: ShownGate, y: number, width: number): TreeBox {
  const { gate: id, number, title, state, took_s, reason } = gate;
  const name = number === undefined ? title : `${number} ${title}`;
  const lines = wrapped(name, Math.floor((width - 30) / LETTER), 2);
  const took = took_s === undefined ? '' : ` · ${formatDuration(took_s * 1000)}`;
  return {
    key: `gate ${id}`,
    kind: 'gate',
    tone: state,
    x: 1,
    y,
    width,
    height: 18 + LINE * (lines.length + 1),
    lines,
    note: `${GATE_MARKS[state]} ${state}${took}`,
    title: `${name}: ${state}. ${reason}`,
  };
}

function commandBox(
  { gate: id, state }: ShownGate,
  command: string,
  place: { readonly x: number; readonly y: number; readonly width: number },
): TreeBox {
  const lines = wrapped(command, Math.floor((place.width - 20) / CODE_LETTER), 2);
  const isTaken = isStopping({ state }) || state === 'overridden';
  return {
    key: `command ${id}`,
    kind: 'command',
    tone: isTaken ? state : '',
    ...place,
    height: 14 + LINE * lines.length,
    lines,
    note: '',
    title: command,
  };
}

function passEdge({ state }: ShownGate): Pick<TreeEdge, 'label' | 'how'> {
  if (state === 'passed') return { label: 'passed', how: 'taken' };
  if (state === 'warned') return { label: 'warned, continues', how: 'taken' };
  if (state === 'skipped') return { label: 'does not apply', how: 'taken' };
  if (state === 'overridden') return { label: 'overridden', how: 'overridden' };
  return { label: 'pass', how: 'not-taken' };
}

function failEdge({ gate: id, state }: ShownGate, from: TreeBox, to: TreeBox, isWide: boolean): TreeEdge {
  const middle = to.y + Math.min(20, to.height / 2);
  const isFailed = isStopping({ state }) || state === 'overridden';
  const end = from.x + from.width;
  return {
    key: `fail ${id}`,
    path: isWide ? `M${end} ${middle}H${to.x}` : `M${TRUNK} ${from.y + from.height}V${middle}H${to.x}`,
    label: state === 'unknown' ? 'unknown' : isFailed ? 'failed' : 'fail',
    x: isWide ? end + 10 : TRUNK + 4,
    y: middle - 6,
    how: isFailed ? 'failed' : 'not-taken',
  };
}

/** Broken between words, within them only where one is longer than a line; what does not fit ends in dots. */
export function wrapped(text: string, letters: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/u)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= letters || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const shown = lines.slice(0, most).map((one) => cut(one, letters));
  if (lines.length > most) shown[most - 1] = cut(`${shown[most - 1] ?? ''} …`, letters);
  return shown;
}

function cut(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
}
