import type { ElementValue } from '../model/correctness/verification.ts';
import { DETECTORS } from '../model/correctness/detector.ts';
import { detectorOf, type Fault } from '../model/measure/fault.ts';
import { plainLines, plainText } from './text/plain-text.ts';

/** One element of an output beside what it should be, as text. */
export interface ElementRow {
  readonly isWorst: boolean;
  readonly index: string;
  readonly got: string;
  readonly want: string;
  readonly error: string;
}

/** A fault as every rendering shows it. All of it is text that is fit to show. */
export interface FaultView {
  /** The detector, and what it means that it fired. */
  readonly headline: string;
  /** What stands above the elements; empty where there are none. */
  readonly caption: string;
  readonly elements: readonly ElementRow[];
  /** The last lines that the process printed. */
  readonly printed: readonly string[];
  readonly reproduce: string | undefined;
  readonly locate: string | undefined;
}

export const ELEMENT_HEADERS = ['element', 'got', 'right', 'error'] as const;

const PRINTED_LINES = 3;

export function faultView(fault: Fault): FaultView {
  const { detector, tensor, output, reproduce, locate } = fault;
  const name = detectorOf(detector);
  const worst = tensor?.worst;
  const elements =
    worst === undefined
      ? []
      : [worst, ...(worst.neighbours ?? [])].map((one, index) => elementRow(one, index === 0));
  const around = elements.length > 1 ? ' and the elements beside it' : '';
  return {
    headline: name === undefined ? plainText(detector) : `${name}: ${DETECTORS[name].explanation}`,
    caption: tensor === undefined ? '' : `${plainText(tensor.name)}, its worst element${around}`,
    elements,
    printed: plainLines(output ?? '', PRINTED_LINES),
    reproduce: reproduce === undefined ? undefined : plainText(reproduce),
    locate: locate === undefined ? undefined : plainText(locate),
  };
}

function elementRow(
  {
    index,
    got,
    want,
  }: { readonly index: readonly number[]; readonly got: ElementValue; readonly want: ElementValue },
  isWorst: boolean,
): ElementRow {
  const error = typeof got === 'number' && typeof want === 'number' ? Math.abs(got - want) : undefined;
  return {
    isWorst,
    index: `[${index.join(', ')}]`,
    got: valueText(got),
    want: valueText(want),
    error: error === undefined ? '' : error.toPrecision(3),
  };
}

function valueText(value: ElementValue): string {
  if (value === null) return 'not finite';
  return typeof value === 'number' ? Number(value.toPrecision(7)).toString() : value;
}
