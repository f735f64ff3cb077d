import { countText } from '../common/format.ts';
import type { ShownPhase } from '../common/session-gates.ts';
import { treeLayout, type TreeBox } from './tree-layout.ts';
import { useWidth } from './use-width.ts';

/** The way through the gates: what was passed, where it stopped, and the command that a failure leads to. */
export function DecisionTree({ phases }: { readonly phases: readonly ShownPhase[] }) {
  const { frame, width } = useWidth();
  const { boxes, edges, height } = treeLayout(phases, width);
  const gates = phases.flatMap((phase) => phase.gates);
  const passed = gates.filter(({ state }) => state === 'passed' || state === 'warned').length;
  const failed = gates.filter(({ state }) => state === 'failed' || state === 'unknown').length;
  const label = `Decision tree: ${countText(gates.length, 'gate')} in ${countText(phases.length, 'phase')}, ${passed} passed, ${failed} failed. The checklist has the same as text.`;
  return (
    <div ref={frame} class="tree-frame">
      {width === 0 ? null : (
        <svg class="tree" width={width} height={height} role="img" aria-label={label}>
          {edges.map(({ key, path, label: text, x, y, how }) => (
            <g key={key} class={`edge ${how}`}>
              <path d={path} />
              <text x={x} y={y}>
                {text}
              </text>
            </g>
          ))}
          {boxes.map((box) => (
            <Box key={box.key} box={box} />
          ))}
        </svg>
      )}
    </div>
  );
}

function Box({ box }: { readonly box: TreeBox }) {
  const { kind, tone, x, y, width, height, lines, note, title } = box;
  const left = x + (kind === 'gate' ? 18 : 12);
  return (
    <g class={`box ${kind} ${kind === 'gate' || tone !== 'over' ? `gate-${tone}` : tone}`}>
      <title>{title}</title>
      <rect x={x} y={y} width={width} height={height} rx={kind === 'phase' ? 17 : 6} />
      {kind === 'gate' ? <rect class="stripe" x={x} y={y} width="6" height={height} rx="3" /> : null}
      {lines.map((line, index) => (
        <text key={index} class="line" x={left} y={y + (kind === 'phase' ? 22 : 21) + 17 * index}>
          {line}
        </text>
      ))}
      {note === '' ? null : kind === 'phase' ? (
        <PhaseNote box={box} />
      ) : (
        <text class="note" x={left} y={y + 21 + 17 * lines.length}>
          {note}
        </text>
      )}
    </g>
  );
}

/** To the right of the title, or below it where there is no room. */
function PhaseNote({ box: { x, y, width, height, note } }: { readonly box: TreeBox }) {
  return height > 40 ? (
    <text class="note" x={x + 12} y={y + 40}>
      {note}
    </text>
  ) : (
    <text class="note" x={x + width - 14} y={y + 22} text-anchor="end">
      {note}
    </text>
  );
}
