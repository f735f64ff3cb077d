import type { TorchDispatch, TorchProof } from '../model/reports/torch-export.ts';
import { variantText } from '../model/problem/variant.ts';

/** README.md of the package. */
export function packageReadme(dispatch: TorchDispatch, proof: TorchProof): string {
  const { operator, rows, variants } = dispatch;
  const { namespace, name } = operator;
  const tensors = operator.tensors.filter(({ role }) => role !== 'output').map((tensor) => tensor.name);
  const others = operator.arguments
    .filter((one) => !tensors.includes(one.name))
    .map((one) => `${one.name}=…`);
  const fuzzed = (proof.fuzz ?? []).reduce((sum, { passed }) => sum + passed, 0);
  return `# ${namespace}

\`torch.ops.${namespace}.${name}\`, written by Pawl ${proof.pawl} on ${proof.exported_at.slice(0, 10)}${proof.commit === undefined ? '' : ` at commit ${proof.commit.slice(0, 12)}`}, for ${operator.device_name}.

\`\`\`python
import ${namespace}                              # the parent of its folder must be on the import path
y = ${namespace}.${name}(${[...tensors, ...others].join(', ')})
\`\`\`

\`\`\`
${operator.schema}
\`\`\`

It runs on the current stream of the tensors' device, works under \`torch.compile\`, \`torch.export\` and in CUDA graphs, and has no backward pass. Tensors must match the verified ones: type, shape, contiguous, aligned. Another shape is refused, or goes to the function given by \`${namespace}.use_fallback(function)\`${dispatch.fallback === undefined ? '' : ` (now \`${dispatch.fallback}\`)`}.

\`python -m ${namespace}.selftest\` compares it with the oracle at every shape of the table.

## Shapes

| shape | kernel | variant | median | from |
| --- | --- | --- | --: | --- |
${rows
  .map((row) => {
    const { kernel, variant } = variants[row.variant]!;
    const shape = Object.entries({ ...row.dims, ...row.scalars })
      .map(([dim, value]) => `${dim}=${value}`)
      .join(', ');
    const interval =
      row.time.ci_ms === undefined ? '' : ` (${row.time.ci_ms.map((end) => micros(end)).join(' to ')})`;
    const from = row.origin.kind === 'baseline' ? `baseline, ${row.origin.how}` : `study ${row.origin.id}`;
    return `| ${shape} | ${kernel} | ${variantText(variant) || '–'} | ${micros(row.time.median_ms)} µs${interval} | ${from} |`;
  })
  .join('\n')}

## Evidence

- \`dispatch.json\`: the table above with all details. \`baseline.json\`: the baseline that the times come from.
- \`proof.json\`: every result was compared with the oracle before it was timed${proof.fuzz === undefined ? '; no generated cases were run for this export' : `; ${fuzzed} declared and generated cases passed in this export`}.
- \`sources/\`: the sources of kernels and oracle. \`lib/\`: the libraries; a file whose SHA-256 differs from \`dispatch.json\` is not loaded.
${proof.changed.length === 0 ? '' : `- The working tree differed from its commit: ${proof.changed.join(', ')}.\n`}`;
}

function micros(time_ms: number): number {
  return Number((time_ms * 1000).toPrecision(3));
}
