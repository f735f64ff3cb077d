import type { Draft, DraftKernel, DraftLine, DraftTensor } from './draft.ts';
import { inlineText } from './yaml-text.ts';

/** The pawl.yaml of a draft: every line that was assumed, and every one that is missing, says so. */
export function pawlYaml(draft: Draft, source: string, schemaPath: string): string {
  const { problem, dims, tensors, lines, cases, kernels, device } = draft;
  return `# yaml-language-server: $schema=${schemaPath}
# Written by \`pawl adopt\` from ${source}. docs/pawl-yaml.md of Pawl says what each key means.
version: 1

problems:
  ${problem}:
    dims: [${dims.join(', ')}]
    tensors: # in the order in which kernels get them
${tensors.map(tensorLine).join('')}${lines.map((line) => yamlLine(line)).join('')}    cases: # named sizes; one run covers them all
${Object.entries(cases)
  .map(([name, values]) =>
    `      ${name}: { ${caseText(values)} }${commentText(draft.caseComments[name])}\n`.replace('{  }', '{}'),
  )
  .join('')}
kernels:
${kernels.map(kernelText).join('')}
${MEASURE[device]}`;
}

const MEASURE = {
  cpu: `# Hot, and few samples: a first result in seconds. The defaults are cold, 5 processes and 100 samples.
measure: { mode: hot, processes: 5, samples: 30, warmup: 5 }
`,
  cuda: `# These are the defaults.
measure: { mode: cold, processes: 5, samples: 100, warmup: 20 }
`,
} as const;

function tensorLine(tensor: DraftTensor): string {
  const { name, role, dtype, shape, strides, offset, fill, distribution, tolerance, comment } = tensor;
  const listed = (formulas: readonly string[]) => `[${formulas.map(shapeText).join(', ')}]`;
  const laid = strides === undefined ? '' : `, strides: ${listed(strides)}`;
  const from = offset === undefined ? '' : `, offset: ${shapeText(offset)}`;
  const filled = [
    fill === undefined ? '' : `, fill: ${fill}`,
    distribution === undefined ? '' : `, distribution: ${distribution}`,
    tolerance === undefined ? '' : `, ${tolerance}`,
  ].join('');
  if (shape === undefined) {
    return `      # TODO: the extents of ${name}, outermost first: formulas over the dimensions.
      ${name}: { role: ${role}, dtype: ${dtype}, shape: []${filled} }\n`;
  }
  return `      ${name}: { role: ${role}, dtype: ${dtype}, shape: ${listed(shape)}${laid}${from}${filled} }${commentText(comment)}\n`;
}

function kernelText({ name, lines }: DraftKernel): string {
  return `  ${name}:\n${lines.map((line) => yamlLine(line)).join('')}`;
}

function yamlLine({ key, value, comment }: DraftLine): string {
  return `    ${key}:${value.startsWith('\n') ? '' : ' '}${value}${commentText(comment)}\n`;
}

function commentText(comment: string | undefined): string {
  return comment === undefined ? '' : ` # ${comment}`;
}

function caseText(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

/** Extents are formulas, also where they look like numbers. */
function shapeText(extent: string): string {
  return /^\d+$/u.test(extent) ? extent : inlineText(extent);
}
